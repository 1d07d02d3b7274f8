import { operation } from '../../platform/foundation/operation.ts'
import { findMatches } from './match-store.ts'
import { toOrderSummary } from './present.ts'
import { rankMatches } from './rules.ts'
import { SearchQuery, SearchResult } from './schema.ts'
import { findOrderSummaries } from './summary-store.ts'

export const searchShop = operation({
  name: 'searchShop',
  summary: 'Find orders and parcels by the beginning of what a customer says',
  description:
    'One text is compared with order numbers, tracking numbers, e-mail addresses, zip codes and customer names. An erased customer is not found; the order is, by its numbers.',
  area: 'Search',
  route: 'GET /v1/shops/{slug}/search',
  reads: 'replica',
  needs: 'viewer',
  query: SearchQuery,
  reply: SearchResult,
  async handle(context, { query }) {
    const { found, isCut } = await findMatches(context, query.q)
    const ranked = rankMatches(found)
    const shown = ranked.slice(0, query.limit ?? 10)
    const orders = await findOrderSummaries(
      context,
      shown.map(({ orderId }) => orderId),
    )
    return {
      matches: shown.flatMap(({ orderId, matched, isExact, shipmentId }) => {
        const order = orders.get(orderId)
        if (order === undefined) return [] // deleted in the meantime
        return [{ matched, is_exact: isExact, shipment_id: shipmentId, ...toOrderSummary(context, order) }]
      }),
      is_complete: !isCut && ranked.length === shown.length,
    }
  },
})
