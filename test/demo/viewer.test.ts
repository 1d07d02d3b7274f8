import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleOf } from '../../src/http/example.ts'
import { pathSchema } from '../../src/http/read-input.ts'
import { mailGroups } from '../../src/messages/customer-mail/groups.ts'
import { operations } from '../../src/operations.ts'
import { parsePageToken } from '../../src/orders/page-addresses/page-token.ts'
import type { Service } from '../../src/service.ts'
import { basicOf, callTool, connectAgent } from '../harness/agents.ts'
import { openTestDatabase, startTestService, call as toService } from '../harness/service.ts'

type Auth = { username: string; apiKey: string }

let service: Service
let shopId: string
const auth: Record<string, Auth> = {}

const call = (role: string, method: string, path: string, options: { body?: unknown; query?: object } = {}) =>
  toService(method, `/v1/shops/demo${path}`, { ...(auth[role] && { auth: auth[role] }), ...options } as never, service)
const get = (role: string, path: string) => call(role, 'GET', path)

/** Orders without a page of the shop's own, and where an event of each is in the feed. */
const order = {
  order_number: 'VIEWED-1',
  zip_code: '10115',
  email_id: 'viewed@customer.example',
  uuid: '',
  shipment: '',
}
let url = ''
const lookupUrl = 'https://doorstep.example/track/demo'
let cursor = ''

beforeAll(async () => {
  service = await startTestService({ DEMO: '1', NODE_ENV: 'production' }, await openTestDatabase())
  await service.demo
  for (const role of ['viewer', 'editor', 'admin']) {
    const { body } = await call('superadmin', 'POST', '/api-keys', { body: { role } })
    auth[role] = { username: body.username, apiKey: body.secret }
  }
  shopId = (await get('editor', '')).body.uuid
  await call('admin', 'PATCH', '/settings/mail', { body: { click_counting: true } })
  cursor = (await get('editor', '/events?after=latest')).body.next
  const { order_number, zip_code, email_id } = order
  const products = [{ title: 'Jacket', quantity: 1 }]
  const trackings = [{ tracking_number: 'VIEWEDPARCEL1', carrier_reference: 'dhl', products }]
  const created = await call('editor', 'PUT', '/orders', {
    body: { id: order_number, order: { order_number, zip_code, email_id, products }, trackings },
  })
  expect(created.status, created.text).toBe(200)
  const [stored] = (await get('editor', `/orders?order_number=${order_number}`)).body
  expect(stored.order_status_url).toBeNull()
  Object.assign(order, { uuid: stored.uuid, shipment: stored.trackings[0].uuid })
  url = (await call('editor', 'POST', '/orders/trackpage-url', { body: { id: order_number } })).body.url
  await call('editor', 'POST', '/shipment-events?notify=true', {
    body: { id: 'VIEWEDPARCEL1', event_name: 'OUT_FOR_DELIVERY' },
  })
  const claim = { tracking_number: 'VIEWEDPARCEL1', reason: 'damage', description: `See ${url}` }
  expect((await call('editor', 'POST', '/claims', { body: claim })).status).toBe(200)
  // The address in notes of the shop's people, and in an order that a shop system sends back to us.
  const note = { order_id: order.uuid, text: `The customer's page is ${url}?lang=de` }
  expect((await call('editor', 'POST', '/notes', { body: note })).status).toBe(200)
  const given = { order_number: 'VIEWED-2', zip_code, email_id, order_status_url: url, order_analytics: { page: url } }
  const second = await call('editor', 'PUT', '/orders', { body: { id: 'VIEWED-2', order: given, trackings: [] } })
  expect(second.status, second.text).toBe(200)
})

afterAll(() => service.stop())

/** Tokens of pages of the shop in a text, also in what it has in base64: our links in messages carry their target so. */
function tokensIn(text: string, depth = 1): string[] {
  return [...text.matchAll(/[A-Za-z0-9_-]{64,}/g)].flatMap(([run]) => {
    const found: string[] = []
    for (let start = 0; start + 64 <= run.length; start += 1) {
      const token = run.slice(start, start + 64)
      if (parsePageToken(token)?.shopId === shopId) found.push(token)
    }
    if (depth === 0) return found
    return [...found, ...tokensIn(Buffer.from(run, 'base64url').toString('latin1'), depth - 1)]
  })
}

/** Addresses of an operation with ids that there are: of the first two rows of the list above it. */
async function addressesOf(path: string, example: Record<string, string>): Promise<string[]> {
  const own: Record<string, string[]> = { slug: ['demo'], order_id: [order.uuid], shipment_id: [order.shipment] }
  let addresses = ['']
  for (const part of path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    const next: string[] = []
    for (const address of addresses) {
      const values = name === undefined ? [part] : [...(own[name] ?? []), ...(await idsIn(address))]
      if (name !== undefined && values.length === 0) values.push(example[name] ?? 'x')
      next.push(...values.map((value) => `${address}/${name === undefined ? value : encodeURIComponent(value)}`))
    }
    addresses = next
  }
  return addresses
}

