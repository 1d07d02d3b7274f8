import { mailSettings } from '../../credentials/mail-account/settings-store.ts'
import { periodOf } from '../../figures/analytics/period.ts'
import { defaultDays, maxDays } from '../../figures/analytics/schema.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { MailFigures, MailFiguresQuery } from './schema.ts'
import { findFigures, type StoredFigure } from './store.ts'

export const getMailFigures = operation({
  name: 'getMailFigures',
  summary: 'Get how many messages left, and how often links were clicked',
  description: `For whole days in UTC, by event group. The default is the last ${defaultDays} days including today, the maximum ${maxDays} days. Clicks are counted only while the shop has click_counting on; nothing is stored about who clicked.`,
  area: 'Mail',
  route: 'GET /v1/shops/{slug}/mail/figures',
  reads: 'replica',
  needs: 'viewer',
  query: MailFiguresQuery,
  reply: MailFigures,
  async handle(context, { query }) {
    const { firstDay, lastDay } = periodOf(query, context.now)
    const figures = await findFigures(context, firstDay, lastDay)
    const { click_counting } = await mailSettings(context, context.shop.id)
    const sum = (counted: StoredFigure[]) => counted.reduce((total, { count }) => total + count, 0)
    return {
      from: firstDay,
      to: lastDay,
      counts_clicks: click_counting,
      sent: sum(figures.filter(({ kind }) => kind === 'sent')),
      clicks: sum(figures.filter(({ kind }) => kind !== 'sent')),
      days: byDay(figures),
    }
  },
})

interface DayFigures {
  day: string
  event_group: string
  sent: number
  clicks: Record<string, number>
}

function byDay(figures: StoredFigure[]): DayFigures[] {
  const days = new Map<string, DayFigures>()
  for (const { day, event_group, kind, count } of figures) {
    const key = `${day} ${event_group}`
    const entry = days.get(key) ?? { day, event_group, sent: 0, clicks: {} }
    days.set(key, entry)
    if (kind === 'sent') entry.sent = count
    else entry.clicks[kind] = count
  }
  return [...days.values()]
}
