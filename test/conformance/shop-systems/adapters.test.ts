import { describe, expect, it } from 'vitest'
import { type ShopSystemName, shopSystemNames } from '../../../src/adapters/shop-systems/registry.ts'
import type { ReportedChange, ShopSystemAdapter } from '../../../src/adapters/shop-systems/shop-system.ts'
import { adapter as shopify } from '../../../src/adapters/shop-systems/shopify/adapter.ts'
import { adapter as shopware } from '../../../src/adapters/shop-systems/shopware/adapter.ts'
import { adapter as woocommerce } from '../../../src/adapters/shop-systems/woocommerce/adapter.ts'
import type { SignedMessage } from '../../../src/platform/foundation/operation.ts'
import { awkward, type Payload, payload, placesOf, replaced, signed } from '../../harness/shop-systems.ts'

const shopSystems: Record<ShopSystemName, ShopSystemAdapter> = { shopify, shopware, woocommerce }
const secret = 'a-secret-of-sixteen-or-more'

function message(system: ShopSystemName, topic: string, body: Payload | string): SignedMessage {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { bytes: Buffer.from(text), headers: signed(system, secret, topic, text) }
}

function read(system: ShopSystemName, topic: string, body: Payload | string): ReportedChange[] {
  return shopSystems[system].read(message(system, topic, body))
}

describe.each(shopSystemNames)('%s', (system) => {
  const { isSigned } = shopSystems[system]
  const right = message(system, 'orders/create', { id: 1, name: 'Ünïcode' })

  it('accepts its own signature only', () => {
    expect(isSigned(right, secret)).toBe(true)
    expect(isSigned(right, `${secret}x`)).toBe(false)
    expect(isSigned({ ...right, bytes: Buffer.concat([right.bytes, Buffer.from(' ')]) }, secret)).toBe(false)
    expect(isSigned({ ...right, headers: {} }, secret)).toBe(false)
    expect(isSigned({ bytes: Buffer.alloc(0), headers: {} }, secret)).toBe(false)
  })

  it.each(['', '{', '[]', 'null', '"text"', '\u0000'])('rejects the body %j, and names the field', (text) => {
    const topic = system === 'shopify' ? 'orders/create' : 'order.created'
    expect(() => read(system, topic, text)).toThrow(expect.objectContaining({ key: 'invalid_payload', status: 422 }))
  })

  it('ignores an unknown topic', () => {
    const body = { data: { event: 'customer.written', payload: [] } }
    expect(read(system, 'customers/create', body)).toEqual([])
    expect(read(system, 'customer.created', body)).toEqual([])
  })
})

describe('message', () => {
  it.each([
    ['shopify', 'orders/create', payload('shopify-order')],
    ['shopify', 'fulfillments/create', payload('shopify-fulfillment')],
    ['shopify', 'products/create', payload('shopify-product')],
    [
      'woocommerce',
      'order.created',
      payload('woocommerce-order', { meta_data: [payload('woocommerce-tracking-meta')] }),
    ],
    ['woocommerce', 'product.created', payload('woocommerce-product')],
    ['shopware', '', payload('shopware-order')],
  ] as const)('of %s %s is read or rejected, whatever is in any of its fields', (system, topic, body) => {
    let readable = 0
    for (const place of placesOf(body)) {
      for (const value of awkward) {
        try {
          const texts = textsOf(read(system, topic, replaced(body, place, value)))
          if (texts.length > 0) readable += 1
          const unstorable = texts.filter((text) => text.includes('\0') || /[\ud800-\udfff]/u.test(text))
          if (unstorable.length > 0) expect(unstorable, place.join('.')).toEqual([])
        } catch (error) {
          expect(error, place.join('.')).toMatchObject({ key: 'invalid_payload' })
        }
      }
    }
    // Most fields may be anything: the message is still read.
    expect(readable).toBeGreaterThan((placesOf(body).length * awkward.length) / 2)
  })
})

