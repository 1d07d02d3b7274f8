import { describe, expect, it } from 'vitest'
import { createOrder, orderOf, readOrder, uniqueNumber, upsertOf } from '../harness/orders.ts'
import { makeShop } from '../harness/shop.ts'
import { type Payload, payload, senderOf } from '../harness/shop-systems.ts'

const shop = await makeShop()
const editor = shop.as('editor')

const digital = { title: 'E-book', quantity: 1, sku: 'EB-1', requires_shipping: false }
const jacket = { title: 'Rain jacket', quantity: 2, sku: 'RJ-42', requires_shipping: true }
const keysOf = (tracking: { events: { event_key: string }[] }) => tracking.events.map(({ event_key }) => event_key)

describe('order of digital products', () => {
  it('has nothing to send and no draft, whichever way it is created', async () => {
    const number = uniqueNumber()
    expect((await editor.post('/orders', orderOf(number, { products: [digital] }))).status).toBe(200)
    const placed = await readOrder(editor, number)
    expect(placed).toMatchObject({ nothing_to_send: true, status: 'placed', trackings: [] })
    expect(await createOrder(editor, { products: [digital, { ...jacket, quantity: 0 }] })).toMatchObject({
      nothing_to_send: true,
      trackings: [],
    })
    const bundle = { title: 'Library', bundled_products: [digital, digital] }
    expect(await createOrder(editor, { products: [bundle] })).toMatchObject({ nothing_to_send: true })
  })

  it.each([
    ['nothing is said of its products', []],
    ['one of them is sent', [digital, jacket]],
    ['one does not say', [digital, { title: 'Mug' }]],
  ])('has something to send if %s', async (_case, products) => {
    expect(await createOrder(editor, { products })).toMatchObject({
      nothing_to_send: false,
      trackings: [{ phase: 'order_created' }],
    })
  })

  it('loses its drafts silently when its physical items are removed, and gets them back with an item', async () => {
    const number = uniqueNumber()
    const put = (products: unknown[]) => editor.put('/orders', upsertOf(number, { products }))
    await put([digital, jacket])
    expect((await readOrder(editor, number)).trackings).toHaveLength(1)
    await put([digital])
    const emptied = await readOrder(editor, number)
    expect(emptied).toMatchObject({ nothing_to_send: true, trackings: [], expected_number_of_shipments: 1 })
    await put([digital])
    expect(await readOrder(editor, number)).toEqual(emptied)
    await put([digital, jacket])
    const again = await readOrder(editor, number)
    expect(again.nothing_to_send).toBe(false)
    expect(again.trackings.map(keysOf)).toEqual([['ORDER_CREATED']])
  })

  it('shows a parcel that was sent anyway', async () => {
    const order = await createOrder(editor, { products: [digital] })
    await editor.put('/orders', { id: order.order_number, trackings: [{ tracking_number: 'SENT-1' }] })
    expect(await readOrder(editor, order.order_number)).toMatchObject({
      status: 'fulfilled',
      trackings: [{ carrier: { tracking_number: 'SENT-1' } }],
    })
  })
})

describe('searching and figures', () => {
  it('distinguish both kinds of orders', async () => {
    const own = await makeShop()
    const sender = await senderOf(own, 'shopify')
    const caller = own.as('editor')
    const card = await createOrder(caller, { products: [digital], order_placed_at: new Date().toISOString() })
    const usual = await createOrder(caller, { order_placed_at: new Date().toISOString() })
    await sender.send(
      'orders/create',
      payload('shopify-order', { id: 77, admin_graphql_api_id: null, order_number: 77 }),
    )
    const search = async (query: Record<string, boolean>) =>
      (await caller.get('/orders', query)).body.map(({ uuid }: { uuid: string }) => uuid)
    expect(await search({ nothing_to_send: true })).toEqual([card.uuid])
    expect(await search({ nothing_to_send: false })).toContain(usual.uuid)
    expect(await search({ nothing_to_send: false })).not.toContain(card.uuid)
    expect(await search({ handed_over_without_tracking: true })).toEqual([])
    const { orders, shipments } = (await caller.get('/analytics/summary')).body
    expect(orders).toMatchObject({ nothing_to_send: 1, handed_over_without_tracking: 0 })
    expect(orders.placed).toBeGreaterThanOrEqual(2)
    expect(shipments.waiting).toBe(shipments.by_phase.order_created)
  })
})

