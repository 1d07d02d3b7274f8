import { describe, expect, it } from 'vitest'
import type { ReportedChange, ReportedOrder } from '../../../src/adapters/shop-systems/shop-system.ts'
import { adapter } from '../../../src/adapters/shop-systems/shopify/adapter.ts'
import { shipmentStatuses } from '../../../src/adapters/shop-systems/shopify/shipment-status.ts'
import { getMeaning } from '../../../src/platform/catalogue/catalogue.ts'
import { type Payload, payload } from '../../harness/shop-systems.ts'

function read(topic: string, body: Payload | string): ReportedChange[] {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return adapter.read({ bytes, headers: { 'x-shopify-topic': topic } })
}

function orderOf(fields: Payload = {}, topic = 'orders/updated'): ReportedOrder {
  const [change] = read(topic, payload('shopify-order', fields))
  if (change?.kind !== 'order') throw new Error('not an order')
  return change.order
}

const [jacket, boots] = payload('shopify-order').line_items
const set = (shop: string, paid: string) => ({
  shop_money: { amount: shop, currency_code: 'EUR' },
  presentment_money: { amount: paid, currency_code: 'SEK' },
})

/** An order of a shop in euros, paid in crowns. */
const abroad: Payload = {
  presentment_currency: 'SEK',
  total_price_set: set('154.75', '1750.50'),
  current_total_price_set: set('154.75', '1750.50'),
  current_subtotal_price_set: set('149.80', '1694.00'),
  current_total_discounts_set: set('10.00', '113.00'),
  total_shipping_price_set: set('4.95', '56.50'),
  discount_codes: [{ code: 'WELCOME10', amount: '10.00', type: 'fixed_amount' }],
  discount_applications: [
    {
      target_type: 'line_item',
      type: 'discount_code',
      value: '10.0',
      value_type: 'fixed_amount',
      allocation_method: 'across',
      target_selection: 'all',
      code: 'WELCOME10',
    },
  ],
  line_items: [
    {
      ...jacket,
      price_set: set('89.90', '1016.00'),
      discount_allocations: [
        { amount: '6.00', amount_set: set('6.00', '67.80'), discount_application_index: 0 },
        { amount: '0.00', discount_application_index: 7 },
      ],
    },
    {
      ...boots,
      discount_allocations: [{ amount: '4.00', amount_set: set('4.00', '45.20'), discount_application_index: 0 }],
    },
  ],
}

describe('money', () => {
  it('is in the currency that the customer paid in', () => {
    expect(orderOf(abroad).fields).toMatchObject({
      currency: 'SEK',
      total_order_price: 1750.5,
      shipping_price: 56.5,
      sub_total_price: 1694,
      discount_price: 113,
      products: [{ title: 'Rain jacket', price: 1016 }, { title: 'Boots' }],
      discounts: [{ code: 'WELCOME10', amount: '113.00', type: 'fixed_amount' }],
    })
    // An amount in another currency would be misread as one in this.
    expect(orderOf(abroad).fields.products?.[1]).not.toHaveProperty('price')
  })

  it('of a code is left out if the message has it in the shop’s currency only', () => {
    const withoutShares = { line_items: [jacket, boots].map((line) => ({ ...line, discount_allocations: [] })) }
    expect(orderOf({ ...abroad, ...withoutShares }).fields.discounts).toEqual([
      { code: 'WELCOME10', type: 'fixed_amount' },
    ])
    const { discount_codes, discount_applications } = abroad
    expect(orderOf({ discount_codes, discount_applications, ...withoutShares }).fields.discounts).toEqual([
      { code: 'WELCOME10', amount: '10.00', type: 'fixed_amount' },
    ])
  })

  it('is in the shop’s currency if the message has no other', () => {
    expect(orderOf({ presentment_currency: 'SEK', total_shipping_price_set: undefined }).fields).toMatchObject({
      currency: 'EUR',
      total_order_price: 154.75,
      shipping_price: 4.95,
      products: [{ price: 89.9 }, { price: 69.9 }],
    })
  })
})

