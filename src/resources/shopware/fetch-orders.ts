import type { Call } from '../../foundation/call.ts'
import { after, hourMs, minuteMs, secondMs } from '../../foundation/clock.ts'
import type { Context, ShopContext } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import type { Fields } from '../../shop-systems/read-fields.ts'
import type { AdminApi, FetchedOrders } from '../../shop-systems/shopware/admin-api.ts'
import { readOrder } from '../../shop-systems/shopware/order.ts'
import { applyReportedChange } from '../shop-systems/receive.ts'
import { findShop } from '../shops/store.ts'
import {
  claimQueue,
  deleteFetches,
  type FetchQueue,
  type FetchRow,
  finishFetch,
  listDueFetches,
  postponeFetch,
  releaseQueue,
} from './fetch-store.ts'
import { findAccount } from './store.ts'

/** Longer than the calls of one batch take together. */
const leaseMs = minuteMs

/** Orders of one request. After a failure it is one at a time, so that an order that makes Shopware fail does not block the others. */
const batchSize = 20

/** An order is dropped after about two weeks of failures. */
const maxAttempts = 40
/** An order that Shopware does not find is fetched this often: its database may lag behind its webhooks. */
const maxMisses = 3

export function claimDueQueue(context: Context): Promise<FetchQueue | undefined> {
  return claimQueue(context, after(context.now, leaseMs))
}

/** Fetches a batch of a claimed queue and ends the claim. Nothing is called inside a transaction. */
export async function fetchDueOrders(
  newContext: () => Context,
  api: AdminApi,
  call: Call,
  queue: FetchQueue,
): Promise<void> {
  const context = newContext()
  const { shop_id: shopId, failures } = queue
  const shop = await findShop(context, shopId)
  const account = await findAccount(context, shopId)
  if (shop === undefined || account === undefined) return deleteFetches(context, shopId)
  const due = await listDueFetches(context, shopId, failures === 0 ? batchSize : 1)
  if (due.length === 0) {
    return releaseQueue(context, shopId, { ...unchanged(queue), blockedUntil: context.now })
  }
  const ids = due.map(({ order_id }) => order_id)
  const response = await api.fetchOrders(call, account, ids).catch(unreachable)
  const now = newContext()
  if (response.result === 'failed') {
    for (const fetch of due) await retryOrGiveUp(now, fetch, maxAttempts)
    const pauseMs = response.retryAfterMs ?? Math.min(hourMs, 5 * secondMs * 2 ** Math.min(failures, 12))
    const outcome = { blockedUntil: after(now.now, pauseMs), failures: Math.min(failures + 1, 1_000) }
    now.log.warn({ shop: shop.slug, detail: response.detail }, 'orders could not be fetched from Shopware')
    return releaseQueue(now, shopId, { ...outcome, error: response.detail, fetchedAt: undefined })
  }
  const orders = new Map(response.orders.map((order) => [order.id, order]))
  for (const fetch of due) {
    await storeOrder({ ...newContext(), shop }, fetch, orders.get(fetch.order_id), response.sentAt)
  }
  const end = newContext()
  await releaseQueue(end, shopId, { blockedUntil: end.now, failures: 0, error: null, fetchedAt: end.now })
}

/** Stores one order, in a transaction of its own: one that cannot be stored does not block the others. */
async function storeOrder(
  context: ShopContext,
  fetch: FetchRow,
  order: Fields | undefined,
  sentAt: Date | undefined,
): Promise<void> {
  if (order === undefined && !fetch.is_deleted) return retryOrGiveUp(context, fetch, maxMisses)
  try {
    await inTransaction(context, async (context) => {
      if (order) {
        const reported = readOrder(order, 'order.written', sentAt ?? context.now)
        await applyReportedChange(context, 'shopware', { kind: 'order', order: reported })
      } else
        await applyReportedChange(context, 'shopware', {
          kind: 'order deleted',
          orderId: fetch.order_id,
          sentAt: undefined,
        })
      await finishFetch(context, fetch)
    })
  } catch (error) {
    if (error instanceof ApiError) {
      context.log.warn({ order: fetch.order_id, reason: error.message }, 'an order of Shopware was rejected')
      return finishFetch(context, fetch)
    }
    context.log.error({ err: error, order: fetch.order_id }, 'an order of Shopware will be fetched again')
    return retryOrGiveUp(context, fetch, maxAttempts)
  }
}

async function retryOrGiveUp(context: Context, fetch: FetchRow, most: number): Promise<void> {
  if (fetch.attempts + 1 >= most) return finishFetch(context, fetch)
  const pauseMs = Math.min(12 * hourMs, 5 * secondMs * 2 ** Math.min(fetch.attempts, 14))
  return postponeFetch(context, fetch, after(context.now, pauseMs))
}

function unchanged({ failures, last_error }: FetchQueue) {
  return { failures, error: last_error, fetchedAt: undefined }
}

function unreachable(error: unknown): FetchedOrders {
  const detail = `Shopware could not be reached: ${error instanceof Error ? error.message : String(error)}`
  return { result: 'failed', status: 0, detail, retryAfterMs: undefined }
}
