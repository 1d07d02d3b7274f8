import { createFakeServer, type FakeRequest, type FakeResponse } from '../../conformance/fake-server.ts'
import type { Payload } from '../shop-systems.ts'

export const consumerKey = 'ck_0123456789abcdef0123456789abcdef01234567'
export const consumerSecret = 'cs_0123456789abcdef0123456789abcdef01234567'

/** A WooCommerce store on the loopback address, with the orders of its REST API. */
export interface FakeWooCommerce {
  url: string
  orders: Payload[]
  /** Runs before each page of orders is returned; a response replaces the page. */
  beforePage: (() => FakeResponse | undefined) | undefined
  pages: number
  /** By the id of their order. Without a list of fulfilments, this WooCommerce has none: the feature is off. */
  refunds: Map<number, Payload[]>
  fulfilments: Map<number, Payload[]> | undefined
  /** Replaces the response to a path below `/wp-json/wc/v3/`. */
  intercept: ((path: string) => FakeResponse | undefined) | undefined
  requests(): FakeRequest[]
  close(): Promise<void>
}

const headers = { 'content-type': 'application/json; charset=UTF-8' }
const parameters = [
  'after',
  'before',
  'dates_are_gmt',
  'exclude',
  'include',
  'order',
  'orderby',
  'page',
  'per_page',
  'status',
  '_fields',
]

export async function startWooCommerce(): Promise<FakeWooCommerce> {
  const server = createFakeServer()
  await server.start()
  server.reset((request) => respond(fake, request))
  const fake: FakeWooCommerce = {
    url: server.baseUrl,
    orders: [],
    beforePage: undefined,
    pages: 0,
    refunds: new Map(),
    fulfilments: new Map(),
    intercept: undefined,
    requests: () => server.requests,
    close: () => server.stop(),
  }
  return fake
}

function respond(fake: FakeWooCommerce, { method, path, query, headers: sent }: FakeRequest): FakeResponse {
  const reply = (status: number, body: unknown, more: Record<string, string> = {}): FakeResponse => {
    return { status, headers: { ...headers, ...more }, body: JSON.stringify(body) }
  }
  const failed = (status: number, code: string, message: string) => reply(status, { code, message, data: { status } })
  if (method !== 'GET' || !path.startsWith('/wp-json/wc/v3/')) {
    return failed(404, 'rest_no_route', 'No route was found matching the URL and request method.')
  }
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
  if (sent.authorization !== `Basic ${basic}`) {
    return failed(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
  }
  const other = fake.intercept?.(path.slice('/wp-json/wc/v3/'.length))
  if (other) return other
  if (path === '/wp-json/wc/v3/system_status') {
    return reply(200, {
      environment: { site_url: fake.url, version: '9.4.1' },
      settings: { currency: 'EUR' },
    })
  }
  const detail = /^\/wp-json\/wc\/v3\/orders\/(\d+)\/(refunds|fulfillments)$/.exec(path)
  if (detail) return respondDetails(fake, Number(detail[1]), detail[2] ?? '', query, reply, failed)
  if (path !== '/wp-json/wc/v3/orders') return failed(404, 'rest_no_route', 'No route was found.')
  const wrong = [...query.keys()].filter((name) => !parameters.includes(name))
  const perPage = Number(query.get('per_page') ?? 10)
  if (wrong.length > 0 || perPage > 100) {
    return failed(400, 'rest_invalid_param', `Invalid parameter(s): ${[...wrong, 'per_page'].join(', ')}`)
  }
  if (query.has('after')) {
    fake.pages += 1
    const other = fake.beforePage?.()
    if (other) return other
  }
  const found = fake.orders
    .filter((order) => isWanted(order, query))
    .sort((left, right) => timeOf(left) - timeOf(right) || left.id - right.id)
  if (query.get('order') !== 'asc') found.reverse()
  const page = Number(query.get('page') ?? 1)
  const fields = query.get('_fields')?.split(',')
  const shown = found.slice((page - 1) * perPage, page * perPage)
  return reply(
    200,
    fields ? shown.map((order) => Object.fromEntries(fields.map((name) => [name, order[name]]))) : shown,
    { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(Math.ceil(found.length / perPage)) },
  )
}

/** Without dates_are_gmt, WordPress would compare with the store's own time, which no caller knows. */
function isWanted(order: Payload, query: URLSearchParams): boolean {
  const [after, before] = [query.get('after'), query.get('before')]
  if ((after || before) && query.get('dates_are_gmt') !== 'true') throw new Error('dates_are_gmt is missing')
  const [exclude, include] = [idsIn(query.get('exclude')), idsIn(query.get('include'))]
  return (
    !exclude.includes(order.id) &&
    (include.length === 0 || include.includes(order.id)) &&
    (after === null || timeOf(order) > Date.parse(`${after}Z`)) &&
    (before === null || timeOf(order) < Date.parse(`${before}Z`))
  )
}

function idsIn(text: string | null): number[] {
  return (text ?? '').split(',').filter(Boolean).map(Number)
}

/** Refunds are paged, newest first; fulfilments are not. */
function respondDetails(
  fake: FakeWooCommerce,
  orderId: number,
  name: string,
  query: URLSearchParams,
  reply: (status: number, body: unknown) => FakeResponse,
  failed: (status: number, code: string, message: string) => FakeResponse,
): FakeResponse {
  if (name === 'fulfillments' && fake.fulfilments === undefined) {
    return failed(404, 'rest_no_route', 'No route was found matching the URL and request method.')
  }
  if (!fake.orders.some(({ id }) => id === orderId)) {
    return failed(404, 'woocommerce_rest_order_invalid_id', 'Invalid order ID.')
  }
  if (name === 'fulfillments') return reply(200, fake.fulfilments?.get(orderId) ?? [])
  const perPage = Number(query.get('per_page') ?? 10)
  if (perPage > 100) return failed(400, 'rest_invalid_param', 'Invalid parameter(s): per_page')
  const from = (Number(query.get('page') ?? 1) - 1) * perPage
  return reply(200, (fake.refunds.get(orderId) ?? []).toReversed().slice(from, from + perPage))
}

function timeOf(order: Payload): number {
  return Date.parse(`${order.date_created_gmt}Z`)
}