describe('order of Shopify', () => {
  it('has automatic discounts by their title', () => {
    const application = { type: 'automatic', value: '15.0', value_type: 'percentage', target_type: 'line_item' }
    const allocation = (amount: string, index: number) => ({ amount, discount_application_index: index })
    const { fields } = orderOf({
      discount_codes: [],
      discount_applications: [
        { ...application, title: 'Autumn sale' },
        {
          ...application,
          type: 'manual',
          title: 'For the delay',
          description: 'For the delay',
          value_type: 'fixed_amount',
        },
        { ...application, title: 'Free shipping', target_type: 'shipping_line' },
      ],
      line_items: [
        { ...jacket, discount_allocations: [allocation('13.49', 0), allocation('5.00', 1)] },
        { ...boots, discount_allocations: [] },
      ],
      shipping_lines: [{ id: 9001, price: '4.95', discount_allocations: [allocation('4.95', 2)] }],
    })
    expect(fields.discounts).toEqual([
      { code: 'Autumn sale', amount: '13.49', type: 'percentage' },
      { code: 'For the delay', amount: '5.00', type: 'fixed_amount' },
      { code: 'Free shipping', amount: '4.95', type: 'shipping' },
    ])
  })

  it('has properties of line items, except hidden ones', () => {
    const properties = [
      { name: 'Engraving', value: 'For Ada' },
      { name: '_bundle_id', value: 'b-1' },
      { name: 'Empty', value: '' },
    ]
    const { fields } = orderOf({
      line_items: [
        { ...jacket, properties },
        { ...boots, properties: { Size: 'wide' } },
      ],
    })
    expect(fields.products).toMatchObject([
      { properties: [{ name: 'Engraving', value: 'For Ada' }] },
      { properties: [{ name: 'Size', value: 'wide' }] },
    ])
  })

  it.each([
    ['the address', {}, '+49 30 1234567'],
    ['the order', { phone: '+491' }, '+491'],
    ['the customer', { customer: { id: 7, phone: '+492' } }, '+492'],
    ['the billing address', { billing_address: { name: 'Ada', phone: '+493' } }, '+493'],
  ])('has the phone number of %s', (where, fields, phone) => {
    const address = payload('shopify-order').shipping_address
    const shipping_address = where === 'the address' ? address : { ...address, phone: null }
    expect(orderOf({ shipping_address, ...fields }).fields.address).toMatchObject({ phone, zip_code: '10115' })
  })

  it('has a phone number without an address, unless the message has no address at all', () => {
    const none = { shipping_address: null, billing_address: null, phone: '+491' }
    expect(orderOf(none).fields.address).toEqual({ name: 'Ada Example', phone: '+491', zip_code: null })
    const silent = { ...none, shipping_address: undefined, billing_address: undefined }
    expect(orderOf(silent).fields).not.toHaveProperty('address')
  })

  it('has the shipping method that the customer chose', () => {
    expect(orderOf({}).fields).toMatchObject({ shipping_method: 'Standard' })
    expect(orderOf({ shipping_lines: [] }).fields).not.toHaveProperty('shipping_method')
  })

  it('is read from orders/paid like from other topics', () => {
    expect(orderOf({ financial_status: 'paid' }, 'orders/paid').fields).toMatchObject({ financial_status: 'paid' })
  })

  it('has exact ids above 2^53', () => {
    const text = JSON.stringify(payload('shopify-order'))
      .replace('"id":5550000000001,"admin_graphql_api_id":"gid://shopify/Order/5550000000001"', '"id":9007199254740993')
      .replace('"product_id":4711', '"product_id":9007199254740995')
      .replace('"variant_id":47110', '"variant_id":9223372036854775807')
      .replace('"id":7770000000001', '"id":9007199254740997')
      .replace('"note":null', '"note":"the number 9007199254740993 \\\\\\" 9007199254740995"')
    const [change] = read('orders/create', text)
    expect(change).toMatchObject({
      order: {
        id: '9007199254740993',
        fields: {
          external_customer_id: '9007199254740997',
          products: [{ product_id: '9007199254740995', variant_id: '9223372036854775807' }, {}],
        },
      },
    })
    const fulfillment = '{"id":9007199254740999,"order_id":9007199254740993,"status":"success","tracking_number":"A1"}'
    expect(read('fulfillments/create', fulfillment)).toMatchObject([
      { orderId: '9007199254740993', fulfilment: { id: '9007199254740999' } },
    ])
    const product = '{"id":9007199254740995,"title":"Hat","variants":[{"id":9007199254741001,"title":"Red"}]}'
    expect(read('products/update', product)).toMatchObject([
      { product: { id: '9007199254740995', variants: [{ variant_id: '9007199254741001' }] } },
    ])
    expect(read('orders/delete', '{"id":9007199254740993}')).toMatchObject([{ orderId: '9007199254740993' }])
  })
})