describe('shopify', () => {
  it('reads an order', () => {
    const [change] = read('shopify', 'orders/create', payload('shopify-order'))
    expect(change).toMatchObject({
      kind: 'order',
      order: {
        id: '5550000000001',
        orderNumber: '1001',
        changedAt: new Date('2026-11-02T09:30:02Z'),
        cancelledAt: null,
        quantity: 2,
        fulfilments: [],
        fields: {
          order_name: '#1001',
          order_placed_at: '2026-11-02T09:30:00.000Z',
          total_order_price: 154.75,
          shipping_price: 4.95,
          sub_total_price: 159.8,
          discount_price: 10,
          email_id: 'ada@example.com',
          currency: 'EUR',
          weight: 1700,
          external_customer_id: '7770000000001',
          financial_status: 'paid',
          discounts: [{ code: 'WELCOME10', amount: '10.00', type: 'fixed_amount' }],
          address: { name: 'Ada Example', street: 'Example Street 1', zip_code: '10115', country_code: 'DE' },
          products: [
            { title: 'Rain jacket', quantity: 1, price: 89.9, sku: 'RJ-42', product_id: '4711', variant_id: '47110' },
            { title: 'Boots', quantity: 1, price: 69.9 },
          ],
        },
      },
    })
  })

  it('leaves out items that were removed by an edit, except for a cancelled order', () => {
    const order = payload('shopify-order')
    order.line_items[1].current_quantity = 0
    const titles = (body: Payload) => {
      const [change] = read('shopify', 'orders/updated', body)
      return change?.kind === 'order' ? change.order.fields.products?.map(({ title }) => title) : []
    }
    expect(titles(order)).toEqual(['Rain jacket'])
    order.line_items[0].current_quantity = 0
    expect(titles({ ...order, cancelled_at: '2026-11-03T10:00:00Z' })).toEqual(['Rain jacket', 'Boots'])
  })

  it('reads large ids exactly, from the GraphQL id', () => {
    const body =
      '{"id":820982911946154508,"admin_graphql_api_id":"gid://shopify/Order/820982911946154508","order_number":1}'
    expect(read('shopify', 'orders/create', body)).toMatchObject([{ order: { id: '820982911946154508' } }])
  })

  it('reads every number of a fulfilment, each with its address', () => {
    const fulfillment = payload('shopify-fulfillment', {
      tracking_numbers: ['A1', 'A2', 'A1'],
      tracking_urls: ['https://carrier.example/A1', 'javascript:alert(1)'],
    })
    expect(read('shopify', 'fulfillments/create', fulfillment)).toMatchObject([
      {
        kind: 'fulfilment',
        orderId: '5550000000001',
        fulfilment: {
          id: '6660000000001',
          isActive: true,
          quantity: 1,
          parcels: [
            { tracking_number: 'A1', tracking_url: 'https://carrier.example/A1', tracking_company: 'DHL Paket' },
            { tracking_number: 'A2', products: [{ title: 'Rain jacket', quantity: 1 }] },
          ],
        },
      },
    ])
    expect(JSON.stringify(read('shopify', 'fulfillments/create', fulfillment))).not.toContain('javascript')
  })

  it.each([
    ['orders/create', {}, ['id', 'order_number']],
    ['orders/create', { id: 1 }, ['order_number']],
    ['fulfillments/create', { id: 1 }, ['order_id']],
    ['products/create', { id: 1 }, ['title']],
    ['orders/delete', {}, ['id']],
  ])('names what is missing in %s of %j', (topic, body, fields) => {
    const problems = fields.map((field) => ({ loc: ['body', field], msg: 'field required', type: 'missing' }))
    expect(() => read('shopify', topic, body)).toThrow(expect.objectContaining({ problems }))
  })
})

