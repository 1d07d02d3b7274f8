import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import { secondMs } from '../../../platform/foundation/clock.ts'
import { redactSecrets } from '../../../platform/foundation/secrets.ts'
import { adminGetRequest } from '../../vendors/shopify-admin.ts'
import { parseExactly } from '../exact-json.ts'
import { type PastOrder, type PastOrders, type PastPage, type PastReading, pastFailure } from '../past-orders.ts'
import { type Fields, fieldsOf, idOf, isFields, textOf } from '../read-fields.ts'
import { exactId } from './ids.ts'
import { readOrder } from './order.ts'
import type { ShopifyAccount } from './subscriptions.ts'

/** Shopify allows 250; orders of many items are large. */
const pageSize = 100

/** The bucket loses two requests per second; at this share of it, we leave the rest to the shop's other apps. */
const leakPerSecond = 2
const usableShare = 0.75

/**
 * Reads orders by Shopify's REST API, because its orders are those of the webhooks, field by field. With `since_id` they
 * come in the order of their ids, so the last id is the position.
 */
export function createPastOrders(call: Call, account: ShopifyAccount): PastOrders {
  const { shopUrl, accessToken } = account
  const get = (path: string, query: Record<string, string>) =>
    redactSecrets(call, [accessToken])(adminGetRequest(shopUrl, accessToken, path, query))

  const list = async (query: Record<string, string>, total?: number): Promise<PastPage> => {
    const response = await get('orders.json', { ...query, limit: String(pageSize) })
    const orders = response.status === 200 ? listOrders(response.body) : undefined
    if (orders === undefined) return pastFailure('Shopify', response)
    return {
      result: 'page',
      orders: orders.map(toPastOrder),
      isLast: orders.length < pageSize,
      total,
      pauseMs: pauseOf(response),
    }
  }

  return {
    async fetchPage(reading, position) {
      const isCounted = reading.by === 'placed' && position === undefined
      const total = isCounted ? await countOrders(get, reading) : undefined
      if (total !== undefined && typeof total !== 'number') return pastFailure('Shopify', total)
      return list({ ...filterOf(reading), since_id: position?.ids.at(-1) ?? '0' }, total)
    },
    fetchOrders: (ids) => list({ status: 'any', ids: ids.join(',') }),
  }
}

async function countOrders(
  get: (path: string, query: Record<string, string>) => Promise<CallResponse>,
  reading: PastReading,
): Promise<number | CallResponse> {
  const response = await get('orders/count.json', filterOf(reading))
  const { count } = response.status === 200 ? fieldsOf(parsed(response.body)) : {}
  return typeof count === 'number' ? count : response
}

/** Without a status, Shopify returns open orders only. */
function filterOf(reading: PastReading): Record<string, string> {
  const since = reading.since.toISOString()
  if (reading.by === 'changed') return { status: 'any', updated_at_min: since }
  return { status: 'any', created_at_min: since, created_at_max: reading.until.toISOString() }
}

function toPastOrder(order: Fields): PastOrder {
  const id = exactId(order.id, order.admin_graphql_api_id, 'Order') ?? ''
  return {
    id,
    number: textOf(order.name, 255) ?? idOf(order.order_number) ?? id,
    at: textOf(order.created_at, 64) ?? '',
    read: () => readOrder(order, undefined),
  }
}

function listOrders(body: string): Fields[] | undefined {
  const { orders } = fieldsOf(parsed(body))
  return Array.isArray(orders) ? orders.filter(isFields) : undefined
}

function parsed(body: string): unknown {
  try {
    return parseExactly(body)
  } catch {
    return undefined
  }
}

/** `X-Shopify-Shop-Api-Call-Limit: 32/40` is how full the bucket is. */
function pauseOf({ headers }: CallResponse): number {
  const [used = Number.NaN, size = Number.NaN] = (headers['x-shopify-shop-api-call-limit'] ?? '').split('/').map(Number)
  const excess = used - size * usableShare
  return excess > 0 ? Math.ceil((excess / leakPerSecond) * secondMs) : 0
}
