import { after, dayMs } from '../../foundation/clock.ts'
import { invalid } from '../../foundation/errors.ts'
import { type AnalyticsSummary, longestDays, type RevenueItem, type SummaryQuery, usualDays } from './schema.ts'

/** Whole days, UTC. */
export interface Period {
  /** The first and the last day, as dates. */
  firstDay: string
  lastDay: string
  /** The instant it begins, and the one it ends before. */
  from: Date
  until: Date
}

export function periodOf(query: SummaryQuery, now: Date): Period {
  const last = startOfDay(query.to ?? dayOf(now))
  const first = query.from === undefined ? after(last, -(usualDays - 1) * dayMs) : startOfDay(query.from)
  if (last < first) throw invalid(['query', 'to'], 'must not be before from')
  if (first.getTime() < 0) throw invalid(['query', query.from === undefined ? 'to' : 'from'], 'must not be before 1970')
  if (last.getTime() - first.getTime() >= longestDays * dayMs) {
    throw invalid(['query', 'from'], `must be at most ${longestDays} days before the end of to`)
  }
  return { firstDay: dayOf(first), lastDay: dayOf(last), from: first, until: after(last, dayMs) }
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`)
}

export interface DayCount {
  date: string
  count: number
}

/** Every day of the period, also those on which nothing happened. */
export function daysOf(period: Period, orders: DayCount[], deliveries: DayCount[]): AnalyticsSummary['days'] {
  const ordersOf = new Map(orders.map(({ date, count }) => [date, count]))
  const deliveriesOf = new Map(deliveries.map(({ date, count }) => [date, count]))
  const days: AnalyticsSummary['days'] = []
  for (let day = period.from; day < period.until; day = after(day, dayMs)) {
    const date = dayOf(day)
    days.push({ date, orders: ordersOf.get(date) ?? 0, deliveries: deliveriesOf.get(date) ?? 0 })
  }
  return days
}

/** The count of each name, with zero for those that were not counted. */
export function countsOf<Name extends string>(
  names: readonly Name[],
  counted: { name: string; count: number }[],
): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number> // one for each name
  for (const { name, count } of counted) if (Object.hasOwn(counts, name)) counts[name as Name] += count
  return counts
}

export function sumOf(counted: { count: number }[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0)
}

export interface CampaignName {
  id: string
  name: string
}

export interface ViewCount {
  subjectId: string
  action: string
  count: number
}

export interface AttributedOrders {
  /** As the order names it: by id or by name; null where it names none. */
  campaign: string | null
  currency: string
  orders: number
  revenue: number
}

const mostCampaigns = 100

/**
 * What campaigns came to; an order may name one by its id or by its name. Views of what is no campaign, such as a test's
 * holdout, are left out.
 */
export function campaignFigures(
  /** Of several with one name, the first is meant: the newest. */
  campaigns: CampaignName[],
  views: ViewCount[],
  attributed: AttributedOrders[],
): AnalyticsSummary['campaigns'] {
  const idsByName = new Map(campaigns.toReversed().map(({ id, name }) => [name, id]))
  const known = new Map(
    campaigns.map(({ id }) => [id, { views: [] as ViewCount[], attributed: [] as AttributedOrders[] }]),
  )
  const idOf = (text: string) => (known.has(text.toLowerCase()) ? text.toLowerCase() : idsByName.get(text))
  for (const view of views) known.get(view.subjectId)?.views.push(view)
  for (const orders of attributed) known.get(idOf(orders.campaign ?? '') ?? '')?.attributed.push(orders)
  const figures = campaigns.map(({ id, name }) => ({
    campaign_id: id,
    name,
    ...figuresOf(known.get(id)?.views ?? [], known.get(id)?.attributed ?? []),
  }))
  const busy = figures.filter(({ exposures, clicks, orders }) => exposures + clicks + orders > 0)
  busy.sort((left, right) => right.exposures - left.exposures || right.orders - left.orders)
  const shown = views.filter(({ subjectId }) => known.has(subjectId))
  return { ...figuresOf(shown, attributed), campaigns: busy.slice(0, mostCampaigns) }
}

function figuresOf(views: ViewCount[], attributed: AttributedOrders[]) {
  const counted = (action: string) => sumOf(views.filter((view) => view.action === action))
  const byCurrency = new Map<string, number>()
  for (const { currency, revenue } of attributed) {
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + revenue)
  }
  return {
    exposures: counted('exposure'),
    clicks: counted('click'),
    orders: attributed.reduce((sum, { orders }) => sum + orders, 0),
    revenue: [...byCurrency]
      .map(([currency, amount]): RevenueItem => ({ currency, amount: rounded(amount, 4) }))
      .sort((left, right) => right.amount - left.amount || left.currency.localeCompare(right.currency)),
  }
}

/** 0.1 + 0.2 is 0.3: no currency has more than four decimals, and nobody waits for a hundredth of a day. */
export function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}
