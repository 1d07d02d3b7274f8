import { describe, expect, it } from 'vitest'
import { settle } from '../harness/deliveries.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { type Payload, payload, type Sender, senderOf } from '../harness/shop-systems.ts'

type Message = [topic: string, body: Payload, headers?: Record<string, string>]

async function open(): Promise<{ shop: TestShop; sender: Sender }> {
  const shop = await makeShop()
  return { shop, sender: await senderOf(shop, 'shopify') }
}

async function sendAll(sender: Sender, messages: Message[]): Promise<void> {
  for (const [topic, body, headers] of messages) {
    const reply = await sender.send(topic, body, headers)
    expect(reply.status, reply.text).toBe(200)
  }
}

/** The resulting state of the order, without ids and the times of our writes. */
async function stateOf(shop: TestShop) {
  const { body } = await shop.as('superadmin').get('/orders')
  return body.map(({ uuid: _uuid, created_at: _created, updated_at: _updated, trackings, ...order }: Payload) => ({
    ...order,
    merchant_slug: '',
    shop_slug: '',
    trackings: trackings.map(trackingOf).sort(byText),
  }))
}

function trackingOf({ carrier, phase, events, products }: Payload) {
  const titles = products.map((product: Payload) => `${product.quantity} ${product.title}`)
  return { ...carrier, phase, titles, events: events.map((event: Payload) => `${event.event_key} ${event.time}`) }
}

const byText = (left: unknown, right: unknown) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)

function permutations<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  )
}

const fulfillment = (fields: Payload = {}) => payload('shopify-fulfillment', fields)
const order = (fields: Payload = {}) => payload('shopify-order', fields)
const moved = (street: string) => ({ shipping_address: { ...order().shipping_address, address1: street } })

/** Every order of arrival ends in the same state. For some, everything is sent again, which changes nothing. */
async function expectSame(messages: Message[]) {
  const states: unknown[] = []
  for (const [index, arrival] of permutations(messages).entries()) {
    const { shop, sender } = await open()
    await sendAll(sender, arrival)
    const state = await stateOf(shop)
    if (index % 4 === 0) {
      await sendAll(sender, messages)
      expect(await stateOf(shop), `again after ${arrival.map(([topic]) => topic)}`).toEqual(state)
    }
    states.push(state)
    expect(state, `arrived as ${arrival.map(([topic]) => topic)}`).toEqual(states[0])
  }
  return states[0] as Payload[]
}

