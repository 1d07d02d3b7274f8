import { after, dayMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { exactTotalLimit, offsetOf, pageRequest } from '../../platform/foundation/page.ts'
import { instant } from '../../platform/foundation/schema.ts'
import { countUpTo, estimateRows } from '../../platform/store/count.ts'
import { toShipmentRecord } from './present.ts'
import { ShipmentFilter, ShipmentPage } from './schema.ts'
import { matchesToCount, type ShipmentSearch } from './search-store.ts'
import { listShipments } from './store.ts'

const defaultLookbackDays = 30
const longestLookbackDays = 90
/** A client that sends "90 days ago" by its own clock is slightly over the limit when the request arrives. */
const allowedDelayMs = minuteMs

export const searchShipments = operation({
  name: 'searchShipments',
  summary: 'Search shipments',
  description: `updated_from defaults to ${defaultLookbackDays} days ago and may be at most ${longestLookbackDays} days ago. The total is exact up to 10,000; above that, it is an estimate and total_is_estimate is true.`,
  area: 'Shipments',
  route: 'GET /v1/shops/{slug}/shipments',
  reads: 'replica',
  needs: 'viewer',
  query: ShipmentFilter,
  reply: ShipmentPage,
  async handle(context, { query }) {
    const request = pageRequest(query)
    const search = toSearch(context, query, { limit: request.perPage + 1, offset: offsetOf(request) })
    const rows = await listShipments(context, search)
    const hasNext = rows.length > request.perPage
    const shown = hasNext ? rows.slice(0, request.perPage) : rows
    const isLast = !hasNext && (shown.length > 0 || request.page === 1)
    const { total, isEstimate } = isLast
      ? { total: offsetOf(request) + shown.length, isEstimate: false }
      : await countTotal(context, query, search)
    return {
      shipments: shown.map((shipment) => toShipmentRecord(context, shipment)),
      pagination: {
        page: request.page,
        per_page: request.perPage,
        total,
        total_pages: Math.ceil(total / request.perPage),
        has_next: hasNext,
        has_previous: request.page > 1,
        total_is_estimate: isEstimate,
      },
    }
  },
})

function toSearch(
  context: ShopContext,
  query: ShipmentFilter,
  page: { limit: number; offset: number },
): ShipmentSearch {
  const earliest = after(context.now, -longestLookbackDays * dayMs)
  const updatedFrom = query.updated_from
    ? instant(query.updated_from)
    : after(context.now, -defaultLookbackDays * dayMs)
  if (updatedFrom.getTime() < earliest.getTime() - allowedDelayMs) {
    throw invalid(['query', 'updated_from'], `must be at most ${longestLookbackDays} days ago`)
  }
  const sort = query.sort ?? '-updated_at'
  return {
    trackingNumber: query.tracking_number,
    updatedFrom,
    updatedTo: query.updated_to === undefined ? undefined : instant(query.updated_to),
    createdFrom: query.created_from === undefined ? undefined : instant(query.created_from),
    createdTo: query.created_to === undefined ? undefined : instant(query.created_to),
    sortBy: sort.endsWith('created_at') ? 'created_at' : 'updated_at',
    isDescending: sort.startsWith('-'),
    includeDrafts: query.include_drafts ?? true,
    ...page,
  }
}

async function countTotal(
  context: ShopContext,
  query: ShipmentFilter,
  search: ShipmentSearch,
): Promise<{ total: number; isEstimate: boolean }> {
  const { page: _page, per_page: _perPage, sort: _sort, ...given } = query
  const rest = matchesToCount(context.shop.id, search)
  const counted = await countUpTo(context, `shipments ${context.shop.id} ${JSON.stringify(given)}`, rest)
  if (counted !== undefined) return { total: counted, isEstimate: false }
  return { total: Math.max(exactTotalLimit + 1, await estimateRows(context, rest)), isEstimate: true }
}
