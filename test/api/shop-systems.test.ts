import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type ShopSystemName, shopSystemNames } from '../../src/adapters/shop-systems/registry.ts'
import { createOrder } from '../harness/orders.ts'
import { promiseIdOf } from '../harness/promised-orders.ts'
import { call, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import {
  awkward,
  type Payload,
  payload,
  placesOf,
  replaced,
  type Sender,
  senderOf,
  signed,
} from '../harness/shop-systems.ts'

const example: Record<ShopSystemName, { topic: string; body: () => Payload; externalId: string; number: string }> = {
  shopify: {
    topic: 'orders/create',
    body: () => payload('shopify-order'),
    externalId: '5550000000001',
    number: '1001',
  },
  woocommerce: {
    topic: 'order.created',
    body: () => payload('woocommerce-order'),
    externalId: '727',
    number: 'W-727',
  },
  shopware: {
    topic: '',
    body: () => payload('shopware-order'),
    externalId: '6e96bb30203e4355b6a10caeec40c1b3',
    number: '10001',
  },
}

async function open(system: ShopSystemName): Promise<{ shop: TestShop; sender: Sender }> {
  const shop = await makeShop({ shop_url: 'https://shop.example' })
  return { shop, sender: await senderOf(shop, system) }
}

const ordersOf = async (shop: TestShop) => (await shop.as('viewer').get('/orders')).body

describe.each(shopSystemNames)('webhook of %s', (system) => {
  const { topic, body, externalId, number } = example[system]

  it('creates an order once, however often it is sent', async () => {
    const { shop, sender } = await open(system)
    expect(await sender.send(topic, body())).toMatchObject({ status: 200, text: 'null' })
    const [order, ...others] = await ordersOf(shop)
    expect(others).toEqual([])
    expect(order).toMatchObject({
      external_id: externalId,
      order_number: number,
      status: 'placed',
      email_id: 'ada@example.com',
      currency: 'EUR',
      order_placed_at: '2026-11-02T09:30:00.000Z',
      address: {
        name: 'Ada Example',
        street: 'Example Street 1',
        city: 'Berlin',
        zip_code: '10115',
        country_code: 'DE',
      },
      products: expect.arrayContaining([expect.objectContaining({ title: 'Rain jacket', sku: 'RJ-42', quantity: 1 })]),
    })
    expect(order.trackings).toHaveLength(1)
    for (let time = 0; time < 2; time += 1) expect((await sender.send(topic, body())).status).toBe(200)
    expect(await ordersOf(shop)).toEqual([order])
  })

  it('is rejected if its signature is missing, wrong, of another shop or of other bytes, and stores nothing', async () => {
    const { shop, sender } = await open(system)
    const stranger = await open(system)
    const text = JSON.stringify(body())
    const path = `/v1/inbound/${shop.slug}/${system}`
    const post = (headers: Record<string, string>, sent = text) =>
      call('POST', path, { auth: null, payload: sent, headers: { 'content-type': 'application/json', ...headers } })
    const before = await contents(shop)
    const right = signed(system, sender.secret, topic, text)
    for (const reply of [
      await post({}),
      await post(Object.fromEntries(Object.entries(right).map(([name, value]) => [name, `${value}x`]))),
      await post(signed(system, stranger.sender.secret, topic, text)),
      await post(right, text.replace('Example Street 1', 'Example Street 2')),
      await post(signed(system, '', topic, text)),
      await post(right, ''),
    ]) {
      expect(`${reply.status} ${reply.body.key}`).toBe('401 invalid_merchant_or_key')
    }
    expect(await contents(shop)).toEqual(before)
    expect((await post(right)).status).toBe(200)
  })

  it('is rejected by a shop that has never requested its secret', async () => {
    const shop = await makeShop()
    const text = JSON.stringify(body())
    const headers = signed(system, 'undefined', topic, text)
    expect(
      await call('POST', `/v1/inbound/${shop.slug}/${system}`, { auth: null, payload: text, headers }),
    ).toMatchObject({
      status: 401,
    })
  })

  it('of an unknown topic changes nothing', async () => {
    const { shop, sender } = await open(system)
    const before = await contents(shop)
    const others = { data: { event: 'customer.written', payload: [] }, id: 1 }
    expect(await sender.send('customers/create', others)).toMatchObject({ status: 200, text: 'null' })
    expect(await contents(shop)).toEqual(before)
  })

  it('without required fields, or not JSON, is rejected with the location of each problem', async () => {
    const { shop, sender } = await open(system)
    const before = await contents(shop)
    const bare = system === 'shopware' ? { data: { event: 'checkout.order.placed', payload: { order: {} } } } : { x: 1 }
    const lacking = await sender.send(topic, bare)
    expect(lacking).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(lacking.body.errors.length).toBeGreaterThan(0)
    for (const { loc, type } of lacking.body.errors) {
      expect(loc[0]).toBe('body')
      expect(type).toBe('missing')
    }
    expect(await sender.send(topic, '{"id":')).toMatchObject({ status: 422, body: { errors: [{ loc: ['body'] }] } })
    expect(await contents(shop)).toEqual(before)
  })

  it('is accepted or rejected, whatever is in any of its fields', async () => {
    const { shop, sender } = await open(system)
    const full = system === 'shopify' ? { ...body(), fulfillments: [payload('shopify-fulfillment')] } : body()
    for (const [index, place] of placesOf(full).entries()) {
      const { status, text } = await sender.send(topic, replaced(full, place, awkward[index % awkward.length]))
      expect([200, 409, 422], `${place.join('.')}: ${text}`).toContain(status)
    }
    // The harness checks each page of the response against its schema.
    expect((await shop.as('viewer').get('/orders', { per_page: 100 })).status).toBe(200)
  })

  it('accepts an address without a zip code, as some countries have none', async () => {
    const { shop, sender } = await open(system)
    const text = JSON.stringify(body()).replaceAll('"10115"', '""').replaceAll('"20095"', 'null')
    expect((await sender.send(topic, text)).status).toBe(200)
    expect(await ordersOf(shop)).toMatchObject([{ address: { city: 'Berlin' } }])
  })
})

describe('order that exists already', () => {
  it('is matched by its number if it had no id of the shop system', async () => {
    const { shop, sender } = await open('shopify')
    await shop
      .as('editor')
      .put('/orders', { id: '1001', order: { order_number: '1001', email_id: 'old@example.com' }, trackings: [] })
    expect((await sender.send('orders/updated', payload('shopify-order'))).status).toBe(200)
    expect(await ordersOf(shop)).toMatchObject([{ external_id: '5550000000001', email_id: 'ada@example.com' }])
  })

  it('of another id does not lose its number', async () => {
    const { shop, sender } = await open('shopify')
    await createOrder(shop.as('editor'))
    const [taken] = await ordersOf(shop)
    const order = payload('shopify-order', { order_number: taken.order_number })
    expect(await sender.send('orders/create', order)).toMatchObject({ status: 409, body: { key: 'order_exists' } })
    expect(await ordersOf(shop)).toEqual([taken])
  })
})

describe('mappings', () => {
  it('copy note attributes to the fields they name, and to order_analytics otherwise', async () => {
    const { shop, sender } = await open('shopify')
    const rule = (key: string, target: string, type = 'note_attribute') => ({ source: { key, type }, target })
    const rules = [
      rule('Marketplace order', 'marketplace_order_number'),
      rule('Group', 'segments'),
      rule('Delivery day', 'preferred_delivery_date'),
      rule('source_name', 'sales_channel', 'field'),
      rule('Marketplace order', 'external_customer_id'),
      rule('not there', 'order_name'),
      rule('Group', 'note_attributes'),
      rule('Marketplace order', 'ignored', 'meta_data'),
    ]
    const set = await shop.as('admin').put('/settings/mappings', { version: 1, data: { 'shopify.order': rules } })
    expect(set.status).toBe(200)
    await sender.send('orders/create', payload('shopify-order'))
    const [order] = await ordersOf(shop)
    expect(order).toMatchObject({
      order_name: '#1001',
      external_customer_id: 'MP-4711',
      segments: ['vip', 'early bird'],
      preferred_delivery_date: {
        start: '2026-11-20T00:00:00.000Z',
        end: '2026-11-20T23:59:59.999Z',
        source: 'shopify',
      },
      order_analytics: {
        marketplace_order_number: 'MP-4711',
        sales_channel: 'web',
        landing_site: '/products/rain-jacket?utm_source=newsletter',
        note_attributes: [{ name: 'Marketplace order', value: 'MP-4711' }, { name: 'Group' }, { name: 'Delivery day' }],
      },
    })
    expect(order.order_analytics).not.toHaveProperty('ignored')
    await sender.send('orders/create', payload('shopify-order'))
    expect(await ordersOf(shop)).toEqual([order])
  })

  it('store the promise whose id the order carries', async () => {
    const { shop, sender } = await open('shopify')
    const rule = { source: { key: 'Promise', type: 'note_attribute' }, target: 'promise_id' }
    await shop.as('admin').put('/settings/mappings', { version: 1, data: { 'shopify.order': [rule] } })
    const note_attributes = [{ name: 'Promise', value: await promiseIdOf(shop, { latest: '2027-01-20' }) }]
    await sender.send('orders/create', { ...payload('shopify-order'), note_attributes })
    const [order] = await ordersOf(shop)
    expect(order.promised_delivery).toMatchObject({ source: 'promise', latest: '2027-01-20', state: 'open' })
  })

  it.each([
    ['woocommerce', 'meta_data', '_marketplace_id'],
    ['shopware', 'custom_field', 'marketplace_id'],
  ] as const)('of %s copy its %s', async (system, type, key) => {
    const { shop, sender } = await open(system)
    const data = { [`${system}.order`]: [{ source: { key, type }, target: 'marketplace_order_number' }] }
    await shop.as('admin').put('/settings/mappings', { data })
    await sender.send(example[system].topic, example[system].body())
    expect(await ordersOf(shop)).toMatchObject([{ order_analytics: { marketplace_order_number: 'MP-4711' } }])
  })
})

describe('products', () => {
  const productsOf = async (shop: TestShop) => (await shop.as('editor').get('/products')).body

  it('of Shopify are stored with their variants, in their latest state', async () => {
    const { shop, sender } = await open('shopify')
    await sender.send('products/create', payload('shopify-product'))
    expect(await productsOf(shop)).toMatchObject([
      {
        product_id: '4711',
        variant_id: '47110',
        title: 'Rain jacket',
        variant_title: 'Blue',
        price: 89.9,
        sku: 'RJ-42',
        category: 'Jackets',
        product_url: 'https://shop.example/products/rain-jacket',
        image_url: 'https://cdn.example/rain-jacket.jpg',
      },
      { variant_id: '47111', image_url: 'https://cdn.example/rain-jacket-red.jpg' },
    ])
    const [blue] = payload('shopify-product').variants
    const translated = { title: 'Rain jacket', translations: { de: { title: 'Regenjacke' } } }
    await shop.as('editor').put('/products/4711/variants/47110', translated)
    const later = { updated_at: '2026-11-03T09:00:00Z', variants: [{ ...blue, price: '79.90' }] }
    await sender.send('products/update', payload('shopify-product', later))
    const changed = await productsOf(shop)
    expect(changed).toMatchObject([{ variant_id: '47110', price: 79.9, translations: { de: { title: 'Regenjacke' } } }])
    expect(changed).toHaveLength(1)
    await sender.send('products/update', payload('shopify-product'))
    expect(await productsOf(shop)).toEqual(changed)
  })

  it.each([
    ['deleted', 'products/delete', { id: 4711 }],
    [
      'archived',
      'products/update',
      payload('shopify-product', { status: 'archived', updated_at: '2026-11-05T09:00:00Z' }),
    ],
  ])('that are %s are removed, also when that message comes first', async (_what, topic, body) => {
    const { shop, sender } = await open('shopify')
    await sender.send('products/create', payload('shopify-product'))
    expect(await productsOf(shop)).toHaveLength(2)
    await sender.send(topic, body)
    expect(await productsOf(shop)).toEqual([])
    await sender.send('products/create', payload('shopify-product'))
    expect(await productsOf(shop)).toEqual([])
  })

  it('of WooCommerce are stored, variations below their product, until they are deleted', async () => {
    const { shop, sender } = await open('woocommerce')
    await sender.send('product.created', payload('woocommerce-product'))
    const variation = {
      id: 94,
      parent_id: 93,
      type: 'variation',
      attributes: [{ id: 1, name: 'Colour', option: 'Blue' }],
      permalink: 'https://woo.example/product/rain-jacket/?colour=blue',
    }
    await sender.send('product.updated', payload('woocommerce-product', variation))
    expect(await productsOf(shop)).toMatchObject([
      { product_id: '93', variant_id: '93', price: 79.9, category: 'Jackets' },
      { product_id: '93', variant_id: '94', variant_title: 'Blue' },
    ])
    await sender.send('product.deleted', { id: 94 })
    expect(await productsOf(shop)).toMatchObject([{ variant_id: '93' }])
    await sender.send('product.deleted', { id: 93 })
    expect(await productsOf(shop)).toEqual([])
    await sender.send('product.restored', payload('woocommerce-product'))
    expect(await productsOf(shop)).toMatchObject([{ variant_id: '93' }])
  })

  it('of Shopware are deleted if they are deleted there', async () => {
    const { shop, sender } = await open('shopware')
    await shop.as('editor').post('/products', [{ product_id: 'abc', variant_id: 'abc', title: 'Rain jacket' }])
    const entry = { entity: 'product', operation: 'delete', primaryKey: 'abc' }
    await sender.send('', { data: { event: 'product.written', payload: [entry] }, timestamp: 1_793_611_801 })
    expect(await productsOf(shop)).toEqual([])
  })
})

describe('test form of a WooCommerce webhook', () => {
  it('is accepted without a signature', async () => {
    const { shop } = await open('woocommerce')
    const before = await contents(shop)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const options = { auth: null, payload: 'webhook_id=14', headers }
    expect(await call('POST', `/v1/inbound/${shop.slug}/woocommerce`, options)).toMatchObject({ status: 200 })
    expect(await call('POST', `/v1/inbound/${shop.slug}/shopify`, options)).toMatchObject({ status: 401 })
    expect(await contents(shop)).toEqual(before)
  })
})

describe('secrets', () => {
  it('are created once, stored encrypted, and shown to admins only', async () => {
    const shop = await makeShop()
    const fetchConfig = () => shop.as('admin').get('/woocommerce/webhook-config')
    const [first, ...others] = await Promise.all([fetchConfig(), fetchConfig(), fetchConfig()])
    expect(first?.body.webhook_secret).toMatch(/^[A-Za-z0-9]{40}$/)
    for (const { body } of [...others, await fetchConfig()]) expect(body).toEqual(first?.body)
    expect((await shop.as('editor').get('/woocommerce/webhook-config')).status).toBe(403)
    const { database } = await theService()
    const { rows } = await sql<{ text: string }>`
      select encode(inbound_secret, 'escape') as text from shop_settings where inbound_secret is not null`.execute(
      database.db,
    )
    expect(rows).not.toEqual([])
    expect(rows.filter(({ text }) => text.includes(first?.body.webhook_secret))).toEqual([])
  })

  it('of Shopify itself can be set and removed', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    const own = await senderOf(shop, 'shopify', 'shpss_0123456789abcdef0123456789abcdef')
    const send = async () => (await own.send('orders/create', payload('shopify-order'))).status
    expect(await send()).toBe(401)
    expect((await admin.put('/shopify/webhook-secret', { webhook_secret: own.secret })).status).toBe(200)
    expect(await send()).toBe(200)
    const ours = await senderOf(shop, 'shopify')
    expect((await ours.send('orders/create', payload('shopify-order'))).status).toBe(200)
    const other = await senderOf(shop, 'woocommerce', own.secret)
    expect((await other.send('order.created', payload('woocommerce-order'))).status).toBe(401)
    await admin.put('/shopify/webhook-secret', { webhook_secret: null })
    expect(await send()).toBe(401)
  })
})

/** Everything in a shop that a message could change. */
async function contents(shop: TestShop) {
  const { database } = await theService()
  const { uuid } = (await shop.as('superadmin').get('')).body
  const tables = ['orders', 'shipments', 'products', 'shop_system_orders', 'shop_system_products', 'notifications']
  const counts = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await sql<{ rows: string }>`
        select coalesce(json_agg(t order by t::text), '[]')::text as rows
        from ${sql.table(table)} as t where shop_id = ${uuid}`.execute(database.db)
      return [table, rows[0]?.rows]
    }),
  )
  return Object.fromEntries(counts)
}
