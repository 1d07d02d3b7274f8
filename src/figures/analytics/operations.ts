import { operation } from '../../platform/foundation/operation.ts'
import { periodBefore, periodOf, type ReportPeriod } from './period.ts'
import { readFigures } from './roll-up.ts'
import { campaignsIn, summarize } from './rules.ts'
import { AnalyticsSummary, defaultDays, maxDays, SummaryQuery } from './schema.ts'
import { findCampaignNames, listEndpointIds } from './store.ts'

export const getAnalyticsSummary = operation({
  name: 'getAnalyticsSummary',
  summary: "Get the shop's figures for a period",
  description: `Returns figures about orders, shipments, deliveries, claims, notifications and campaigns for whole days in UTC. The default is the last ${defaultDays} days including today, the maximum ${maxDays} days. Late scans and imported orders count for the day they belong to. Every change up to \`as_of\` is counted.`,
  area: 'Analytics',
  route: 'GET /v1/shops/{slug}/analytics/summary',
  reads: 'replica',
  needs: 'viewer',
  query: SummaryQuery,
  reply: AnalyticsSummary,
  async handle(context, { query }) {
    const period = periodOf(query, context.now)
    const before = query.compare ? periodBefore(period) : undefined
    const { days, asOf } = await readFigures(context, { ...period, firstDay: (before ?? period).firstDay })
    const { ids, names } = campaignsIn(days.values())
    const known = {
      endpointIds: await listEndpointIds(context),
      campaigns: await findCampaignNames(context, ids, names),
    }
    const summaryOf = (period: ReportPeriod) => summarize(period, days, known)
    return {
      ...summaryOf(period),
      as_of: asOf.toISOString(),
      ...(before ? { previous: summaryOf(before) } : {}),
    }
  },
})
