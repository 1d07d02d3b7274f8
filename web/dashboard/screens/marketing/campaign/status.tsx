import { Badge, type Tone } from '../../../kit/badge.tsx'
import { formatDate } from '../../../kit/format.ts'
import { t } from '../../../texts/texts.ts'
import type { Campaign } from './draft.ts'

const tones: Record<Campaign['status'], Tone> = {
  active: 'good',
  scheduled: 'info',
  inactive: 'neutral',
  completed: 'neutral',
}

export function StatusBadge({ status }: { status: Campaign['status'] }) {
  return <Badge tone={tones[status]}>{t(`campaigns.statuses.${status}`)}</Badge>
}

/** "1 Nov 2026 – 30 Nov 2026", or "Since 1 Nov 2026". */
export function periodOf({ start_date, end_date }: Pick<Campaign, 'start_date' | 'end_date'>): string {
  const from = formatDate(start_date)
  if (end_date === null) return t('campaigns.from', { day: from })
  return `${from} – ${formatDate(end_date)}`
}
