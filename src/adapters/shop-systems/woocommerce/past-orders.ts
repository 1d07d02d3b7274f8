import type { Call } from '../../../platform/foundation/call.ts'
import { after, secondMs } from '../../../platform/foundation/clock.ts'
import {
  type PastOrder,
  type PastOrders,
  type PastPage,
  type PastPosition,
  type PastReading,
  pastFailure,
  withoutRead,
} from '../past-orders.ts'
import { type Fields, idOf, instantOf, textOf } from '../read-fields.ts'
import { completeOrders } from './details.ts'
import { readOrder } from './order.ts'
import { getFromStore, readList, type WooCommerceAccount } from './rest-api.ts'
import { isDraft } from './status.ts'

/** The most that WooCommerce returns. */
const pageSize = 100

/** For the details of one page, so that it is written long before the lease of its reader ends. */
const maxDetailCalls = 40

/** Reads orders by the REST API of a store, by the second they were created in. */
export function createPastOrders(call: Call, account: WooCommerceAccount): PastOrders {
  const list = async (
    filter: Record<string, string>,
    position: PastPosition | undefined,
    maxCalls?: number,
  ): Promise<PastPage> => {
    const response = await getFromStore(call, account, 'orders', {
      ...filter,
      status: 'any',
      orderby: 'date',
      order: 'asc',
      per_page: String(pageSize),
      page: '1',
    })
    const page = readList(response)
    if (page === undefined) return pastFailure('WooCommerce', response)
    const orders = await completeOrders(call, account, page, maxCalls)
    if (!Array.isArray(orders)) return orders
    const total = Number(response.headers['x-wp-total'])
    return {
      result: 'page',
      orders: withoutRead(orders.map(toPastOrder), position),
      isLast: page.length < pageSize && orders.length === page.length,
      total: position === undefined && Number.isSafeInteger(total) ? total : undefined,
      pauseMs: 0,
    }
  }

  return {
    fetchPage: (reading, position) => list(filterOf(reading, position), position, maxDetailCalls),
    fetchOrders: (ids) => list({ include: ids.join(',') }, undefined),
  }
}

/** `after` leaves out its own second, in which more orders may have been created than fitted on the page before. */
function filterOf(reading: PastReading, position: PastPosition | undefined): Record<string, string> {
  const last = position && instantOf(position.at)
  const since = after(reading.since, -secondMs)
  const from = last ? after(last, -secondMs) : reading.by === 'placed' ? since : undefined
  return {
    dates_are_gmt: 'true',
    ...(reading.by === 'placed' ? { before: gmtOf(reading.until) } : { modified_after: gmtOf(since) }),
    ...(from ? { after: gmtOf(from) } : {}),
    ...(last ? { exclude: position.ids.join(',') } : {}),
  }
}

/** WordPress reads times without an offset. */
function gmtOf(time: Date): string {
  return time.toISOString().slice(0, 19)
}

function toPastOrder(order: Fields): PastOrder {
  const id = idOf(order.id) ?? ''
  return {
    id,
    number: textOf(order.number, 255) ?? id,
    at: instantOf(order.date_created_gmt)?.toISOString() ?? '',
    read: () => (isDraft(order) ? undefined : readOrder(order, false)),
  }
}
