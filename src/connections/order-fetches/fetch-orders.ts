import { after, hourMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findShop } from '../../shops/shops/store.ts'
import type { FetchedOrder, FetchedOrders, OrderSource } from './source.ts'
import {
  deleteFetches,
  type FetchQueue,
  type FetchRow,
  finishFetch,
  leaseQueue,
  listDueFetches,
  postponeFetch,
  releaseQueue,
} from './store.ts'

/** An order is dropped after about two weeks of failures. */
const maxAttempts = 40
/** An order that the system does not find is fetched this often: its database may lag behind its webhooks. */
const maxMisses = 3

export function leaseDueQueue(context: Context, { system, leaseMs }: OrderSource): Promise<FetchQueue | undefined> {
  return leaseQueue(context, system, after(context.now, leaseMs))
}

/** Fetches a batch of a leased queue and ends the lease. Nothing is called inside a transaction. */
export async function fetchDueOrders(newContext: () => Context, source: OrderSource, queue: FetchQueue): Promise<void> {
  const context = newContext()
  const { system } = source
  const { shop_id: shopId, failures } = queue
  const shop = await findShop(context, shopId)
  const fetchOrders = shop && (await source.connect({ ...context, shop }))
  if (shop === undefined || fetchOrders === undefined) return deleteFetches(context, system, shopId)
  const due = await listDueFetches(context, system, shopId, failures === 0 ? source.batchSize : 1)
  if (due.length === 0) {
    return releaseQueue(context, system, shopId, { ...unchanged(queue), blockedUntil: context.now })
  }
  const response = await fetchOrders(due.map(({ order_id }) => order_id)).catch((error) => unreachable(source, error))
  const now = newContext()
  if (response.result === 'failed') {
    for (const fetch of due) await retryOrGiveUp(now, source, fetch, maxAttempts)
    const pauseMs = response.retryAfterMs ?? Math.min(hourMs, 5 * secondMs * 2 ** Math.min(failures, 12))
    const outcome = { blockedUntil: after(now.now, pauseMs), failures: Math.min(failures + 1, 1_000) }
    now.log.warn({ shop: shop.slug, system, detail: response.detail }, 'orders could not be fetched')
    return releaseQueue(now, system, shopId, { ...outcome, error: response.detail, fetchedAt: undefined })
  }
  for (const fetch of due) {
    await storeOrder({ ...newContext(), shop }, source, fetch, response.orders.get(fetch.order_id))
  }
  const end = newContext()
  await releaseQueue(end, system, shopId, { blockedUntil: end.now, failures: 0, error: null, fetchedAt: end.now })
}

/** Stores one order, in a transaction of its own: one that cannot be stored does not block the others. */
async function storeOrder(
  context: ShopContext,
  source: OrderSource,
  fetch: FetchRow,
  read: FetchedOrder | undefined,
): Promise<void> {
  const { system } = source
  if (read === undefined && !fetch.is_deleted) return retryOrGiveUp(context, source, fetch, maxMisses)
  try {
    await inTransaction(context, async (context) => {
      if (read === undefined) {
        await source.apply(context, { kind: 'order deleted', orderId: fetch.order_id, sentAt: undefined })
      } else {
        const order = read(context.now)
        if (order) await source.apply(context, { kind: 'order', order })
      }
      await finishFetch(context, system, fetch)
    })
  } catch (error) {
    if (error instanceof ApiError) {
      context.log.warn({ system, order: fetch.order_id, reason: error.message }, 'a fetched order was rejected')
      return finishFetch(context, system, fetch)
    }
    context.log.error({ err: error, system, order: fetch.order_id }, 'an order will be fetched again')
    return retryOrGiveUp(context, source, fetch, maxAttempts)
  }
}

async function retryOrGiveUp(context: Context, { system }: OrderSource, fetch: FetchRow, most: number): Promise<void> {
  if (fetch.attempts + 1 >= most) return finishFetch(context, system, fetch)
  const pauseMs = Math.min(12 * hourMs, 5 * secondMs * 2 ** Math.min(fetch.attempts, 14))
  return postponeFetch(context, system, fetch, after(context.now, pauseMs))
}

function unchanged({ failures, last_error }: FetchQueue) {
  return { failures, error: last_error, fetchedAt: undefined }
}

function unreachable({ name }: OrderSource, error: unknown): FetchedOrders {
  const detail = `${name} could not be reached: ${error instanceof Error ? error.message : String(error)}`
  return { result: 'failed', detail, retryAfterMs: undefined }
}
