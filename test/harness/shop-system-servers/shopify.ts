import {
  type FakeSubscriptions,
  startShopifySubscriptions,
} from '../../conformance/fakes/shopify-subscriptions-server.ts'
import type { Payload } from '../shop-systems.ts'

export { accessToken } from '../../conformance/fakes/shopify-subscriptions-server.ts'

/** A Shopify shop on the loopback address: its GraphQL API, and the orders of its REST API. */
export interface FakeShopify extends FakeSubscriptions {
  orders: Payload[]
  /** Runs before each page of orders is returned; a response replaces the page. */
  beforePage: (() => { status: number; body: string; headers?: Record<string, string> } | undefined) | undefined
  /** Requests for pages of orders so far. */
  pages: number
}

const bucketSize = 40
const leakPerSecond = 2
const filters = ['status', 'created_at_min', 'created_at_max', 'updated_at_min', 'ids']

export async function startShopify(now: () => Date): Promise<FakeShopify> {
  const subscriptions = await startShopifySubscriptions()
  const fake: FakeShopify = Object.assign(subscriptions, { orders: [], beforePage: undefined, pages: 0 })
  let level = 0
  let leakedAt = now().getTime()

  fake.rest = ({ pathname, searchParams }) => {
    const isCount = pathname === '/admin/api/2026-10/orders/count.json'
    if (!isCount && pathname !== '/admin/api/2026-10/orders.json') return undefined
    // The leaky bucket: a request adds one, and two leave it per second.
    level = Math.max(0, level - ((now().getTime() - leakedAt) / 1_000) * leakPerSecond)
    leakedAt = now().getTime()
    if (level + 1 > bucketSize) {
      return { status: 429, body: '{"errors":"Exceeded 2 calls per second"}', headers: { 'retry-after': '2.0' } }
    }
    level += 1
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-shopify-shop-api-call-limit': `${Math.ceil(level)}/${bucketSize}`,
    }
    const unknown = [...searchParams.keys()].filter((name) => ![...filters, 'limit', 'since_id'].includes(name))
    if (unknown.length > 0)
      return { status: 400, body: JSON.stringify({ errors: { [unknown.join()]: 'unknown' } }), headers }
    const found = fake.orders.filter((order) => isWanted(order, searchParams))
    if (isCount) return { status: 200, body: JSON.stringify({ count: found.length }), headers }
    const limit = Number(searchParams.get('limit') ?? 50)
    if (!(limit >= 1 && limit <= 250)) return { status: 400, body: '{"errors":{"limit":"is too large"}}', headers }
    fake.pages += 1
    const other = fake.beforePage?.()
    if (other) return other
    const since = Number(searchParams.get('since_id') ?? 0)
    const page = found
      .filter(({ id }) => id > since)
      .sort((left, right) => left.id - right.id)
      .slice(0, limit)
    return { status: 200, body: JSON.stringify({ orders: page }), headers }
  }
  return fake
}

/** Without a status, Shopify returns open orders only. */
function isWanted(order: Payload, query: URLSearchParams): boolean {
  if (query.get('status') !== 'any' && (order.closed_at || order.cancelled_at)) return false
  const ids = query.get('ids')
  if (ids !== null && !ids.split(',').includes(String(order.id))) return false
  const created = Date.parse(order.created_at)
  const [from, to, changed] = ['created_at_min', 'created_at_max', 'updated_at_min'].map((name) => query.get(name))
  return (
    (!from || created >= Date.parse(from)) &&
    (!to || created <= Date.parse(to)) &&
    (!changed || Date.parse(order.updated_at) >= Date.parse(changed))
  )
}