async function idsIn(address: string): Promise<string[]> {
  if (address === '/v1/shops') return []
  const { status, body } = await toService('GET', address, {}, service)
  if (status !== 200) return []
  const rows = Array.isArray(body) ? body : Object.values(body ?? {}).find(Array.isArray)
  return (rows ?? [])
    .slice(0, 2)
    .flatMap((row: Record<string, string> | string) => (typeof row === 'string' ? [] : (row.uuid ?? row.id ?? [])))
}

describe('what a viewer of the demo shop gets', () => {
  it('has no secret of a customer’s page in any reply, and an editor gets it', async () => {
    const readable = operations.filter(({ method, path }) => method === 'GET' && path.includes('{slug}'))
    expect(readable.length).toBeGreaterThan(80)
    const answered = new Set<string>()
    const replies = { viewer: new Set<string>(), editor: new Set<string>() }
    for (const operation of readable) {
      const example = exampleOf(pathSchema(operation)) as Record<string, string> // of an object of texts
      for (const address of await addressesOf(operation.path, example)) {
        for (const role of ['viewer', 'editor'] as const) {
          const query = operation.name === 'listEvents' ? { query: { after: cursor } } : {}
          const { status, text } = await toService('GET', address, { auth: auth[role] as Auth, ...query }, service)
          if (role === 'viewer' && status === 200) answered.add(operation.name)
          if (tokensIn(text).length > 0) replies[role].add(operation.name)
        }
      }
    }
    expect([...replies.viewer]).toEqual([])
    expect([...replies.editor]).toEqual(expect.arrayContaining(['listEvents', 'getOrder', 'searchOrders', 'getClaim']))
    expect([...replies.editor]).not.toContain('previewOrderPage')
    expect(answered.size).toBeGreaterThan(60)
    for (const name of [
      'getOrderTimeline',
      'previewOrderPage',
      'exportShipments',
      'getCampaign',
      'getOffers',
      'getRouteMap',
    ])
      expect([...answered]).toContain(name)
  })

  it('has no address of ours in events, and that of the shop where it gave one', async () => {
    const read = async (role: string) => (await get(role, `/events?after=${cursor}`)).body.events
    const [seen, whole] = [await read('viewer'), await read('editor')]
    expect(seen.length).toBe(whole.length)
    const ours = whole.filter(({ context }: Event) => context.order.order_number === order.order_number)
    expect(ours.length).toBeGreaterThanOrEqual(3)
    for (const [index, event] of whole.entries()) {
      if (event.context.order.order_number !== order.order_number) continue
      expect(event.context.order.order_status_url).toBe(url)
      expect(seen[index].context.order.order_status_url).toBeNull()
      expect(seen[index].event_data).not.toHaveProperty('order_status_url')
      const { order_status_url: _, ...others } = event.event_data
      expect(seen[index].event_data).toEqual(JSON.parse(JSON.stringify(others).replaceAll(url, lookupUrl)))
    }
    const own = 'https://shop.example/orders/VIEWED-3'
    const given = { order_number: 'VIEWED-3', zip_code: '10115', order_status_url: own }
    const trackings = [{ tracking_number: 'VIEWEDPARCEL3' }]
    await call('editor', 'PUT', '/orders', { body: { id: 'VIEWED-3', order: given, trackings } })
    const [last] = (await read('viewer')).slice(-1)
    expect([last.context.order.order_status_url, last.event_data.order_status_url]).toEqual([own, own])
  })

  it('is neither the address of a page nor a message that leads to it', async () => {
    const asked = await call('viewer', 'POST', '/orders/trackpage-url', { body: { id: order.order_number } })
    expect(asked).toMatchObject({ status: 403, body: { key: 'insufficient_rights' } })
    const leading = { viewer: 0, editor: 0 }
    for (const { name } of mailGroups) {
      for (const role of ['viewer', 'editor'] as const) {
        const body = { group: name, language: 'en', order_id: order.uuid }
        const { text } = await call(role, 'POST', '/mail/preview', { body })
        if (tokensIn(text).length > 0) leading[role] += 1
      }
    }
    expect(leading.viewer).toBe(0)
    expect(leading.editor).toBeGreaterThan(10)
    const proof = { order_number: order.order_number, email_or_zip: order.email_id }
    const lookup = await call('viewer', 'POST', '/embedding/lookup', { body: proof })
    expect(lookup.body.page_url).toBe(`${lookupUrl}?lang=en`)
  })

  it('has no such secret through an agent either', async () => {
    const agent = await connectAgent({ authorization: basicOf(auth.viewer as Auth), service })
    const shop = 'demo'
    const calls: [string, Record<string, unknown>][] = [
      ['where_is_order', { shop, order_number: order.order_number }],
      ['explain_parcel', { shop, tracking_number: 'VIEWEDPARCEL1' }],
      ['why_messages', { shop, order_id: order.uuid }],
      ['why_campaign', { shop, order_id: order.uuid }],
      ['search_orders', { shop, text: 'VIEWED' }],
    ]
    for (const [name, given] of calls) {
      const { isError, text, data } = await callTool(agent, name, given)
      expect(isError, text).toBe(false)
      expect(tokensIn(text + JSON.stringify(data)), name).toEqual([])
    }
  })
})

interface Event {
  context: { order: { order_number: string } }
}
