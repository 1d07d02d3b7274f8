import type { AttributedOrders, ViewCount } from './day-figures.ts'
import { round, sumOf } from './numbers.ts'
import type { PeriodFigures, RevenueItem } from './schema.ts'

export interface CampaignName {
  id: string
  name: string
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
): PeriodFigures['campaigns'] {
  const idsByName = new Map(campaigns.toReversed().map(({ id, name }) => [name, id]))
  const known = new Map(
    campaigns.map(({ id }) => [id, { views: [] as ViewCount[], attributed: [] as AttributedOrders[] }]),
  )
  const idOf = (text: string) => (known.has(text.toLowerCase()) ? text.toLowerCase() : idsByName.get(text))
  for (const view of views) known.get(view.subject_id)?.views.push(view)
  for (const orders of attributed) known.get(idOf(orders.campaign ?? '') ?? '')?.attributed.push(orders)
  const figures = campaigns.map(({ id, name }) => ({
    campaign_id: id,
    name,
    ...figuresOf(known.get(id)?.views ?? [], known.get(id)?.attributed ?? []),
  }))
  const active = figures.filter(({ exposures, clicks, orders }) => exposures + clicks + orders > 0)
  active.sort((left, right) => right.exposures - left.exposures || right.orders - left.orders)
  const viewsOfCampaigns = views.filter(({ subject_id }) => known.has(subject_id))
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
