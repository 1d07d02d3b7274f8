import type { Call } from '../../../platform/foundation/call.ts'
import { type PastFailure, pastFailure } from '../past-orders.ts'
import { type Fields, fieldsOf, idOf } from '../read-fields.ts'
import { lacksFulfilments } from './fulfilments.ts'
import { lacksRefundedItems } from './refunds.ts'
import { getFromStore, readList, type WooCommerceAccount } from './rest-api.ts'

/** The most that WooCommerce returns, and how many pages of one order's refunds are read. */
const pageSize = 100
const maxPages = {
  refunds: 5,
  // All of them are on one page.
  fulfillments: 1,
}

/** The current state of the orders with these ids, with their details; those that no longer exist are missing. */
export async function fetchOrders(
  call: Call,
  account: WooCommerceAccount,
  ids: string[],
): Promise<Fields[] | PastFailure> {
  const response = await getFromStore(call, account, 'orders', {
    include: ids.join(','),
    status: 'any',
    per_page: String(ids.length),
  })
  const orders = readList(response)
  return orders ? completeOrders(call, account, orders) : pastFailure('WooCommerce', response)
}

/**
 * Adds to orders what their own form leaves out: which items were refunded, and WooCommerce's own fulfilments. Ends before
 * the order with which more calls would be made: the result has the orders up to there, one at least.
 */
export async function completeOrders(
  callStore: Call,
  account: WooCommerceAccount,
  orders: Fields[],
  maxCalls = Number.POSITIVE_INFINITY,
): Promise<Fields[] | PastFailure> {
  let calls = 0
  const call: Call = (request) => {
    calls += 1
    return callStore(request)
  }
  const complete: Fields[] = []
  for (const order of orders) {
    if (calls >= maxCalls) break
    const details: Fields = {}
    if (lacksRefundedItems(order)) {
      const refunds = await readDetails(call, account, order, 'refunds')
      if (refunds && 'result' in refunds) return refunds
      if (refunds) details.refunds = withItems(order, refunds)
    }
    if (lacksFulfilments(order)) {
      const fulfilments = await readDetails(call, account, order, 'fulfillments')
      if (fulfilments && 'result' in fulfilments) return fulfilments
      if (fulfilments) details.fulfillments = fulfilments
    }
    complete.push({ ...order, ...details })
  }
  return complete
}

/** Undefined if the key may not read them, or this WooCommerce has none: the order is read without them. */
async function readDetails(
  call: Call,
  account: WooCommerceAccount,
  order: Fields,
  name: keyof typeof maxPages,
): Promise<Fields[] | PastFailure | undefined> {
  const pages = maxPages[name]
  const details: Fields[] = []
  for (let page = 1; page <= pages; page += 1) {
    const query: Record<string, string> = pages === 1 ? {} : { per_page: String(pageSize), page: String(page) }
    const response = await getFromStore(call, account, `orders/${idOf(order.id)}/${name}`, query)
    if (response.status === 403 || response.status === 404) return undefined
    const list = readList(response)
    if (list === undefined) return pastFailure('WooCommerce', response)
    details.push(...list)
    if (list.length < pageSize) break
  }
  return details
}

/** The refunds of the order itself have their totals; one that was made since the order was read stays without items. */
function withItems(order: Fields, refunds: Fields[]): Fields[] {
  const known = new Map(refunds.map((refund) => [idOf(refund.id), refund]))
  const own = Array.isArray(order.refunds) ? order.refunds.map(fieldsOf) : []
  return own.map((refund) => {
    const { line_items } = known.get(idOf(refund.id)) ?? {}
    return line_items === undefined ? refund : { ...refund, line_items }
  })
}
