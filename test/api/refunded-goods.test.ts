import { describe, expect, it } from 'vitest'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { type Payload, payload, senderOf } from '../harness/shop-systems.ts'

const start = clock.now().getTime()
const ago = (minutes: number) => new Date(start - minutes * 60_000).toISOString()
const quantities = (products: Payload[]) => products.map(({ title, quantity }) => [title, quantity])

async function open(system: 'shopify' | 'shopware') {
  const shop = await makeShop()
  const sender = await senderOf(shop, system)
  return {
    async send(topic: string, body: Payload) {
      const reply = await sender.send(topic, body)
      expect(reply.status, reply.text).toBe(200)
    },
    async read(): Promise<Payload> {
      const { body } = await shop.as('viewer').get('/orders')
      expect(body).toHaveLength(1)
      return body[0]
    },
  }
}

describe('goods of Shopify that were refunded', () => {
  const base = payload('shopify-order', { created_at: ago(300), processed_at: ago(300), updated_at: ago(300) })
  const [jacket, boots] = base.line_items
  const parcel = (fields: Payload = {}) =>
    payload('shopify-fulfillment', { created_at: ago(200), updated_at: ago(200), ...fields })
  const refund = (item: Payload, restock_type: string): Payload => ({
    id: 870,
    order_id: base.id,
    created_at: ago(100),
    note: null,
    restock: true,
    refund_line_items: [
      { id: 1, line_item_id: item.id, quantity: 1, restock_type, location_id: 6_550_000, subtotal: item.price },
    ],
    transactions: [],
  })

  it('after they were sent no longer count as sent, and the rest is still expected', async () => {
    const { send, read } = await open('shopify')
    await send('orders/create', base)
    await send('orders/partially_fulfilled', { ...base, updated_at: ago(200), fulfillments: [parcel()] })
    expect(await read()).toMatchObject({ expected_number_of_shipments: 2, status: 'partially_fulfilled' })
    await send('orders/updated', {
      ...base,
      updated_at: ago(100),
      financial_status: 'partially_refunded',
      fulfillments: [parcel()],
      line_items: [{ ...jacket, current_quantity: 0, fulfillable_quantity: 0 }, boots],
      refunds: [refund(jacket, 'return')],
    })
    const order = await read()
    expect(order).toMatchObject({ expected_number_of_shipments: 2, status: 'partially_fulfilled' })
    expect(quantities(order.products)).toEqual([['Boots', 1]])
    // The parcel knows nothing of the refund.
    await send('fulfillments/update', parcel({ updated_at: ago(90), shipment_status: 'in_transit' }))
    expect(await read()).toMatchObject({ expected_number_of_shipments: 2, status: 'partially_fulfilled' })
  })

  it('leave their parcel, whichever message comes last', async () => {
    const { send, read } = await open('shopify')
    const both = parcel({
      line_items: [
        { ...jacket, quantity: 1 },
        { ...boots, quantity: 1 },
      ],
    })
    await send('orders/fulfilled', { ...base, updated_at: ago(200), fulfillments: [both] })
    expect(quantities((await read()).trackings[0].products)).toEqual([
      ['Rain jacket', 1],
      ['Boots', 1],
    ])
    await send('orders/updated', {
      ...base,
      updated_at: ago(100),
      fulfillments: [both],
      line_items: [{ ...jacket, current_quantity: 0 }, boots],
      refunds: [refund(jacket, 'return')],
    })
    expect(quantities((await read()).trackings[0].products)).toEqual([['Boots', 1]])
    await send('fulfillments/update', { ...both, updated_at: ago(90) })
    expect(quantities((await read()).trackings[0].products)).toEqual([['Boots', 1]])
  })

  it('before they were sent are taken from what is still to be sent', async () => {
    const { send, read } = await open('shopify')
    await send('orders/updated', {
      ...base,
      updated_at: ago(100),
      fulfillments: [parcel()],
      line_items: [jacket, { ...boots, current_quantity: 0, fulfillable_quantity: 0 }],
      refunds: [refund(boots, 'cancel')],
    })
    const order = await read()
    expect(order).toMatchObject({ expected_number_of_shipments: 1, status: 'fulfilled' })
    expect(quantities(order.trackings[0].products)).toEqual([['Rain jacket', 1]])
  })
})

describe('goods of Shopware that were taken out of the order', () => {
  it('leave the order and its parcel', async () => {
    const { send, read } = await open('shopware')
    const message = payload('shopware-order')
    const { order } = message.data.payload
    const [item] = order.lineItems
    const socks = { ...item, id: 'd2f1a90c2fe943f6829cab2e8d6e0b42', label: 'Socks', quantity: 2, type: 'product' }
    const position = (of: Payload) => ({ id: of.id, orderLineItemId: of.id, quantity: of.quantity, price: {} })
    const [delivery] = order.deliveries
    const state = (minutes: number, items: Payload[], positions = items.map(position)) => {
      const changed = {
        ...order,
        updatedAt: ago(minutes),
        lineItems: items,
        deliveries: [
          {
            ...delivery,
            updatedAt: ago(minutes),
            trackingCodes: ['00340434161094042557'],
            stateMachineState: { technicalName: 'shipped' },
            positions,
          },
        ],
      }
      const data = { event: 'state_enter.order.state.in_progress', payload: { order: changed } }
      return { ...message, data, timestamp: Math.round(Date.parse(ago(minutes)) / 1_000) }
    }
    await send('', state(100, [item, socks]))
    expect(quantities((await read()).trackings[0].products)).toContainEqual(['Socks', 2])
    // Whether the administration has recalculated the delivery, or an ERP has changed the line alone.
    const fewer = { ...socks, quantity: 1 }
    await send('', state(90, [item, fewer], [item, socks].map(position)))
    expect(quantities((await read()).products)).toContainEqual(['Socks', 1])
    expect(quantities((await read()).trackings[0].products)).toContainEqual(['Socks', 1])
    await send('', state(80, [item]))
    expect((await read()).products).toHaveLength(1)
    expect((await read()).trackings[0].products).toHaveLength(1)
  })
})