describe('after a part was sent', () => {
  const products = [jacket, { title: 'Socks', quantity: 3, sku: 'SO-1' }, digital]

  it('a draft lists the remaining items and quantities', async () => {
    const sent = { tracking_number: 'PART-1', products: [{ ...jacket, quantity: 1 }] }
    const order = await createOrder(editor, { products, expected_number_of_shipments: 2 }, [sent])
    const draft = order.trackings.find(({ carrier }: Payload) => carrier.tracking_number === null)
    expect(draft.products).toMatchObject([
      { sku: 'RJ-42', quantity: 1 },
      { sku: 'SO-1', quantity: 3 },
    ])
    expect((await editor.get(`/shipments/${draft.id}`)).body.products).toEqual(draft.products)
    const parcel = order.trackings.find(({ carrier }: Payload) => carrier.tracking_number === 'PART-1')
    expect(parcel.products).toMatchObject([{ sku: 'RJ-42', quantity: 1 }])
  })

  it('a draft lists everything if the contents of the parcel are unknown', async () => {
    const order = await createOrder(editor, { products, expected_number_of_shipments: 2 }, [{ tracking_number: 'P-2' }])
    for (const tracking of order.trackings) expect(tracking.products).toHaveLength(3)
  })
})

describe('shop system', () => {
  const open = async () => {
    const own = await makeShop()
    const sender = await senderOf(own, 'shopify')
    const read = async () => (await own.as('viewer').get('/orders')).body[0]
    return { sender, read }
  }

  it('creates an order with nothing to send from vouchers only', async () => {
    const { sender, read } = await open()
    const items = payload('shopify-order').line_items.map((item: Payload) => ({ ...item, requires_shipping: false }))
    await sender.send('orders/create', payload('shopify-order', { line_items: items, fulfillments: [] }))
    expect(await read()).toMatchObject({ nothing_to_send: true, trackings: [] })
    await sender.send('orders/updated', payload('shopify-order', { updated_at: '2026-11-09T12:00:00Z' }))
    expect(await read()).toMatchObject({ nothing_to_send: false, trackings: [{ phase: 'order_created' }] })
  })

  it('never overwrites a detailed message with a less detailed one, in either order', async () => {
    const order = payload('shopify-order', { fulfillments: [] })
    const items = order.line_items.map(({ sku: _sku, variant_title: _title, ...item }: Payload) => item)
    const { address1, city, country_code } = order.shipping_address
    const poor = {
      ...order,
      updated_at: '2026-11-09T12:00:00Z',
      line_items: items,
      discount_codes: [],
      note_attributes: [],
      shipping_address: { address1, city, country_code },
      total_price: '1.00',
    }
    const states = []
    for (const messages of [
      [order, poor],
      [poor, order],
    ]) {
      const { sender, read } = await open()
      for (const message of messages) expect((await sender.send('orders/updated', message)).status).toBe(200)
      const { products, discounts, address, order_analytics, total_order_price } = await read()
      states.push({ products, discounts, address, order_analytics, total_order_price })
    }
    expect(states[1]).toEqual(states[0])
    const { sender, read } = await open()
    await sender.send('orders/create', order)
    const { products, discounts, address, order_analytics } = await read()
    expect(discounts.length).toBeGreaterThan(0)
    expect(states[0]).toMatchObject({ products, discounts, address, order_analytics })
  })

  it('does not remove the carrier of a parcel that is reported again without it', async () => {
    const { sender, read } = await open()
    await sender.send('orders/create', payload('shopify-order'))
    await sender.send('fulfillments/create', payload('shopify-fulfillment'))
    const before = (await read()).trackings
    const later = { updated_at: '2026-11-09T12:00:00Z', tracking_company: null, tracking_urls: [], tracking_url: null }
    await sender.send('fulfillments/update', payload('shopify-fulfillment', later))
    const kept = ({ carrier, products, events }: Payload) => ({ carrier, products, events: events.length })
    expect((await read()).trackings.map(kept)).toEqual(before.map(kept))
  })
})
