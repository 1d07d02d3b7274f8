import { randomBytes } from 'node:crypto'
import { createFakeServer, type FakeRequest, type FakeResponse } from '../../conformance/fake-server.ts'
import type { Reply } from '../service.ts'
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
  /** The keys of its API. */
  keys: Map<string, { secret: string; permissions: 'read' | 'read_write' }>
  webhooks: FakeWebhook[]
  /** Replaces the response to a request for webhooks. */
  beforeWebhook: ((request: FakeRequest) => FakeResponse | undefined) | undefined
  requests(): FakeRequest[]
  /** The merchant signs in and approves: returns where the store sends the browser. Throws what it shows otherwise. */
  approve(url: string, transport: GrantTransport): Promise<URL>
  close(): Promise<void>
}

export interface FakeWebhook {
  id: number
  name: string
  status: 'active' | 'paused' | 'disabled'
  topic: string
  delivery_url: string
  secret: string
}

/** How the store's request with the key reaches us. */
export type GrantTransport = (url: string, headers: Record<string, string>, body: string) => Promise<Reply>

const headers = { 'content-type': 'application/json; charset=UTF-8' }
const parameters = [
  'after',
  'before',
  'dates_are_gmt',
  'exclude',
  'include',
  'modified_after',
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
    keys: new Map([[consumerKey, { secret: consumerSecret, permissions: 'read_write' }]]),
    webhooks: [],
    beforeWebhook: undefined,
    requests: () => server.requests,
    approve: (url, transport) => approve(fake, url, transport),
    close: () => server.stop(),
  }
  return fake
}

/** The steps of a store's wc-auth, in its order: the key exists before it is sent, and is deleted after a failure. */
async function approve(fake: FakeWooCommerce, url: string, transport: GrantTransport): Promise<URL> {
  const { origin, pathname, searchParams } = new URL(url)
  if (origin !== fake.url || pathname !== '/wc-auth/v1/authorize') throw new Error(`${url} is no page of this store`)
  const given = (name: string) => {
    const value = searchParams.get(name) ?? ''
    if (value === '') throw new Error(`Error: Missing parameter ${name}.`)
    return value
  }
  const [app, state, back, callback] = [given('app_name'), given('user_id'), given('return_url'), given('callback_url')]
  if (given('scope') !== 'read_write') throw new Error('the scope is wrong')
  if (!callback.startsWith('https://')) throw new Error('Error: The callback_url needs to be over SSL.')
  // What WordPress would change in a parameter is lost.
  if (/[^\w.@ -]/.test(state) || app.includes('<')) throw new Error('a parameter does not survive sanitize_text_field')
  const hash = (prefix: string) => `${prefix}_${randomBytes(20).toString('hex')}`
  const [key, secret] = [hash('ck'), hash('cs')]
  fake.keys.set(key, { secret, permissions: 'read_write' })
  const body = JSON.stringify({
    key_id: fake.keys.size,
    user_id: state,
    consumer_key: key,
    consumer_secret: secret,
    key_permissions: 'read_write',
  })
  const reply = await transport(callback, { 'content-type': 'application/json;charset=UTF-8' }, body)
  if (reply.status !== 200) {
    fake.keys.delete(key)
    throw new Error('Error: An error occurred in the request and at the time were unable to send the consumer data.')
  }
  const target = new URL(back)
  target.searchParams.set('success', '1')
  target.searchParams.set('user_id', state)
  return target
}

