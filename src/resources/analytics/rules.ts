import { after, dayMs } from '../../foundation/clock.ts'
import { invalid } from '../../foundation/errors.ts'
import { type AnalyticsSummary, defaultDays, maxDays, type RevenueItem, type SummaryQuery } from './schema.ts'

/** Whole days in UTC. */
export interface Period {
  firstDay: string
  lastDay: string
  /** `from` is inclusive, `until` exclusive. */
  from: Date
  until: Date
}

export function periodOf(query: SummaryQuery, now: Date): Period {
  const last = startOfDay(query.to ?? dayOf(now))
  const first = query.from === undefined ? after(last, -(defaultDays - 1) * dayMs) : startOfDay(query.from)
  if (last < first) throw invalid(['query', 'to'], 'must not be before from')
  if (first.getTime() < 0) throw invalid(['query', query.from === undefined ? 'to' : 'from'], 'must not be before 1970')
  if (last.getTime() - first.getTime() >= maxDays * dayMs) {
    throw invalid(['query', 'from'], `must be at most ${maxDays} days before the end of to`)
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

/** Every day of the period, including days without any orders or deliveries. */
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

/** The count of each name; zero if it is not in `counted`. */
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
  /** The campaign's id or name, as the order has it; null if it has none. */
  campaign: string | null
  currency: string
  orders: number
  revenue: number
}

const maxCampaigns = 100

/**
 * The figures of campaigns. An order refers to a campaign by id or by name. Views of anything else, such as the holdout of
 * a test, are not counted.
 */
export function campaignFigures(
  /** Newest first: if several have the same name, the newest gets the orders. */
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
  const active = figures.filter(({ exposures, clicks, orders }) => exposures + clicks + orders > 0)
  active.sort((left, right) => right.exposures - left.exposures || right.orders - left.orders)
  const viewsOfCampaigns = views.filter(({ subjectId }) => known.has(subjectId))
  return { ...figuresOf(viewsOfCampaigns, attributed), campaigns: active.slice(0, maxCampaigns) }
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
      .map(([currency, amount]): RevenueItem => ({ currency, amount: round(amount, 4) }))
      .sort((left, right) => right.amount - left.amount || left.currency.localeCompare(right.currency)),
  }
}

/** Removes floating-point noise and needless precision. */
export function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}
