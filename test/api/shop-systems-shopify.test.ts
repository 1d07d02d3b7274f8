import { describe, expect, it } from 'vitest'
import { aftershipKeys } from '../harness/aftership.ts'
import { gapIn } from '../harness/amounts.ts'
import { settle } from '../harness/deliveries.ts'
import { shopifyOrder } from '../harness/priced-orders.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { type Payload, payload, senderOf } from '../harness/shop-systems.ts'

const start = clock.now().getTime()
const ago = (minutes: number) => new Date(start - minutes * 60_000).toISOString()

async function open(fields: Payload = {}) {
  const shop = await makeShop(fields)
  const receiver = await startReceiver()
  await shop.as('admin').post('/webhooks', { url: `${receiver.url}/hook` })
  const sender = await senderOf(shop, 'shopify')
  return {
    shop,
    async send(topic: string, body: Payload | string) {
      const reply = await sender.send(topic, body)
      expect(reply.status, reply.text).toBe(200)
    },
    async published() {
      await settle()
      return receiver.received.map(({ body }) => body.event_data.event_name)
    },
    close: () => receiver.close(),
  }
}

const ordersOf = async (shop: TestShop) => (await shop.as('viewer').get('/orders')).body
const eventsOf = async (shop: TestShop) => {
  const [order] = await ordersOf(shop)
  const sent = order.trackings.find(({ carrier }: Payload) => carrier.tracking_number !== null)
  return { phase: sent?.phase, events: sent?.events.map(({ event_key }: Payload) => event_key) }
}

const order = (fields: Payload = {}): Payload => {
  const base = payload('shopify-order', { created_at: ago(300), processed_at: ago(300), updated_at: ago(300) })
  return { ...base, line_items: base.line_items.slice(0, 1), ...fields }
}
const parcel = (minutes: number, fields: Payload = {}) =>
  payload('shopify-fulfillment', { created_at: ago(200), updated_at: ago(minutes), ...fields })
const step = (minutes: number, status: string) => ({
  id: 1_234_500 + minutes,
  fulfillment_id: 6_660_000_000_001,
  order_id: 5_550_000_000_001,
  status,
  message: 'as the carrier says',
  happened_at: ago(minutes),
  city: 'Berlin',
  province: null,
  country: 'DE',
  zip: null,
  created_at: ago(minutes),
  updated_at: ago(minutes),
  estimated_delivery_at: null,
  admin_graphql_api_id: `gid://shopify/FulfillmentEvent/${1_234_500 + minutes}`,
})

describe('journey of a parcel that only Shopify tracks', () => {
  it('is recorded and published once per step, however often it is reported', async () => {
    const { shop, send, published, close } = await open()
    await send('orders/create', order())
    await send('fulfillments/create', parcel(200))
    await send('fulfillment_events/create', step(100, 'in_transit'))
    await send('fulfillments/update', parcel(99, { shipment_status: 'in_transit' }))
    await send(
      'orders/updated',
      order({ updated_at: ago(98), fulfillments: [parcel(98, { shipment_status: 'in_transit' })] }),
    )
    await send('fulfillments/update', parcel(60, { shipment_status: 'out_for_delivery' }))
    await send('fulfillments/update', parcel(30, { shipment_status: 'delivered' }))
    await send('fulfillment_events/create', step(31, 'delivered'))
    await send('fulfillment_events/create', step(100, 'in_transit'))
    expect(await eventsOf(shop)).toEqual({
      phase: 'delivered',
      events: expect.arrayContaining(['SHIPMENT_EN_ROUTE', 'OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED']),
    })
    expect((await eventsOf(shop)).events).toHaveLength(5)
    expect(await published()).toEqual([
      'ORDER_CREATED',
      'ORDER_PROCESSED',
      'SHIPMENT_EN_ROUTE',
      'OUT_FOR_DELIVERY',
      'SUCCESSFULLY_DELIVERED',
    ])
    await close()
  })

  it('ends with the delivery if it has the second of another step, in any order of arrival', async () => {
    for (const statuses of [
      ['delivered', 'out_for_delivery'],
      ['out_for_delivery', 'delivered'],
    ]) {
      const { shop, send, close } = await open()
      await send('orders/create', order())
      await send('fulfillments/create', parcel(200))
      for (const status of statuses) await send('fulfillment_events/create', step(30, status))
      const { phase, events } = await eventsOf(shop)
      expect(phase).toBe('delivered')
      expect(events.slice(-2)).toEqual(['OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED'])
      await close()
    }
  })

  it('is stored when it is reported before the fulfilment, or before the order', async () => {
    const { shop, send, close } = await open()
    await send('fulfillment_events/create', step(30, 'delivered'))
    await send('fulfillments/create', parcel(200))
    await send('orders/create', order())
    expect(await eventsOf(shop)).toMatchObject({ phase: 'delivered' })
    const second = await open()
    await second.send('orders/create', order())
    await second.send('fulfillment_events/create', step(30, 'delivered'))
    expect(await eventsOf(second.shop)).toMatchObject({ phase: undefined })
    await second.send('fulfillments/create', parcel(200))
    expect(await eventsOf(second.shop)).toMatchObject({ phase: 'delivered' })
    await close()
    await second.close()
  })

  it('starts over with a corrected number', async () => {
    const { shop, send, close } = await open()
    await send('orders/create', order())
    await send('fulfillments/create', parcel(100, { shipment_status: 'in_transit' }))
    const other = { tracking_numbers: ['00340434161094042564'], tracking_number: '00340434161094042564' }
    await send('fulfillments/update', parcel(60, other))
    expect(await eventsOf(shop)).toMatchObject({ phase: 'order_processed' })
    await send('fulfillments/update', parcel(50, { ...other, shipment_status: 'in_transit' }))
    expect(await eventsOf(shop)).toMatchObject({ phase: 'in_transit' })
    await close()
  })

  it('is ignored if a tracking provider tracks the parcel', async () => {
    const { shop, send, close } = await open({ settings: { carriers_enabled: true } })
    await shop.as('admin').patch('/settings/carriers/providers', { aftership: { status: 'live' } })
    await shop.as('admin').put('/keys/aftership', aftershipKeys)
    await send('orders/create', order())
    await send('fulfillments/create', parcel(100, { shipment_status: 'in_transit' }))
    expect(await eventsOf(shop)).toMatchObject({ phase: 'order_processed', events: { length: 2 } })
    await close()
  })
})