function respond(fake: FakeWooCommerce, request: FakeRequest): FakeResponse {
  const { method, path, query, headers: sent } = request
  const reply = (status: number, body: unknown, more: Record<string, string> = {}): FakeResponse => {
    return { status, headers: { ...headers, ...more }, body: JSON.stringify(body) }
  }
  const failed = (status: number, code: string, message: string) => reply(status, { code, message, data: { status } })
  const isWebhook = /^\/wp-json\/wc\/v3\/webhooks(\/\d+)?$/.test(path)
  if ((method !== 'GET' && !isWebhook) || !path.startsWith('/wp-json/wc/v3/')) {
    return failed(404, 'rest_no_route', 'No route was found matching the URL and request method.')
  }
  const basic = Buffer.from(sent.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString()
  const [name = '', secret] = basic.split(':')
  const key = fake.keys.get(name)
  if (key === undefined) return failed(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
  const rejected = (message: string) => failed(401, 'woocommerce_rest_authentication_error', message)
  if (key.secret !== secret) return rejected('Consumer secret is invalid.')
  if (method !== 'GET' && key.permissions === 'read') {
    return rejected('The API key provided does not have write permissions.')
  }
  const other = fake.intercept?.(path.slice('/wp-json/wc/v3/'.length))
  if (other) return other
  if (isWebhook) return fake.beforeWebhook?.(request) ?? respondToWebhook(fake, request)
  if (path === '/wp-json/wc/v3/system_status') {
    return reply(200, {
      environment: { site_url: fake.url, version: '9.4.1' },
      settings: { currency: 'EUR' },
    })
  }
  const detail = /^\/wp-json\/wc\/v3\/orders\/(\d+)\/(refunds|fulfillments)$/.exec(path)
  if (detail) {
    const wanted = { orderId: Number(detail[1]), name: detail[2] ?? '', query }
    return respondDetails(fake, wanted, reply, failed)
  }
  if (path !== '/wp-json/wc/v3/orders') return failed(404, 'rest_no_route', 'No route was found.')
  const wrong = [...query.keys()].filter((name) => !parameters.includes(name))
  const perPage = Number(query.get('per_page') ?? 10)
  if (wrong.length > 0 || perPage > 100) {
    return failed(400, 'rest_invalid_param', `Invalid parameter(s): ${[...wrong, 'per_page'].join(', ')}`)
  }
  if (['after', 'modified_after', 'include'].some((name) => query.has(name))) {
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

const webhookParameters = ['order', 'orderby', 'page', 'per_page', 'status']
const validTopic = /^(coupon|customer|order|product)\.(created|updated|deleted|restored)$/

/** The secret is never shown; a new webhook is active, whatever the request says. */
function respondToWebhook(fake: FakeWooCommerce, { method, path, query, body }: FakeRequest): FakeResponse {
  const reply = (status: number, content: unknown, more: Record<string, string> = {}): FakeResponse => {
    return { status, headers: { ...headers, ...more }, body: JSON.stringify(content) }
  }
  const failed = (code: string) => reply(400, { code, message: 'Sorry.', data: { status: 400 } })
  const shown = ({ secret: _, ...webhook }: FakeWebhook) => {
    const [resource, event] = webhook.topic.split('.')
    return { ...webhook, resource, event, hooks: [], date_created: '2026-11-01T08:30:00', _links: {} }
  }
  const id = Number(path.split('/').at(-1))
  if (method === 'GET') {
    const wrong = [...query.keys()].filter((name) => !webhookParameters.includes(name))
    const perPage = Number(query.get('per_page') ?? 10)
    if (wrong.length > 0 || perPage > 100) return failed('rest_invalid_param')
    const from = (Number(query.get('page') ?? 1) - 1) * perPage
    const sorted = [...fake.webhooks].sort((left, right) => left.id - right.id)
    if (query.get('order') !== 'asc') sorted.reverse()
    const total = { 'x-wp-total': String(sorted.length), 'x-wp-totalpages': String(Math.ceil(sorted.length / perPage)) }
    return reply(200, sorted.slice(from, from + perPage).map(shown), total)
  }
  const given = JSON.parse(body)
  if (given.topic !== undefined && !validTopic.test(given.topic)) {
    return failed('woocommerce_rest_shop_webhook_invalid_topic')
  }
  if (method === 'POST') {
    if (!/^https?:\/\//.test(given.delivery_url ?? '')) {
      return failed('woocommerce_rest_shop_webhook_invalid_delivery_url')
    }
    const { name, topic, delivery_url, secret } = given
    const webhook: FakeWebhook = { id: 1 + fake.webhooks.length, name, status: 'active', topic, delivery_url, secret }
    fake.webhooks.push(webhook)
    return reply(201, shown(webhook))
  }
  const known = fake.webhooks.find((webhook) => webhook.id === id)
  if (known === undefined) return failed('woocommerce_rest_shop_webhook_invalid_id')
  Object.assign(known, given)
  return reply(200, shown(known))
}

/** Without dates_are_gmt, WordPress would compare with the store's own time, which no caller knows. */
function isWanted(order: Payload, query: URLSearchParams): boolean {
  const [after, before, modified] = ['after', 'before', 'modified_after'].map((name) => query.get(name))
  if ((after || before || modified) && query.get('dates_are_gmt') !== 'true')
    throw new Error('dates_are_gmt is missing')
  const [exclude, include] = [idsIn(query.get('exclude')), idsIn(query.get('include'))]
  return (
    !exclude.includes(order.id) &&
    (include.length === 0 || include.includes(order.id)) &&
    (!modified || Date.parse(`${order.date_modified_gmt}Z`) > Date.parse(`${modified}Z`)) &&
    (!after || timeOf(order) > Date.parse(`${after}Z`)) &&
    (!before || timeOf(order) < Date.parse(`${before}Z`))
  )
}

function idsIn(text: string | null): number[] {
  return (text ?? '').split(',').filter(Boolean).map(Number)
}

/** Refunds are paged, newest first; fulfilments are not. */
function respondDetails(
  fake: FakeWooCommerce,
  { orderId, name, query }: { orderId: number; name: string; query: URLSearchParams },
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
