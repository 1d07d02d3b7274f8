import { describe, expect, it } from 'vitest'
import { settle } from '../harness/deliveries.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { type Payload, payload, senderOf } from '../harness/shop-systems.ts'
import { usualWooOrder, wooCommerceOrder } from '../harness/woocommerce-orders.ts'

const start = clock.now().getTime()
const ago = (minutes: number) => new Date(start - minutes * 60_000).toISOString().slice(0, 19)
const unpaid = { date_paid: null, date_paid_gmt: null }

async function open() {
  const shop = await makeShop()
  const receiver = await startReceiver()
  await shop.as('admin').post('/webhooks', { url: `${receiver.url}/hook` })
  const sender = await senderOf(shop, 'woocommerce')
  return {
    shop,
    /** An order as it was that many minutes ago. */
    async send(minutes: number, fields: Payload, topic = 'order.updated') {
      const times = { date_created_gmt: ago(100), date_modified_gmt: ago(minutes) }
      const reply = await sender.send(topic, payload('woocommerce-order', { ...times, ...fields }))
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
const phasesOf = async (shop: TestShop) =>
  (await ordersOf(shop)).flatMap(({ trackings }: Payload) => trackings.map(({ phase }: Payload) => phase))

describe('order that is not placed yet', () => {
  it.each(['pending', 'failed', 'checkout-draft', 'auto-draft'])(
    'is neither imported nor published while it is %s, and is when it is processing',
    async (status) => {
      const { shop, send, published, close } = await open()
      await send(50, { status, ...unpaid }, 'order.created')
      await send(40, { status, ...unpaid })
      expect(await ordersOf(shop)).toEqual([])
      expect(await published()).toEqual([])
      await send(30, { status: 'processing' })
      expect(await ordersOf(shop)).toMatchObject([
        { external_id: '727', order_number: 'W-727', financial_status: 'paid', products: [{}, {}] },
      ])
      expect(await published()).toEqual(['ORDER_CREATED'])
      await close()
    },
  )

  it('is never imported if its unpaid checkout is cancelled, whatever comes late', async () => {
    const { shop, send, published, close } = await open()
    await send(50, { status: 'pending', ...unpaid }, 'order.created')
    await send(20, { status: 'cancelled', ...unpaid })
    await send(30, { status: 'processing', ...unpaid })
    expect(await ordersOf(shop)).toEqual([])
    expect(await published()).toEqual([])
    await close()
  })

  it('stays imported when an older state comes late, or one of the same second', async () => {
    const { shop, send, published, close } = await open()
    await send(30, { status: 'processing' })
    const before = await ordersOf(shop)
    await send(40, { status: 'pending', ...unpaid })
    await send(30, { status: 'failed', ...unpaid })
    expect(await ordersOf(shop)).toEqual(before)
    expect(await published()).toEqual(['ORDER_CREATED'])
    await close()
  })
})

describe('order on hold', () => {
  it('is imported, unless the merchant says otherwise', async () => {
    const { shop, send, close } = await open()
    expect((await shop.as('viewer').get('/settings/shop-systems')).body).toEqual({
      woocommerce: { on_hold_is_order: true },
    })
    await send(50, { status: 'on-hold', ...unpaid }, 'order.created')
    expect(await ordersOf(shop)).toMatchObject([{ financial_status: 'pending' }])
    await close()
  })

  it('is imported after payment only, if the merchant says so', async () => {
    const { shop, send, published, close } = await open()
    const change = (woocommerce: Payload | null) => shop.as('admin').patch('/settings/shop-systems', { woocommerce })
    const off = { status: 200, body: { woocommerce: { on_hold_is_order: false } } }
    expect(await change({ on_hold_is_order: false })).toMatchObject(off)
    expect(await change(null)).toMatchObject(off)
    expect(await change({ on_hold_is_order: null })).toMatchObject(off)
    await send(50, { status: 'on-hold', ...unpaid }, 'order.created')
    expect(await ordersOf(shop)).toEqual([])
    expect(await published()).toEqual([])
    await send(30, { status: 'processing' })
    expect(await ordersOf(shop)).toMatchObject([{ financial_status: 'paid' }])
    // It was an order before: putting it on hold for a day does not undo that.
    await send(20, { status: 'on-hold' })
    expect(await phasesOf(shop)).toEqual(['order_created'])
    expect(await published()).toEqual(['ORDER_CREATED'])
    await close()
  })

  it('is set by admins, with true or false', async () => {
    const { shop, close } = await open()
    const body = { woocommerce: { on_hold_is_order: false } }
    expect((await shop.as('editor').patch('/settings/shop-systems', body)).status).toBe(403)
    const wrong = await shop.as('admin').patch('/settings/shop-systems', { woocommerce: { on_hold_is_order: 'no' } })
    expect(wrong).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'woocommerce', 'on_hold_is_order'] }] },
    })
    await close()
  })
})

