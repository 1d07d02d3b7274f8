import { Badge, type Tone } from '../../kit/badge.tsx'
import { t } from '../../texts/texts.ts'
import type { DeliveryStatus } from './search.ts'

const tones: Record<DeliveryStatus, Tone> = { pending: 'info', delivered: 'good', skipped: 'neutral', dead: 'wrong' }

/** The outcome of a message, or that it is being retried. */
export function StatusBadge({ status, attempts }: { status: DeliveryStatus; attempts: number }) {
  const isRetried = status === 'pending' && attempts > 0
  return (
    <Badge tone={isRetried ? 'late' : tones[status]}>
      {isRetried ? t('messages.retrying') : t(`messages.status.${status}`)}
    </Badge>
  )
}
