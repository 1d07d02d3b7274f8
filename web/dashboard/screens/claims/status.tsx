import { Badge, type Tone } from '../../kit/badge.tsx'
import { wordOf } from '../orders/words.ts'
import type { Status } from './query.ts'

const tones: Readonly<Record<Status, Tone>> = {
  pending: 'late',
  accepted: 'good',
  rejected: 'wrong',
  closed: 'neutral',
}

export function StatusBadge({ status }: { status: Status }) {
  return <Badge tone={tones[status]}>{wordOf('claim_status', status)}</Badge>
}