describe('messages in every order of arrival', () => {
  it('creation, update, a fulfilment of a part and the cancellation of the rest end in the same state', async () => {
    const partial = { fulfillment_status: 'partial', fulfillments: [fulfillment()], ...moved('New Street 2') }
    const [state] = await expectSame([
      ['orders/create', order()],
      ['orders/updated', order({ updated_at: '2026-11-02T12:00:00Z', ...moved('New Street 2') })],
      ['fulfillments/create', fulfillment()],
      [
        'orders/cancelled',
        order({ ...partial, updated_at: '2026-11-04T12:00:00Z', cancelled_at: '2026-11-04T12:00:00Z' }),
      ],
    ])
    expect(state).toMatchObject({
      address: { street: 'New Street 2' },
      expected_number_of_shipments: 2,
      status: 'partially_fulfilled',
      trackings: [
        {
          tracking_number: '00340434161094042557',
          carrier_reference: 'dhl',
          phase: 'order_processed',
          titles: ['1 Rain jacket'],
          events: ['ORDER_CREATED 2026-11-02T09:30:00.000Z', 'ORDER_PROCESSED 2026-11-03T14:00:00.000Z'],
        },
        {
          tracking_number: null,
          phase: 'order_cancelled',
          events: ['ORDER_CREATED 2026-11-02T09:30:00.000Z', 'ORDER_CANCELLED 2026-11-04T12:00:00.000Z'],
        },
      ],
    })
  })

  it('creation, update and cancellation of an unsent order end as cancelled', async () => {
    const [state] = await expectSame([
      ['orders/create', order()],
      ['orders/cancelled', order({ updated_at: '2026-11-04T12:00:00Z', cancelled_at: '2026-11-04T12:00:00Z' })],
      ['orders/updated', order({ updated_at: '2026-11-03T12:00:00Z', ...moved('New Street 2') })],
    ])
    expect(state).toMatchObject({ address: { street: 'Example Street 1' }, trackings: [{ phase: 'order_cancelled' }] })
  })

  it('a fulfilment, its cancellation and the next fulfilment end with the last', async () => {
    const second = { id: 6660000000002, admin_graphql_api_id: 'gid://shopify/Fulfillment/6660000000002' }
    const [state] = await expectSame([
      ['orders/create', order()],
      ['fulfillments/create', fulfillment()],
      ['fulfillments/update', fulfillment({ status: 'cancelled', updated_at: '2026-11-04T09:00:00Z' })],
      [
        'fulfillments/create',
        fulfillment({
          ...second,
          created_at: '2026-11-05T09:00:00Z',
          updated_at: '2026-11-05T09:00:00Z',
          tracking_numbers: ['00340434161094042564'],
          line_items: order().line_items,
        }),
      ],
    ])
    expect(state).toMatchObject({
      status: 'fulfilled',
      expected_number_of_shipments: 1,
      trackings: [
        {
          tracking_number: '00340434161094042564',
          events: ['ORDER_CREATED 2026-11-02T09:30:00.000Z', 'ORDER_PROCESSED 2026-11-05T09:00:00.000Z'],
        },
      ],
    })
  })

  it('a number that is added, changed and joined by another ends in its last state', async () => {
    const at = (time: string, numbers: string[]) =>
      fulfillment({
        updated_at: time,
        tracking_numbers: numbers,
        tracking_number: numbers[0] ?? null,
        tracking_urls: [],
      })
    const [state] = await expectSame([
      ['orders/fulfilled', order({ line_items: order().line_items.slice(0, 1) })],
      ['fulfillments/create', at('2026-11-03T14:00:00Z', [])],
      ['fulfillments/update', at('2026-11-03T15:00:00Z', ['00340434161094042557'])],
      ['fulfillments/update', at('2026-11-03T16:00:00Z', ['00340434161094042564', '00340434161094042571'])],
    ])
    expect(state?.trackings).toMatchObject([
      { tracking_number: '00340434161094042564', phase: 'order_processed' },
      { tracking_number: '00340434161094042571', phase: 'order_processed' },
    ])
    expect(state).toMatchObject({ status: 'fulfilled', expected_number_of_shipments: 2 })
  })
})