describe('nothing to send', () => {
  const gone = (item: Payload, fields: Payload) => ({ ...item, ...fields })
  it.each([
    ['a gift card', [gone(jacket, { gift_card: true })], {}, true],
    ['digital', [gone(jacket, { requires_shipping: false })], {}, true],
    ['digital beside a parcel', [gone(jacket, { requires_shipping: false }), boots], {}, false],
    ['removed', [gone(jacket, { current_quantity: 0 })], {}, true],
    ['refunded in full', [jacket], { financial_status: 'refunded' }, true],
    ['cancelled', [gone(jacket, { current_quantity: 0 })], { cancelled_at: '2026-11-03T10:00:00Z' }, false],
    [
      'refunded by a list of items',
      [gone(jacket, { current_quantity: undefined })],
      { refunds: [{ refund_line_items: [{ line_item_id: 1001, quantity: 1, restock_type: 'no_restock' }] }] },
      true,
    ],
    ['to be sent', [jacket, boots], {}, false],
  ])('%s', (_what, line_items, fields, expected) => {
    const order = orderOf({ line_items, ...fields })
    expect(order.nothingToSend).toBe(expected)
    // Fully refunded or removed items are still shown as ordered.
    expect(order.fields.products).toMatchObject([
      { title: 'Rain jacket', quantity: 1 },
      ...line_items.slice(1).map(() => ({})),
    ])
  })
})

describe('handed over without tracking', () => {
  const parcel = payload('shopify-fulfillment')
  const bare = { ...parcel, tracking_number: null, tracking_numbers: [] }
  const card = { ...bare, id: 2, admin_graphql_api_id: null, line_items: [{ ...jacket, gift_card: true }] }
  it.each([
    ['fulfilled without a number', 'fulfilled', [bare], true],
    ['fulfilled with one', 'fulfilled', [parcel], false],
    ['a gift card beside a parcel', 'fulfilled', [parcel, card], false],
    ['sent in part', 'partial', [bare], false],
    ['a cancelled one beside a parcel', 'fulfilled', [parcel, { ...bare, id: 3, status: 'cancelled' }], false],
  ])('%s', (_what, fulfillment_status, fulfillments, expected) => {
    expect(orderOf({ fulfillment_status, fulfillments }).handedOverWithoutTracking).toBe(expected)
  })

  it('is undefined in a message without fulfilments', () => {
    expect(orderOf({ fulfillment_status: 'fulfilled', fulfillments: undefined })).not.toHaveProperty(
      'handedOverWithoutTracking',
    )
  })

  it('a fulfilment of gift cards only is not a parcel', () => {
    expect(read('fulfillments/create', card)).toEqual([])
    expect(orderOf({ fulfillments: [card] }).fulfilments).toEqual([])
  })
})

describe('shipment_status', () => {
  // FulfillmentEventStatus of the Admin and Customer API, and the states that REST adds.
  const documented =
    'attempted_delivery carrier_picked_up confirmed delayed delivered failure in_transit label_printed label_purchased out_for_delivery picked_up ready_for_pickup'
  it.each(documented.split(' '))('%s has its event', (status) => {
    expect(getMeaning(shipmentStatuses[status] ?? '').name).toBe(shipmentStatuses[status])
    const updated_at = '2026-11-04T07:00:00Z'
    expect(
      read('fulfillments/update', payload('shopify-fulfillment', { shipment_status: status, updated_at })),
    ).toMatchObject([
      { fulfilment: { scans: [{ code: status, eventName: shipmentStatuses[status], time: new Date(updated_at) }] } },
    ])
    const event = { id: 1, order_id: 2, fulfillment_id: 3, status, happened_at: updated_at }
    expect(read('fulfillment_events/create', event)).toMatchObject([
      { kind: 'scan', orderId: '2', fulfilmentId: '3', scan: { eventName: shipmentStatuses[status], isState: false } },
    ])
  })

  it('that is unknown or missing has no event', () => {
    const [change] = read('fulfillments/update', payload('shopify-fulfillment', { shipment_status: 'constructor' }))
    expect(change).not.toHaveProperty('fulfilment.scans')
    expect(read('fulfillment_events/create', { order_id: 1, fulfillment_id: 2, status: 'teleported' })).toEqual([])
  })
})

describe('missing field', () => {
  it('is absent', () => {
    const empty = {
      line_items: [],
      discount_codes: [],
      discount_applications: [],
      note_attributes: [],
      landing_site: null,
      landing_site_ref: null,
    }
    const { fields } = orderOf({ ...empty, shipping_lines: undefined, total_shipping_price_set: undefined })
    for (const name of ['products', 'discounts', 'order_analytics', 'shipping_price']) {
      expect(fields).not.toHaveProperty(name)
    }
  })
})
