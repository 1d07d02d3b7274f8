import { findCarrier } from '../../adapters/carriers/find.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { offsetOf, type PageRequest, pageRequest } from '../../platform/foundation/page.ts'
import { instant } from '../../platform/foundation/schema.ts'
import type { OrderStatus } from '../orders/schema.ts'
import { type ListPaging, OrderList, OrderListQuery, ShipmentList, ShipmentListQuery } from './list-schema.ts'
import { countList, type ListSource, listIds } from './list-store.ts'
import { findMatches, type Matches } from './match-store.ts'
import { orderListSource } from './order-list-store.ts'
import { toOrderSummary, toShipmentSummary } from './present.ts'
import { shipmentListSource } from './shipment-list-store.ts'
import { findOrderSummaries, findShipmentSummaries } from './summary-store.ts'

/** How far a list can be paged through, and how many records an unindexed filter is applied to. */
const window = 10_000

const paging = `The total is exact up to 10,000, and an estimate above. Pages end there: narrow the filter to see others.`

export const listOrderSummaries = operation({
  name: 'listOrderSummaries',
  summary: 'List orders in short',
  description: `What a list on screen shows of each order and its parcels. ${paging} A status is looked for among the first 5,000 orders.`,
  area: 'Search',
  route: 'GET /v1/shops/{slug}/lists/orders',
  reads: 'replica',
  needs: 'viewer',
  query: OrderListQuery,
  reply: OrderList,
  async handle(context, { query }) {
    const request = boundedRequest(query)
    const matches = query.q === undefined ? undefined : await findMatches(context, query.q)
    const source = orderListSource(
      context.shop.id,
      {
        foundIds: matches && unique(matches.found.map(({ orderId }) => orderId)),
        statuses: query.status?.split(',') as OrderStatus[] | undefined, // the schema allows only these
        nothingToSend: query.nothing_to_send,
        handedOver: query.handed_over_without_tracking,
        placedFrom: instantOf(query.placed_from),
        placedTo: instantOf(query.placed_to),
        isDescending: query.sort !== 'placed_at',
      },
      window,
    )
    const { ids, pagination } = await readPage(context, { query, request, source, matches, name: 'orders' })
    const orders = await findOrderSummaries(context, ids)
    return { orders: ids.flatMap((id) => presented(orders.get(id), (row) => toOrderSummary(context, row))), pagination }
  },
})

export const listShipmentSummaries = operation({
  name: 'listShipmentSummaries',
  summary: 'List shipments in short',
  description: `What a list on screen shows of each parcel and its order. ${paging}`,
  area: 'Search',
  route: 'GET /v1/shops/{slug}/lists/shipments',
  reads: 'replica',
  needs: 'viewer',
  query: ShipmentListQuery,
  reply: ShipmentList,
  async handle(context, { query }) {
    const request = boundedRequest(query)
    const matches = query.q === undefined ? undefined : await findMatches(context, query.q)
    const sort = query.sort ?? '-updated_at'
    const source = shipmentListSource(
      context.shop.id,
      {
        found: matches && foundIn(matches),
        phases: query.phase?.split(','),
        flags: query.flag?.split(','),
        carrierReference: query.carrier_reference && carrierOf(query.carrier_reference),
        countryCode: query.country_code?.toUpperCase(),
        isReturn: query.is_return,
        includeDrafts: query.include_drafts ?? true,
        updatedFrom: instantOf(query.updated_from),
        updatedTo: instantOf(query.updated_to),
        createdFrom: instantOf(query.created_from),
        createdTo: instantOf(query.created_to),
        sortBy: sort.endsWith('created_at') ? 'created_at' : 'updated_at',
        isDescending: sort.startsWith('-'),
      },
      window,
    )
    const { ids, pagination } = await readPage(context, { query, request, source, matches, name: 'shipments' })
    const shipments = await findShipmentSummaries(context, ids)
    return {
      shipments: ids.flatMap((id) => presented(shipments.get(id), (row) => toShipmentSummary(context, row))),
      pagination,
    }
  },
})

interface ListRequest {
  name: 'orders' | 'shipments'
  query: OrderListQuery | ShipmentListQuery
  request: PageRequest
  source: ListSource
  matches: Matches | undefined
}

async function readPage(context: ShopContext, list: ListRequest): Promise<{ ids: string[]; pagination: ListPaging }> {
  const { request, source, matches } = list
  const found = await listIds(context, source, request)
  const hasNext = found.length > request.perPage
  const ids = found.slice(0, request.perPage)
  const { page: _page, per_page: _perPage, sort: _sort, ...given } = list.query
  const { total, isEstimate, isComplete } = await countList(
    context,
    `${list.name} ${context.shop.id} ${JSON.stringify(given)}`,
    source,
  )
  return {
    ids,
    pagination: {
      page: request.page,
      per_page: request.perPage,
      total,
      total_is_estimate: isEstimate || matches?.isCut === true,
      has_next: hasNext && offsetOf(request) + 2 * request.perPage <= window,
      has_previous: request.page > 1,
      is_complete: isComplete && matches?.isCut !== true,
    },
  }
}

function boundedRequest(query: OrderListQuery | ShipmentListQuery): PageRequest {
  const request = pageRequest(query)
  if (request.page * request.perPage > window) {
    throw invalid(
      ['query', 'page'],
      `must be within the first ${window.toLocaleString('en')} records; narrow the filter`,
    )
  }
  return request
}

/** All parcels of an order that was found, but of one that was found by a tracking number only that parcel. */
function foundIn({ found }: Matches): { orderIds: string[]; shipmentIds: string[] } {
  const byNumber = found.filter(({ shipmentId }) => shipmentId !== null)
  return {
    orderIds: unique(found.filter(({ shipmentId }) => shipmentId === null).map(({ orderId }) => orderId)),
    shipmentIds: unique(byNumber.flatMap(({ shipmentId }) => shipmentId ?? [])),
  }
}

function presented<Row, Shown>(row: Row | undefined, present: (row: Row) => Shown): Shown[] {
  return row === undefined ? [] : [present(row)] // none: deleted in the meantime
}

function unique(ids: string[]): string[] {
  return [...new Set(ids)]
}

function carrierOf(reference: string): string {
  return findCarrier(reference)?.reference ?? reference
}

function instantOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : instant(text)
}