describe('order', () => {
  it('that was edited has the items and the address of the newest message', async () => {
    const { shop, sender } = await open()
    const [jacket, boots] = order().line_items
    const edited = {
      updated_at: '2026-11-02T12:00:00Z',
      line_items: [
        { ...jacket, quantity: 3, current_quantity: 2 },
        { ...boots, current_quantity: 0 },
      ],
      current_total_price: '184.75',
      email: 'new@example.com',
      ...moved('New Street 2'),
    }
    await sendAll(sender, [
      ['orders/create', order()],
      ['orders/updated', order(edited)],
      ['orders/updated', order()],
    ])
    expect(await stateOf(shop)).toMatchObject([
      {
        products: [{ title: 'Rain jacket', quantity: 2 }],
        total_order_price: 184.75,
        email_id: 'new@example.com',
        address: { street: 'New Street 2' },
      },
    ])
  })

  it('of two messages of the same second has the state of the later', async () => {
    const { shop, sender } = await open()
    const triggered = (time: string) => ({ 'x-shopify-triggered-at': time })
    await sendAll(sender, [
      ['orders/updated', order({ financial_status: 'paid' }), triggered('2026-11-02T09:30:02.900000000Z')],
      ['orders/create', order({ financial_status: 'pending' }), triggered('2026-11-02T09:30:02.100000000Z')],
    ])
    expect(await stateOf(shop)).toMatchObject([{ financial_status: 'paid' }])
  })

  it('whose rest is sent later is fulfilled then', async () => {
    const { shop, sender } = await open()
    const rest = fulfillment({
      id: 6660000000002,
      admin_graphql_api_id: 'gid://shopify/Fulfillment/6660000000002',
      tracking_numbers: ['00340434161094042564'],
      line_items: order().line_items.slice(1),
    })
    await sendAll(sender, [
      ['orders/create', order()],
      ['fulfillments/create', fulfillment()],
    ])
    expect(await stateOf(shop)).toMatchObject([{ status: 'partially_fulfilled' }])
    await sendAll(sender, [['fulfillments/create', rest]])
    expect(await stateOf(shop)).toMatchObject([
      {
        status: 'fulfilled',
        expected_number_of_shipments: 2,
        trackings: [{ titles: ['1 Rain jacket'] }, { titles: ['1 Boots'] }],
      },
    ])
  })

  it('does not change the number of shipments that the merchant has set', async () => {
    const { shop, sender } = await open()
    await sendAll(sender, [['orders/create', order()]])
    const [{ uuid }] = (await shop.as('viewer').get('/orders')).body
    await shop.as('editor').patch(`/orders/${uuid}`, { expected_number_of_shipments: 3 })
    await sendAll(sender, [['orders/updated', order({ updated_at: '2026-11-02T12:00:00Z' })]])
    expect(await stateOf(shop)).toMatchObject([{ expected_number_of_shipments: 3 }])
  })

  it('does not get back a shipment that the merchant has deleted', async () => {
    const { shop, sender } = await open()
    await sendAll(sender, [
      ['orders/create', order()],
      ['fulfillments/create', fulfillment()],
    ])
    await shop.as('editor').delete('/orders/1001/shipments/00340434161094042557')
    const later = { updated_at: '2026-11-04T12:00:00Z', fulfillments: [fulfillment()], ...moved('New Street 2') }
    await sendAll(sender, [['orders/updated', order(later)]])
    const [state] = await stateOf(shop)
    expect(state).toMatchObject({ address: { street: 'New Street 2' }, trackings: [{ tracking_number: null }] })
  })

  it('that was deleted stays, with its unsent part cancelled, whatever arrives late', async () => {
    const { shop, sender } = await open()
    await sendAll(sender, [
      ['orders/delete', { id: 5550000000001 }, { 'x-shopify-triggered-at': '2026-11-05T09:00:00.123456789Z' }],
      ['orders/create', order()],
      ['orders/updated', order({ updated_at: '2026-11-03T09:00:00Z' })],
    ])
    expect(await stateOf(shop)).toMatchObject([
      {
        trackings: [
          { phase: 'order_cancelled', events: [expect.any(String), 'ORDER_CANCELLED 2026-11-05T09:00:00.123Z'] },
        ],
      },
    ])
  })
})

describe('parcel that a carrier has scanned', () => {
  it('stays when its fulfilment is cancelled', async () => {
    const { shop, sender } = await open()
    await sendAll(sender, [
      ['orders/create', order()],
      ['fulfillments/create', fulfillment()],
    ])
    const scan = { event_name: 'OUT_FOR_DELIVERY', id: '00340434161094042557', event_time: '2026-11-04T07:00:00Z' }
    expect((await shop.as('editor').post('/shipment-events', scan)).status).toBe(200)
    await sendAll(sender, [
      ['fulfillments/update', fulfillment({ status: 'cancelled', updated_at: '2026-11-04T09:00:00Z' })],
    ])
    const [state] = await stateOf(shop)
    expect(state.trackings).toContainEqual(
      expect.objectContaining({ tracking_number: '00340434161094042557', phase: 'in_delivery' }),
    )
  })
})

