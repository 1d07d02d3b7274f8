import { Badge, type Tone } from '../../kit/badge.tsx'
import { t } from '../../texts/texts.ts'
import type { DeliveryStatus } from './search.ts'

const tones: Record<DeliveryStatus, Tone> = { pending: 'info', delivered: 'good', skipped: 'neutral', dead: 'wrong' }

/** What became of a message; one that is retried shows it. */
export function StatusBadge({ status, attempts }: { status: DeliveryStatus; attempts: number }) {
  const isRetried = status === 'pending' && attempts > 0
  return (
    <Badge tone={isRetried ? 'late' : tones[status]}>
      {isRetried ? t('messages.retrying') : t(`messages.status.${status}`)}
    </Badge>
  )
}