describe('order that was placed', () => {
  it.each([
    ['failed', unpaid, 'failed'],
    ['cancelled', {}, 'paid'],
    ['trash', {}, 'paid'],
  ])(
    'and then is %s is cancelled, and active again when it is processed after all',
    async (status, fields, financial) => {
      const { shop, send, published, close } = await open()
      await send(50, { status: 'processing' }, 'order.created')
      await send(30, { status, ...fields })
      expect(await phasesOf(shop)).toEqual(['order_cancelled'])
      expect(await ordersOf(shop)).toMatchObject([{ financial_status: financial }])
      expect(await published()).toEqual(['ORDER_CREATED', 'ORDER_CANCELLED'])
      await send(20, { status: 'processing' })
      expect(await phasesOf(shop)).toEqual(['order_created'])
      await close()
    },
  )

  it('and is refunded shows that, for a part and for the whole', async () => {
    const { shop, send, close } = await open()
    await send(50, { status: 'processing' }, 'order.created')
    const refund = { id: 800, reason: 'Too late', total: '-10.00' }
    await send(40, { status: 'processing', refunds: [refund] })
    expect(await ordersOf(shop)).toMatchObject([{ financial_status: 'partially_refunded' }])
    await send(30, { status: 'refunded', refunds: [refund, { ...refund, id: 801, total: '-84.85' }] })
    expect(await ordersOf(shop)).toMatchObject([{ financial_status: 'refunded', products: [{}, {}] }])
    await close()
  })
})

describe('order of WooCommerce', () => {
  it.each(Object.keys(payload('woocommerce-plugins')))(
    'gets a parcel from a number of %s, which is published',
    async (name) => {
      const { shop, send, published, close } = await open()
      const meta_data = payload('woocommerce-plugins')[name]
      await send(50, { status: 'processing' }, 'order.created')
      await send(30, { status: 'completed', meta_data })
      await send(30, { status: 'completed', meta_data })
      const [order] = await ordersOf(shop)
      expect(order.trackings).toContainEqual(
        expect.objectContaining({
          phase: 'order_processed',
          carrier: expect.objectContaining({ tracking_number: '00340434161094042557', carrier_reference: 'dhl' }),
        }),
      )
      expect((await published()).filter((event) => event === 'ORDER_PROCESSED')).toHaveLength(1)
      await close()
    },
  )

  it('has its options, fees and fractions, and customer input is erased with the customer', async () => {
    const { shop, send, close } = await open()
    const option = { id: 1, key: 'Engraving', value: 'For Ada', display_key: 'Engraving', display_value: 'For Ada' }
    const { line_items, fee_lines, total } = wooCommerceOrder({
      ...usualWooOrder,
      lines: [
        { name: 'Salt &amp; Pepper', price: 7.5, meta: [option] },
        { name: 'Fabric', price: 8, quantity: 0.5 },
      ],
      fees: [{ name: 'Gift wrapping', amount: 3.5 }],
    })
    await send(50, { line_items, fee_lines, total })
    const [order] = await ordersOf(shop)
    expect(order).toMatchObject({
      products: [
        { title: 'Salt & Pepper', properties: [{ name: 'Engraving', value: 'For Ada' }] },
        { title: 'Fabric', quantity: 1, price: 4, properties: [{ name: 'Quantity', value: '0.5' }] },
      ],
      fees: [{ name: 'Gift wrapping', amount: 3.5 }],
    })
    const text = JSON.stringify((await shop.as('admin').post('/privacy/erase', { email: 'ada@example.com' })).body)
    expect(text).not.toContain('For Ada')
    const [erased] = await ordersOf(shop)
    expect(erased).toMatchObject({ products: [{ title: 'Salt & Pepper' }, {}], fees: [{ amount: 3.5 }] })
    expect(JSON.stringify(erased)).not.toContain('For Ada')
    await close()
  })
})