describe('corrected tracking number', () => {
  it('is tracked instead of the other, without its scans', async () => {
    const shop = await makeShop({ settings: { carriers_enabled: true } })
    const sender = await senderOf(shop, 'shopify')
    const followed = async () => {
      const { database } = await theService()
      const { uuid } = (await shop.as('superadmin').get('')).body
      const rows = await database.db.selectFrom('tracked_parcels').where('shop_id', '=', uuid).selectAll().execute()
      return rows.map(({ tracking_number }) => tracking_number)
    }
    await sendAll(sender, [
      ['orders/create', order()],
      ['fulfillments/create', fulfillment()],
    ])
    expect(await followed()).toEqual(['00340434161094042557'])
    const scan = { event_name: 'OUT_FOR_DELIVERY', id: '00340434161094042557', event_time: '2026-11-04T07:00:00Z' }
    await shop.as('editor').post('/shipment-events', scan)
    const corrected = { updated_at: '2026-11-04T09:00:00Z', tracking_numbers: ['00340434161094042564'] }
    await sendAll(sender, [['fulfillments/update', fulfillment(corrected)]])
    const [state] = await stateOf(shop)
    expect(state.trackings[0]).toMatchObject({
      tracking_number: '00340434161094042564',
      phase: 'order_processed',
      events: [expect.stringContaining('ORDER_CREATED'), expect.stringContaining('ORDER_PROCESSED')],
    })
    expect(await followed()).toEqual(['00340434161094042564'])
    const cancelled = { ...corrected, status: 'cancelled', updated_at: '2026-11-04T10:00:00Z' }
    await sendAll(sender, [['fulfillments/update', fulfillment(cancelled)]])
    expect(await followed()).toEqual([])
  })
})