describe('order of Shopify', () => {
  it('is one order, even if its id is above 2^53', async () => {
    const { shop, send, close } = await open()
    const text = (id: string, number: number) =>
      JSON.stringify(order({ id: 0, admin_graphql_api_id: undefined, order_number: number }))
        .replace('"id":0', `"id":${id}`)
        .replace('"product_id":4711', '"product_id":9007199254740995')
    await send('orders/create', text('9007199254740992', 1))
    await send('orders/create', text('9007199254740993', 2))
    const found = await shop.as('viewer').get('/orders', { external_id: '9007199254740993' })
    expect(found.body).toMatchObject([{ order_number: '2', products: [{ product_id: '9007199254740995' }] }])
    expect(await ordersOf(shop)).toHaveLength(2)
    await close()
  })

  it('has its money, discounts, properties and phone number in the API and on its page', async () => {
    const { shop, send, close } = await open()
    const [jacket] = payload('shopify-order').line_items
    const set = (shopAmount: string, amount: string) => ({
      shop_money: { amount: shopAmount, currency_code: 'EUR' },
      presentment_money: { amount, currency_code: 'CHF' },
    })
    const allocation = { amount: '10.00', amount_set: set('10.00', '9.50'), discount_application_index: 0 }
    await send(
      'orders/paid',
      order({
        presentment_currency: 'CHF',
        total_price_set: set('94.85', '90.10'),
        current_total_price_set: set('94.85', '90.10'),
        discount_codes: [],
        discount_applications: [{ type: 'automatic', title: 'Autumn sale', value: '10', value_type: 'fixed_amount' }],
        shipping_address: { ...order().shipping_address, phone: null },
        phone: '+41441234567',
        line_items: [
          {
            ...jacket,
            price_set: set('89.90', '85.40'),
            properties: [{ name: 'Engraving', value: 'For Ada' }],
            discount_allocations: [allocation],
          },
        ],
      }),
    )
    expect(await ordersOf(shop)).toMatchObject([
      {
        currency: 'CHF',
        total_order_price: 90.1,
        financial_status: 'paid',
        discounts: [{ code: 'Autumn sale', amount: '9.50', type: 'fixed_amount' }],
        products: [{ price: 85.4, properties: [{ name: 'Engraving', value: 'For Ada' }] }],
        address: { phone: '+41441234567' },
      },
    ])
    const address = await shop.as('editor').post('/orders/trackpage-url', { id: '1001' })
    const page = await call('GET', new URL(address.body.url).pathname, { auth: null })
    expect(page.text).toContain('Engraving: For Ada')
    await close()
  })
})

describe("shop's currency", () => {
  it('is that of its shop system, whatever its customers pay in', async () => {
    const { shop, send, close } = await open()
    const currency = async () => (await shop.as('viewer').get('')).body.shop_currency
    await send('orders/create', order({ currency: 'CHF', presentment_currency: 'USD' }))
    expect(await currency()).toBe('CHF')
    // More of them than of its own.
    for (const number of ['X1', 'X2', 'X3']) {
      const other = { order_number: number, external_id: number, address: { zip_code: '1' }, currency: 'SEK' }
      expect((await shop.as('editor').post('/orders', other)).status).toBe(200)
    }
    expect(await currency()).toBe('CHF')
    await close()
  })
})

describe('amounts', () => {
  const net = () => {
    const sold = { lines: [{ name: 'Felt hat', price: 36, quantity: 2 }], discount: 7.2, shipping: 5.9 }
    return shopifyOrder(sold, false, { created_at: ago(300), processed_at: ago(300), updated_at: ago(300) })
  }

  it('of a fulfilment that arrives alone are those of the order, with tax', async () => {
    const { shop, send, close } = await open()
    await send('orders/create', net())
    const line_items = [{ ...net().line_items[0], quantity: 1 }]
    await send('fulfillments/create', payload('shopify-fulfillment', { line_items, updated_at: ago(200) }))
    const [stored] = await ordersOf(shop)
    const sent = stored.trackings.find(({ carrier }: Payload) => carrier.tracking_number !== null)
    expect(sent.products).toMatchObject([{ quantity: 1, price: 42.84, line_subtotal: 42.84, line_total: 38.56 }])
    expect(gapIn(stored)).toBe(0)
    await close()
  })

  it('leave no fee behind that is charged no longer', async () => {
    const { shop, send, close } = await open()
    const total = { amount: '84.15', currency_code: 'EUR' }
    await send('orders/create', { ...net(), current_total_price_set: { shop_money: total, presentment_money: total } })
    const [before] = await ordersOf(shop)
    expect(before.fees).toEqual([{ name: 'Rounding', amount: 0.02 }])
    await send('orders/updated', { ...net(), updated_at: ago(100) })
    const [after] = await ordersOf(shop)
    expect(after.fees).toBeUndefined()
    expect([before, after].map(gapIn)).toEqual([0, 0])
    await close()
  })
})
