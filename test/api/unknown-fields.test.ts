import { describe, expect, it } from 'vitest'
import { multipart } from '../harness/multipart.ts'
import { createOrder, orderOf, readOrder, uniqueNumber, upsertOf } from '../harness/orders.ts'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const shop = await makeShop()
const admin = shop.as('admin')
const editor = shop.as('editor')

const product = { title: 'Rain jacket', quantity: 1, sku: 'RJ-42' }
const header = 'service-warnings'

function ignored(loc: (string | number)[], meant?: string) {
  return { loc, msg: `ignored: unknown field${meant === undefined ? '' : `; did you mean ${meant}?`}` }
}

describe('unknown field', () => {
  it('of a new key is named: the key never expires', async () => {
    const { status, body, headers } = await admin.post('/api-keys', { role: 'viewer', expires_at: '2027-01-01' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ expiration: 0, warnings: [ignored(['body', 'expires_at'])] })
    expect(headers[header]).toBeUndefined()
    expect(JSON.stringify(body.warnings)).not.toContain('2027')
    expect((await admin.post('/api-keys', { role: 'viewer', expiraton: 1_900_000_000 })).body.warnings).toEqual([
      ignored(['body', 'expiraton'], 'expiration'),
    ])
    expect((await admin.post('/api-keys', { role: 'viewer', expiration: 0 })).body.warnings).toBeUndefined()
  })

  it('is named wherever it is, once for all items of a list', async () => {
    const { uuid, trackings } = await createOrder(editor)
    const { body } = await editor.patch(`/orders/${uuid}/shipments/${trackings[0].uuid}`, {
      tracking_nmber: 'T-1',
      products: [product, { ...product, colour: 'blue' }, { ...product, colour: 'red', images: [{ url: 'x' }] }],
    })
    expect(body.products).toHaveLength(3)
    expect(body.warnings).toEqual([
      ignored(['body', 'tracking_nmber'], 'tracking_number'),
      ignored(['body', 'products', 1, 'colour']),
      ignored(['body', 'products', 2, 'images', 0, 'url']),
      { loc: ['body', 'products', 2, 'images', 0], msg: expect.stringMatching(/^left out: src/) },
    ])
  })

  it('is counted in the header if the reply is null, a list or empty', async () => {
    const number = uniqueNumber()
    const order = { ...orderOf(number), ordr_name: 'x' }
    const placed = await editor.post('/orders', order)
    expect([placed.text, placed.headers[header]]).toEqual(['null', '1'])
    const batch = [upsertOf(uniqueNumber(), { colour: 1 }), upsertOf(uniqueNumber(), { colour: 2, size: 3 })]
    expect((await editor.put('/orders/bulk', batch)).headers[header]).toBe('2')
    const list = await editor.get('/orders', { order_nmber: number })
    expect([Array.isArray(list.body), list.headers[header]]).toEqual([true, '1'])
    const note = await editor.post('/announcements', { text: 'Hello', language: 'en', colour: 'red' })
    expect([note.text, note.headers[header]]).toEqual(['', '1'])
  })

  it('of a query is named, also where no parameter is known', async () => {
    expect((await editor.get('/shipments', { per_pge: '5' })).body.warnings).toEqual([
      ignored(['query', 'per_pge'], 'per_page'),
    ])
    const { uuid } = await createOrder(editor)
    const { body } = await editor.get(`/orders/${uuid}`, { expand: 'trackings' })
    expect(body).toMatchObject({ uuid, warnings: [ignored(['query', 'expand'])] })
  })

  it('of a body is named where no body is expected', async () => {
    const reply = await admin.post('/embedding/rotate-key', { former_valid_hours: 24 })
    expect(reply.body.warnings).toEqual([ignored(['body', 'former_valid_hours'])])
  })

  it('is named for at most 20 names of body and query, without values, and cut to 64 characters', async () => {
    const long = 'x'.repeat(100_000)
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field_${index}`, 'secret']))
    const query = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`p${index}x`, '1']))
    const { body } = await admin.post('/api-keys', { role: 'viewer', [long]: 'secret', ...many }, { query })
    expect(body.warnings).toHaveLength(20)
    expect(body.warnings.slice(0, 7).map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      ...Object.keys(query).map((name) => `query.${name}`),
      `body.${'x'.repeat(64)}`,
      'body.field_0',
    ])
    expect(JSON.stringify(body.warnings)).not.toContain('secret')
    expect((await editor.post('/orders', orderOf(uniqueNumber(), many))).headers[header]).toBe('20')
  })

  it('is not named in an error', async () => {
    const rejected = await admin.post('/api-keys', { role: 'king', colour: 'red' })
    expect(rejected.body).not.toHaveProperty('warnings')
    expect(rejected.body.errors).toHaveLength(1)
  })

  it('is named again when the request is repeated with its key', async () => {
    const options = { headers: { 'idempotency-key': uniqueNumber('key') } }
    const first = await admin.post('/api-keys', { role: 'viewer', colour: 'red' }, options)
    const again = await admin.post('/api-keys', { role: 'viewer', colour: 'red' }, options)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(first.body.warnings).toEqual([ignored(['body', 'colour'])])
  })

  it('joins the warnings that a reply has of its own', async () => {
    const { body } = await admin.patch('/settings/segments', { braze: true, colour: true })
    expect(body.warnings).toEqual([
      { loc: ['braze'], msg: expect.stringContaining('has no effect') },
      ignored(['body', 'colour']),
    ])
  })

  it('of a form with a file is named', async () => {
    const form = multipart([
      { name: 'dry_rn', content: 'true' },
      { name: 'file', content: 'order_number\n1\n', filename: 'orders.csv', contentType: 'text/csv' },
    ])
    const reply = await editor.post('/imports/orders', undefined, form)
    expect(reply.body.warnings).toEqual([ignored(['body', 'dry_rn'], 'dry_run')])
  })
})

describe('field of our own replies', () => {
  it('may come back with an order', async () => {
    const { uuid, order_number } = await createOrder(editor, { address: { city: 'Berlin' }, products: [product] })
    const read = await readOrder(editor, order_number)
    expect(read).toMatchObject({ uuid, shop_slug: shop.slug, created_at: expect.any(String) })
    const put = await editor.put('/orders', { id: order_number, order: read, trackings: [] })
    expect([put.status, put.headers[header]]).toEqual([200, undefined])
    expect((await editor.patch(`/orders/${uuid}`, read)).body.warnings).toBeUndefined()
  })

  it('may come back with a webhook, a campaign or settings', async () => {
    const url = 'https://receiver.example/hook'
    const { body: webhook } = await admin.post('/webhooks', { url, enabled_events: ['*'] })
    const { secret: _secret, headers: _headers, ...rest } = webhook
    const patched = await admin.patch(`/webhooks/${webhook.uuid}`, rest)
    expect([patched.status, patched.headers[header]]).toEqual([200, undefined])
    const { body: calendar } = await admin.get('/settings/calendar')
    expect((await admin.put('/settings/calendar', calendar)).body).toEqual(calendar)
    const { body: mail } = await admin.get('/settings/mail')
    expect((await admin.patch('/settings/mail', mail)).body.warnings).toBeUndefined()
  })

  it('never warns if the records of most areas have it', async () => {
    const usual = { uuid: 'x', created_at: 'x', updated_at: 'x', shop_slug: 'x' }
    expect((await admin.patch('/settings/carriers', { shipment_updates: true, ...usual })).body).toEqual({
      shipment_updates: true,
    })
    expect((await admin.post('/api-keys', { role: 'viewer', ...usual })).body.warnings).toBeUndefined()
  })

  it('still warns in another place', async () => {
    const number = uniqueNumber()
    const reply = await editor.post('/orders', orderOf(number, { tracking_number: 'T-1', city: 'Berlin' }))
    expect(reply.headers[header]).toBe('2')
  })
})

describe("names that are the caller's own", () => {
  it('never warn in order_analytics', async () => {
    const order_analytics = {
      source: 'x',
      colour: 'red',
      inner: { deep: 1 },
      note_attributes: [{ name: 'a', other: 1 }],
    }
    const reply = await editor.post('/orders', orderOf(uniqueNumber(), { order_analytics }))
    expect([reply.status, reply.headers[header]]).toEqual([200, undefined])
    const upsert = { ...upsertOf(uniqueNumber()), order_analytics }
    expect((await editor.put('/orders', upsert)).headers[header]).toBeUndefined()
  })

  it('never warn in a map, but what they lead to does', async () => {
    const variant = { product_id: 'p', variant_id: '1', title: 'Jacket', translations: { de: { title: 'Jacke' } } }
    expect((await editor.post('/products', [variant])).headers[header]).toBeUndefined()
    const wrong = { ...variant, translations: { de: { title: 'Jacke', titel: 'x' } } }
    expect((await editor.post('/products', [wrong])).headers[header]).toBe('1')
  })
})

describe('messages of other systems', () => {
  it('never warn, whatever they have', async () => {
    const secret = { webhook_secret: 'a-secret-of-the-shop-system' }
    await admin.put('/shopify/webhook-secret', secret)
    const reply = await call('POST', `/v1/inbound/${shop.slug}/shopify?colour=red`, { auth: null, body: { any: 1 } })
    expect(reply.headers[header]).toBeUndefined()
    expect(reply.body).not.toHaveProperty('warnings')
  })
})
