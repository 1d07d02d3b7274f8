import { findCarrier } from '../../adapters/carriers/find.ts'
import { claimReasons } from '../../claims/claims/schema.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { round } from '../analytics/numbers.ts'
import { endOfDay, periodOf, type ReportPeriod, startOfDay } from '../analytics/period.ts'
import { readFigures } from '../analytics/roll-up.ts'
import { defaultDays, maxDays } from '../analytics/schema.ts'
import { type ClaimCounts, ClaimFigures, ClaimFiguresQuery, maxCarriers, maxClaims, maxProducts } from './schema.ts'
import { type CountedClaims, countAll, countByCarrier, countByProduct } from './store.ts'

export const getClaimFigures = operation({
  name: 'getClaimFigures',
  summary: 'Get why customers claim, by carrier and product',
  description: `Counts the claims created in a period of whole days in UTC. The default is the last ${defaultDays} days including today, the maximum ${maxDays} days.`,
  area: 'Claims',
  route: 'GET /v1/shops/{slug}/claims/figures',
  reads: 'replica',
  needs: 'viewer',
  query: ClaimFiguresQuery,
  reply: ClaimFigures,
  async handle(context, { query }) {
    const period = periodOf(query, context.now)
    const range = { from: startOfDay(period.firstDay), until: endOfDay(period.lastDay), limit: maxClaims }
    const all = await countAll(context, range)
    const delivered = await countDelivered(context, period)
    return {
      from: period.firstDay,
      to: period.lastDay,
      is_truncated: all.isTruncated,
      total: toCounts(all),
      carriers: (await countByCarrier(context, range, maxCarriers)).map((row) => {
        const ofCarrier = delivered.get(row.carrier) ?? 0
        return {
          carrier_reference: row.carrier,
          carrier_name: (row.carrier === null ? undefined : findCarrier(row.carrier)?.name) ?? row.company,
          ...toCounts(row),
          delivered: ofCarrier,
          share: ofCarrier === 0 ? null : round(row.claims / ofCarrier, 4),
        }
      }),
      products: (await countByProduct(context, range, maxProducts)).map((row) => ({
        sku: row.sku,
        title: row.title,
        ...toCounts(row),
      })),
    }
  },
})

/** The shipments that each carrier delivered in the period, from the figures of its days. */
async function countDelivered(context: ShopContext, period: ReportPeriod): Promise<Map<string | null, number>> {
  const { days } = await readFigures(context, period)
  const delivered = new Map<string | null, number>()
  for (const { carriers } of days.values()) {
    for (const { carrier, delivered: count } of carriers) delivered.set(carrier, (delivered.get(carrier) ?? 0) + count)
  }
  return delivered
}

function toCounts(counted: CountedClaims): ClaimCounts {
  const { claims, accepted, rejected, closed, open, hours } = counted
  const by_reason = Object.fromEntries(claimReasons.map((reason) => [reason, counted[reason]]))
  return {
    claims,
    by_reason: by_reason as ClaimCounts['by_reason'], // one for each reason
    accepted,
    rejected,
    closed,
    open,
    median_hours_to_decision: hours === null ? null : round(hours, 1),
  }
}