describe('messages at the same time', () => {
  it('about one order are processed one after the other', async () => {
    const { shop, sender } = await open()
    const messages: Message[] = [
      ['orders/create', order()],
      ['orders/updated', order({ updated_at: '2026-11-02T12:00:00Z', fulfillments: [fulfillment()] })],
      ['fulfillments/create', fulfillment()],
      ['fulfillments/update', fulfillment({ updated_at: '2026-11-03T16:00:00Z', tracking_company: 'DHL' })],
      ['orders/cancelled', order({ updated_at: '2026-11-04T12:00:00Z', cancelled_at: '2026-11-04T12:00:00Z' })],
    ]
    const replies = await Promise.all([...messages, ...messages].map(([topic, body]) => sender.send(topic, body)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const [state] = await stateOf(shop)
    expect(state.trackings).toMatchObject([
      { tracking_number: '00340434161094042557', phase: 'order_processed' },
      { tracking_number: null, phase: 'order_cancelled' },
    ])
  })
})

describe('repeated message', () => {
  it('publishes each event once', async () => {
    const { shop, sender } = await open()
    const receiver = await startReceiver()
    await shop.as('admin').post('/webhooks', { url: `${receiver.url}/hook` })
    const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000).toISOString()
    const times = { created_at: ago(50), processed_at: ago(50) }
    const parcel = (fields: Payload) => fulfillment({ created_at: ago(30), updated_at: ago(30), ...fields })
    const messages: Message[] = [
      ['orders/create', order({ ...times, updated_at: ago(50) })],
      ['fulfillments/create', parcel({})],
      ['fulfillments/update', parcel({ updated_at: ago(20), tracking_numbers: ['00340434161094042564'] })],
      ['orders/cancelled', order({ ...times, updated_at: ago(10), cancelled_at: ago(10) })],
    ]
    await sendAll(sender, messages)
    await sendAll(sender, messages)
    await settle()
    const published = receiver.received.map(
      ({ body }) => `${body.event_data.event_name} ${body.event_data.tracking_number ?? ''}`,
    )
    expect(published.sort()).toEqual([
      'ORDER_CANCELLED ',
      'ORDER_CREATED ',
      'ORDER_CREATED ',
      'ORDER_PROCESSED 00340434161094042557',
    ])
    await receiver.close()
  })
})

describe('woocommerce', () => {
  const woo = (fields: Payload = {}) => payload('woocommerce-order', fields)
  const tracked = (fields: Payload = {}) => {
    const meta = payload('woocommerce-tracking-meta')
    return { ...meta, value: [{ ...meta.value[0], ...fields }] }
  }

  it('fulfils by the plug-ins, withdraws removed numbers, and distinguishes a part from the whole', async () => {
    const shop = await makeShop()
    const sender = await senderOf(shop, 'woocommerce')
    const all = tracked({ products_list: [], tracking_id: 'second', tracking_number: '00340434161094042564' })
    await sendAll(sender, [
      ['order.created', woo()],
      ['order.updated', woo({ date_modified_gmt: '2026-11-03T10:00:00', meta_data: [tracked()] })],
    ])
    expect(await stateOf(shop)).toMatchObject([
      {
        status: 'partially_fulfilled',
        trackings: [{ tracking_number: '00340434161094042557' }, { tracking_number: null }],
      },
    ])
    await sendAll(sender, [['order.updated', woo({ date_modified_gmt: '2026-11-04T10:00:00', meta_data: [all] })]])
    expect(await stateOf(shop)).toMatchObject([
      { status: 'fulfilled', trackings: [{ tracking_number: '00340434161094042564' }] },
    ])
    await sendAll(sender, [
      ['order.updated', woo({ date_modified_gmt: '2026-11-03T10:00:00', meta_data: [tracked()] })],
    ])
    expect(await stateOf(shop)).toMatchObject([{ trackings: [{ tracking_number: '00340434161094042564' }] }])
  })

  it('cancels, reopens, deletes and restores', async () => {
    const shop = await makeShop()
    const sender = await senderOf(shop, 'woocommerce')
    const phase = async () => (await stateOf(shop))[0].trackings.map((tracking: Payload) => tracking.phase)
    await sendAll(sender, [['order.created', woo()]])
    await sendAll(sender, [['order.updated', woo({ status: 'cancelled', date_modified_gmt: '2026-11-03T10:00:00' })]])
    expect(await phase()).toEqual(['order_cancelled'])
    await sendAll(sender, [['order.updated', woo({ date_modified_gmt: '2026-11-03T11:00:00' })]])
    expect(await phase()).toEqual(['order_created'])
    await sendAll(sender, [['order.deleted', { id: 727 }]])
    expect(await phase()).toEqual(['order_cancelled'])
    await sendAll(sender, [['order.updated', woo({ date_modified_gmt: '2026-11-03T12:00:00' })]])
    expect(await phase()).toEqual(['order_cancelled'])
    await sendAll(sender, [['order.restored', woo({ date_modified_gmt: '2026-11-03T12:00:00' })]])
    expect(await phase()).toEqual(['order_created'])
  })
})

describe('shopware', () => {
  it('fulfils by the codes of its deliveries, and cancels what has none', async () => {
    const shop = await makeShop()
    const sender = await senderOf(shop, 'shopware')
    const at = (event: string, change: (order: Payload) => void) => {
      const body = payload('shopware-order')
      body.data.event = event
      change(body.data.payload.order)
      return body
    }
    const shipped = at('state_enter.order_delivery.state.shipped', ({ deliveries: [delivery] }) => {
      delivery.trackingCodes = ['00340434161094042557', '00340434161094042564']
      delivery.stateMachineState.technicalName = 'shipped'
      delivery.updatedAt = '2026-11-03T15:00:00.000+00:00'
    })
    await sendAll(sender, [
      ['', shipped],
      ['', payload('shopware-order')],
    ])
    expect(await stateOf(shop)).toMatchObject([
      {
        status: 'fulfilled',
        expected_number_of_shipments: 2,
        trackings: [
          { tracking_number: '00340434161094042557', titles: ['1 Rain jacket'] },
          { tracking_number: '00340434161094042564' },
        ],
      },
    ])
    const second = await makeShop()
    const other = await senderOf(second, 'shopware')
    const cancelled = at('state_enter.order.state.cancelled', (order) => {
      order.stateMachineState.technicalName = 'cancelled'
      order.updatedAt = '2026-11-03T15:00:00.000+00:00'
    })
    await sendAll(other, [
      ['', cancelled],
      ['', payload('shopware-order')],
    ])
    expect(await stateOf(second)).toMatchObject([{ trackings: [{ phase: 'order_cancelled' }] }])
  })
})