describe('woocommerce', () => {
  it('reads an order with what the tracking plug-ins add', () => {
    const order = payload('woocommerce-order', { meta_data: [payload('woocommerce-tracking-meta')] })
    expect(read('woocommerce', 'order.updated', order)).toMatchObject([
      {
        kind: 'order',
        order: {
          id: '727',
          orderNumber: 'W-727',
          changedAt: new Date('2026-11-02T09:30:05Z'),
          cancelledAt: null,
          quantity: 3,
          fields: {
            total_order_price: 94.85,
            sub_total_price: 94.9,
            address: { street: 'Example Street 1', zip_code: '10115', phone: '+49 30 1234567' },
            products: [
              { title: 'Rain jacket', variant_title: 'Blue', product_id: '93', variant_id: '94' },
              { title: 'Socks', product_id: '22', variant_id: '22' },
            ],
            discounts: [{ code: 'autumn', amount: '5.00', type: 'fixed_cart' }],
          },
          fulfilments: [
            {
              id: 'c4ca4238a0b923820dcc509a6f75849b',
              quantity: 1,
              parcels: [
                {
                  tracking_number: '00340434161094042557',
                  tracking_company: 'DHL Paket',
                  tracking_placed_at: '2026-11-03T15:00:00.000Z',
                  products: [{ title: 'Rain jacket', quantity: 1 }],
                },
              ],
            },
          ],
        },
      },
    ])
  })

  it('reads a list that PHP has encoded as an object', () => {
    const meta = payload('woocommerce-tracking-meta')
    const order = payload('woocommerce-order', { meta_data: [{ ...meta, value: { 1: meta.value[0] } }] })
    expect(read('woocommerce', 'order.updated', order)).toMatchObject([{ order: { fulfilments: [{ quantity: 1 }] } }])
  })

  it('falls back to the billing address if there is no shipping address', () => {
    const order = payload('woocommerce-order')
    order.shipping = Object.fromEntries(Object.keys(order.shipping).map((key) => [key, '']))
    expect(read('woocommerce', 'order.created', order)).toMatchObject([
      { order: { fields: { address: { zip_code: '20095' } } } },
    ])
  })

  it('does not read a draft as an order', () => {
    expect(read('woocommerce', 'order.created', payload('woocommerce-order', { status: 'checkout-draft' }))).toEqual([])
  })

  it('recognises the test form of a webhook', () => {
    const { isPing } = shopSystems.woocommerce
    expect(isPing?.({ bytes: Buffer.from('webhook_id=14'), headers: {} })).toBe(true)
    expect(isPing?.({ bytes: Buffer.from('webhook_id=14&x=1'), headers: {} })).toBe(false)
  })
})

