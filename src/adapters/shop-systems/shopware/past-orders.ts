import type { Call } from '../../../platform/foundation/call.ts'
import { checkResultOf } from '../../../platform/foundation/connection-check.ts'
import { asList, readObject } from '../../../platform/foundation/read-json.ts'
import {
  type PastFailure,
  type PastOrder,
  type PastOrders,
  type PastPage,
  type PastPosition,
  type PastReading,
  pastFailure,
  withoutRead,
} from '../past-orders.ts'
import { type Fields, instantOf, isFields, textOf } from '../read-fields.ts'
import { type AdminApi, associations, type FetchFailure, readDate, type ShopwareAccount } from './admin-api.ts'
import { readOrder } from './order.ts'

/** Orders with all their associations are large, and Shopware builds them in memory. */
const pageSize = 50

/** Reads orders by Shopware's Admin API, by the time they were placed. */
export function createPastOrders(call: Call, api: AdminApi, account: ShopwareAccount): PastOrders {
  const search = async (criteria: object, position: PastPosition | undefined): Promise<PastPage> => {
    const body = { ...criteria, limit: pageSize, associations }
    const response = await api.send(call, account, { method: 'POST', path: '/search/order', body })
    if ('result' in response) return tokenFailure(response)
    const content = response.status === 200 ? readObject(response.body) : undefined
    const data = asList(content?.data)
    if (data === undefined) return pastFailure('Shopware', response)
    const orders = data.filter(isFields)
    const sentAt = readDate(response.headers.date)
    return {
      result: 'page',
      orders: withoutRead(
        orders.map((order) => toPastOrder(order, sentAt)),
        position,
      ),
      isLast: data.length < pageSize,
      total: position === undefined && typeof content?.total === 'number' ? content.total : undefined,
      pauseMs: 0,
    }
  }

  return {
    fetchPage(reading, position) {
      const criteria = {
        page: 1,
        // 1 counts exactly, which costs a query: once is enough.
        'total-count-mode': reading.by === 'placed' && position === undefined ? 1 : 0,
        filter: [filterOf(reading), ...after(position)],
        sort: [
          { field: 'orderDateTime', order: 'ASC' },
          { field: 'id', order: 'ASC' },
        ],
      }
      return search(criteria, position)
    },
    fetchOrders: (ids) => search({ ids, 'total-count-mode': 0 }, undefined),
  }
}

/** Whose times move when somebody changes an order, its parcels or its payment: Shopware writes each on its own. */
const changedFields = [
  'orderDateTime',
  'createdAt',
  'updatedAt',
  ...['deliveries', 'transactions'].flatMap((name) => [`${name}.createdAt`, `${name}.updatedAt`]),
]

function filterOf(reading: PastReading): object {
  const gte = reading.since.toISOString()
  const range = (field: string, parameters: object) => ({ type: 'range', field, parameters })
  if (reading.by === 'placed') return range('orderDateTime', { gte, lte: reading.until.toISOString() })
  return { type: 'multi', operator: 'or', queries: changedFields.map((field) => range(field, { gte })) }
}

function after(position: PastPosition | undefined): object[] {
  if (position === undefined) return []
  const known = { type: 'equalsAny', field: 'id', value: position.ids.join('|') }
  return [
    { type: 'range', field: 'orderDateTime', parameters: { gte: position.at } },
    { type: 'not', operator: 'and', queries: [known] },
  ]
}

function toPastOrder(order: Fields, sentAt: Date | undefined): PastOrder {
  const id = textOf(order.id, 255) ?? ''
  const at = textOf(order.orderDateTime, 64) ?? ''
  return {
    id,
    number: textOf(order.orderNumber, 255) ?? id,
    at: instantOf(at)?.toISOString() ?? at,
    read: () => readOrder(order, 'order.written', sentAt),
  }
}

/** RFC 6749 allows 400 for a client that is not known. */
function tokenFailure({ status, detail, retryAfterMs }: FetchFailure): PastFailure {
  const result = checkResultOf(status === 400 ? 401 : status)
  return { result: 'failed', failure: result === 'ok' ? 'unreachable' : result, status, detail, retryAfterMs }
}
