import { flags, phases } from '../../catalogue/catalogue.ts'
import { deliveryStatuses } from '../../deliveries/log-schema.ts'
import { after } from '../../foundation/clock.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { isUuid } from '../../foundation/ids.ts'
import { operation } from '../../foundation/operation.ts'
import { countWindows } from '../../journey/delivery-windows/store.ts'
import { integrationNames } from '../../marketing/integration.ts'
import { claimReasons, claimStatuses } from '../claims/schema.ts'
import { campaignFigures, countsOf, daysOf, type Period, periodOf, round, sumOf } from './rules.ts'
import { AnalyticsSummary, defaultDays, maxDays, SummaryQuery } from './schema.ts'
import {
  countClaims,
  countDelivered,
  countDeliveries,
  countDraftsToSend,
  countFailedAttempts,
  countOrders,
  countOrdersWithoutTracking,
  countShipments,
  countViews,
  findCampaignNames,
  measureTransit,
  sumAttributed,
} from './store.ts'

export const getAnalyticsSummary = operation({
  name: 'getAnalyticsSummary',
  summary: "Get the shop's figures for a period",
  description: `Returns figures about orders, shipments, deliveries, claims, notifications and campaigns for whole days in UTC. The default is the last ${defaultDays} days including today, the maximum ${maxDays} days. Figures are counted from the data stored now, so late scans and imported orders count for the day they belong to.`,
  area: 'Analytics',
  route: 'GET /v1/shops/{slug}/analytics/summary',
  needs: 'viewer',
  query: SummaryQuery,
  reply: AnalyticsSummary,
  async handle(context, { query }) {
    const period = periodOf(query, context.now)
    const orders = await countOrders(context, period)
    const delivered = await countDelivered(context, period)
    return {
      from: period.firstDay,
      to: period.lastDay,
      orders: { placed: sumOf(orders), ...(await countOrdersWithoutTracking(context, period)) },
      shipments: await summarizeShipments(context, period),
      deliveries: {
        delivered: sumOf(delivered),
        failed_attempts: await countFailedAttempts(context, period),
        transit_days: await summarizeTransit(context, period),
        windows: await summarizeWindows(context, period),
      },
      claims: await summarizeClaims(context, period),
      notifications: await summarizeNotifications(context, period),
      campaigns: await summarizeCampaigns(context, period),
      days: daysOf(period, orders, delivered),
    }
  },
})

async function summarizeShipments(context: ShopContext, period: Period): Promise<AnalyticsSummary['shipments']> {
  const counted = await countShipments(context, period)
  const by = (name: 'phase' | 'flag') => counted.map((row) => ({ name: row[name], count: row.count }))
  return {
    created: sumOf(counted),
    waiting: await countDraftsToSend(context, period),
    by_phase: countsOf(phases, by('phase')),
    by_flag: countsOf(flags, by('flag')),
  }
}

async function summarizeTransit(
  context: ShopContext,
  period: Period,
): Promise<AnalyticsSummary['deliveries']['transit_days']> {
  const { median, p90 } = await measureTransit(context, period)
  return { median: median === null ? null : round(median, 2), p90: p90 === null ? null : round(p90, 2) }
}

async function summarizeWindows(
  context: ShopContext,
  { from, until }: Period,
): Promise<AnalyticsSummary['deliveries']['windows']> {
  const carriers = await countWindows(context, from, after(until, -1)) // its end is inclusive
  const sum = (name: 'predicted' | 'early' | 'held' | 'late') =>
    carriers.reduce((total, carrier) => total + carrier[name], 0)
  const [predicted, held] = [sum('predicted'), sum('held')]
  return {
    predicted,
    early: sum('early'),
    held,
    late: sum('late'),
    held_share: predicted === 0 ? null : round(held / predicted, 3),
  }
}

async function summarizeClaims(context: ShopContext, period: Period): Promise<AnalyticsSummary['claims']> {
  const counted = await countClaims(context, period)
  const by = (name: 'reason' | 'status') => counted.map((row) => ({ name: row[name], count: row.count }))
  return {
    filed: sumOf(counted),
    by_reason: countsOf(claimReasons, by('reason')),
    by_status: countsOf(claimStatuses, by('status')),
  }
}

async function summarizeNotifications(
  context: ShopContext,
  period: Period,
): Promise<AnalyticsSummary['notifications']> {
  const counted = await countDeliveries(context, period, integrationNames)
  const of = (kind: 'webhook' | 'integration') =>
    counted.filter((row) => row.kind === kind).map(({ status, count }) => ({ name: status, count }))
  return {
    webhooks: countsOf(deliveryStatuses, of('webhook')),
    integrations: countsOf(deliveryStatuses, of('integration')),
  }
}

async function summarizeCampaigns(context: ShopContext, period: Period): Promise<AnalyticsSummary['campaigns']> {
  const views = await countViews(context, period)
  const attributed = await sumAttributed(context, period)
  const named = attributed.flatMap(({ campaign }) => campaign ?? [])
  const ids = [...views.map(({ subjectId }) => subjectId), ...named.filter(isUuid)]
  const campaigns = await findCampaignNames(context, ids, named)
  return campaignFigures(campaigns, views, attributed)
}