describe('shopware', () => {
  const shipped = () => {
    const body = payload('shopware-order')
    body.data.event = 'state_enter.order_delivery.state.shipped'
    const [delivery] = body.data.payload.order.deliveries
    delivery.trackingCodes = ['00340434161094042557', '00340434161094042564']
    delivery.stateMachineState.technicalName = 'shipped'
    delivery.updatedAt = '2026-11-03T15:00:00.000+00:00'
    return body
  }

  it('reads an order', () => {
    expect(read('shopware', '', payload('shopware-order'))).toMatchObject([
      {
        kind: 'order',
        order: {
          id: '6e96bb30203e4355b6a10caeec40c1b3',
          orderNumber: '10001',
          cancelledAt: null,
          quantity: 1,
          fulfilments: [],
          fields: {
            order_placed_at: '2026-11-02T09:30:00.000Z',
            total_order_price: 94.85,
            currency: 'EUR',
            email_id: 'ada@example.com',
            address: { street: 'Example Street 1', zip_code: '10115', country_code: 'DE', address_line_2: '2nd floor' },
            products: [{ title: 'Rain jacket', variant_title: 'Blue / M', sku: 'RJ-42' }],
            discounts: [{ code: 'WELCOME5', amount: '5.00', type: 'absolute' }],
          },
        },
      },
    ])
  })

  it('reads the codes of a delivery, and counts its change as one of the order', () => {
    expect(read('shopware', '', shipped())).toMatchObject([
      {
        order: {
          changedAt: new Date('2026-11-03T15:00:00Z'),
          fulfilments: [
            {
              id: '2f41a90c2fe943f6829cab2e8d6e0b42',
              quantity: 1,
              parcels: [
                {
                  tracking_number: '00340434161094042557',
                  tracking_url: 'https://www.dhl.de/?piececode=00340434161094042557',
                },
                { tracking_number: '00340434161094042564' },
              ],
            },
          ],
        },
      },
    ])
  })

  it('recognises a cancelled order by its state, or by the event if it has no state', () => {
    const body = payload('shopware-order')
    body.data.event = 'state_enter.order.state.cancelled'
    delete body.data.payload.order.stateMachineState
    expect(read('shopware', '', body)).toMatchObject([{ order: { cancelledAt: new Date('2026-11-02T09:30:00.123Z') } }])
  })

  it('ignores the state that is left, and reads the one that is entered', () => {
    const body = shipped()
    body.data.event = 'state_leave.order_delivery.state.open'
    expect(read('shopware', '', body)).toEqual([])
  })

  it('lists the orders of a write, each once, and none of a version that is being edited', () => {
    const entry = { entity: 'order', operation: 'update', updatedFields: [] }
    const written = [
      { ...entry, primaryKey: '6e96bb30203e4355b6a10caeec40c1b3' },
      { ...entry, primaryKey: '6e96bb30203e4355b6a10caeec40c1b3', operation: 'delete' },
      { ...entry, primaryKey: '7e96bb30203e4355b6a10caeec40c1b3', versionId: '0fa91ce3e96a4bc2be4bd9ce752c3425' },
      { ...entry, primaryKey: '8e96bb30203e4355b6a10caeec40c1b3', versionId: 'c6ad1f1e3f0f4a6bbf6cbe84e5ee7e76' },
      { ...entry, primaryKey: "9e96bb'; drop table orders" },
      { ...entry, entity: 'order_address', primaryKey: '9e96bb30203e4355b6a10caeec40c1b3' },
    ]
    expect(read('shopware', '', { data: { event: 'order.written', payload: written } })).toEqual([
      {
        kind: 'orders changed',
        orders: [
          { orderId: '6e96bb30203e4355b6a10caeec40c1b3', isDeleted: true },
          { orderId: '7e96bb30203e4355b6a10caeec40c1b3', isDeleted: false },
        ],
      },
    ])
  })

  it('reads a delivery that was sent without a code, and ignores an unknown state', () => {
    const body = shipped()
    const { order } = body.data.payload
    const [delivery] = order.deliveries
    delivery.trackingCodes = []
    delete delivery.stateMachineState
    expect(read('shopware', '', body)).toMatchObject([
      {
        order: {
          hasAllFulfilments: true,
          fulfilments: [{ id: delivery.id, isActive: true, parcels: [] }],
          handedOverWithoutTracking: true,
        },
      },
    ])
    order.deliveries.push({
      ...delivery,
      id: 'ff41a90c2fe943f6829cab2e8d6e0b42',
      trackingCodes: ['00340434161094042557'],
    })
    const [mixed] = read('shopware', '', body)
    expect(mixed).toMatchObject({ order: { hasAllFulfilments: false, fulfilments: [] } })
    expect(mixed).not.toHaveProperty('order.handedOverWithoutTracking')
  })

  it('distinguishes what is to be sent, and the currency of the shop from that of the customer', () => {
    const body = shipped()
    const { order } = body.data.payload
    order.currencyFactor = 1
    expect(read('shopware', '', body)).toMatchObject([
      { order: { nothingToSend: false, handedOverWithoutTracking: false, shopCurrency: 'EUR' } },
    ])
    order.currencyFactor = 1.17
    order.lineItems[0].states = ['is-download']
    const [digital] = read('shopware', '', body)
    expect(digital).toMatchObject({ order: { nothingToSend: true } })
    expect(digital).not.toHaveProperty('order.shopCurrency')
  })

  it('reads downloads, refunds and the page of the order', () => {
    const body = payload('shopware-order')
    const { order } = body.data.payload
    order.lineItems[0].states = ['is-download']
    order.deepLinkCode = 'T1EsTgpJnsZ6'
    order.salesChannel = { domains: [{ url: 'https://shop.example/' }] }
    order.transactions = [
      { createdAt: '2026-11-04T09:30:00.000+00:00', stateMachineState: { technicalName: 'refunded' } },
      { createdAt: '2026-11-02T09:30:00.000+00:00', stateMachineState: { technicalName: 'failed' } },
    ]
    expect(read('shopware', '', body)).toMatchObject([
      {
        order: {
          fields: {
            products: [{ requires_shipping: false }],
            financial_status: 'refunded',
            discount_price: 5,
            order_status_url: 'https://shop.example/account/order/T1EsTgpJnsZ6',
          },
        },
      },
    ])
  })

  it('reads deleted products', () => {
    const entry = { entity: 'product', operation: 'delete', primaryKey: '7b04ebe416db4ebc93de4d791325e1d9' }
    const data = { event: 'product.written', payload: [entry, { ...entry, operation: 'update', primaryKey: 'other' }] }
    expect(read('shopware', '', { data, timestamp: 1_793_611_801 })).toMatchObject([
      { kind: 'product deleted', productId: '7b04ebe416db4ebc93de4d791325e1d9' },
    ])
  })
})

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
