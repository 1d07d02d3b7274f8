import { describe, expect, it } from 'vitest'
import type { OrderFields } from '../../../src/adapters/shop-systems/shop-system.ts'
import { readOrder as readShopify } from '../../../src/adapters/shop-systems/shopify/order.ts'
import { readOrder as readShopware } from '../../../src/adapters/shop-systems/shopware/order.ts'
import { readOrder as readWooCommerce } from '../../../src/adapters/shop-systems/woocommerce/order.ts'
import { gapIn } from '../../harness/amounts.ts'
import { type PricedOrder, shopifyOrder, shopwareOrder, type TaxStatus } from '../../harness/priced-orders.ts'
import { shopifyOrders, shopwareOrders, wooCommerceOrders } from '../../harness/shop-system-servers/orders.ts'
import { type Payload, payload } from '../../harness/shop-systems.ts'

const hats: PricedOrder = {
  lines: [
    { name: 'Felt hat', price: 36, quantity: 2 },
    { name: 'Cup', price: 8.49 },
  ],
  discount: 8.05,
  shipping: 5.9,
}
const shopify = (order: PricedOrder, isTaxIn: boolean, fields: Payload = {}) =>
  readShopify(shopifyOrder(order, isTaxIn, fields), undefined).fields
const readWare = (order: PricedOrder, taxStatus: TaxStatus, fields: Payload = {}) =>
  readShopware(shopwareOrder(order, taxStatus, fields), 'checkout.order.placed', undefined)
const shopware = (order: PricedOrder, taxStatus: TaxStatus, fields: Payload = {}) =>
  readWare(order, taxStatus, fields).fields

const isRounded = ({ fees = [] }: OrderFields) => fees.some(({ name }) => name === 'Rounding')

describe('parts of an order', () => {
  const orders: [string, PricedOrder][] = [
    ['discount', hats],
    ['no discount', { ...hats, discount: 0 }],
    ['all free', { ...hats, discount: 80.49, shipping: 0 }],
    ['indivisible', { ...hats, lines: [{ name: 'Pens', price: 0.33, quantity: 7 }], discount: 0.5 }],
    ['no tax', { ...hats, rate: 0 }],
    [
      'no decimals',
      {
        lines: [{ name: 'Tea', price: 1_201, quantity: 3 }],
        discount: 100,
        shipping: 500,
        currency: 'JPY',
        decimals: 0,
      },
    ],
    [
      'three decimals',
      { lines: [{ name: 'Oud', price: 12.345, quantity: 7 }], shipping: 1.5, currency: 'KWD', decimals: 3 },
    ],
  ]
  it.each(orders)('of Shopify add up to its total: %s', (_name, order) => {
    for (const isTaxIn of [true, false]) {
      for (const shippingDiscount of [0, order.shipping && order.shipping > 2 ? 1 : 0]) {
        const fields = shopify({ ...order, shippingDiscount }, isTaxIn)
        expect(gapIn(fields)).toBe(0)
        expect(isRounded(fields)).toBe(false)
      }
    }
  })

  it.each(orders)('of Shopware add up to its total: %s', (_name, order) => {
    for (const taxStatus of ['gross', 'net', 'tax-free'] as const) {
      const fields = shopware(order, taxStatus)
      expect(gapIn(fields)).toBe(0)
      expect(isRounded(fields)).toBe(false)
    }
  })

  it('of the usual fixtures add up to their totals', () => {
    const history = { count: 7, days: 30, now: new Date('2026-11-19T12:00:00Z') }
    const all: OrderFields[] = [
      readShopify(payload('shopify-order'), undefined).fields,
      readShopware(payload('shopware-order').data.payload.order, 'checkout.order.placed', undefined).fields,
      readWooCommerce(payload('woocommerce-order'), false).fields,
      ...shopifyOrders(history).map((order) => readShopify(order, undefined).fields),
      ...shopwareOrders(history).map((order) => readShopware(order, 'order.written', undefined).fields),
      ...wooCommerceOrders(history).map((order) => readWooCommerce(order, false).fields),
    ]
    expect(all.map(gapIn)).toEqual(all.map(() => 0))
  })
})

describe('Shopify', () => {
  it('has prices with tax as they are, and adds the tax to the others', () => {
    expect(shopify(hats, true)).toMatchObject({
      total_order_price: 78.34,
      sub_total_price: 80.49,
      shipping_price: 5.9,
      discount_price: 8.05,
      discounts: [{ code: 'SPRING', amount: '8.05' }, { code: 'Cheaper shipping' }],
      products: [
        { price: 36, line_subtotal: 72, line_total: 64.8 },
        { price: 8.49, line_total: 7.64 },
      ],
    })
    expect(shopify(hats, false)).toMatchObject({
      total_order_price: 93.22,
      sub_total_price: 95.78,
      shipping_price: 7.02,
      discount_price: 9.58,
      discounts: [{ code: 'SPRING', amount: '9.58' }, { code: 'Cheaper shipping' }],
      products: [
        { price: 42.84, line_subtotal: 85.68, line_total: 77.11 },
        { price: 10.1, line_subtotal: 10.1, line_total: 9.09 },
      ],
    })
  })

  it('has what is left of a line after an edit', () => {
    const order = shopifyOrder(hats, true)
    order.line_items[0].current_quantity = 1
    const total = { amount: '45.94', currency_code: 'EUR' }
    const left = {
      ...order,
      current_total_price: '45.94',
      current_total_price_set: { shop_money: total, presentment_money: total },
    }
    const { fields } = readShopify(left, undefined)
    expect(fields.products).toMatchObject([{ quantity: 1, price: 36, line_subtotal: 36, line_total: 32.4 }, {}])
    expect(fields.discount_price).toBe(4.45)
    expect(gapIn(fields)).toBe(0)
  })

  it('has refunded shipping taken off', () => {
    const order = shopifyOrder(hats, true)
    const money = (amount: string) => ({
      shop_money: { amount, currency_code: 'EUR' },
      presentment_money: { amount, currency_code: 'EUR' },
    })
    const order_adjustments = [
      {
        id: 1,
        kind: 'shipping_refund',
        amount: '-5.90',
        tax_amount: '0.00',
        amount_set: money('-5.90'),
        tax_amount_set: money('0.00'),
      },
    ]
    const refunded = {
      ...order,
      refunds: [{ id: 1, refund_line_items: [], order_adjustments }],
      current_total_price_set: money('72.44'),
    }
    const { fields } = readShopify(refunded, undefined)
    expect(fields).toMatchObject({ total_order_price: 72.44, shipping_price: 0 })
    expect(gapIn(fields)).toBe(0)
  })

  it('has tips, duties and additional fees as fees, and a tip is no product', () => {
    const order = shopifyOrder(hats, true)
    const money = (amount: string) => ({
      shop_money: { amount, currency_code: 'EUR' },
      presentment_money: { amount, currency_code: 'EUR' },
    })
    const tip = {
      ...order.line_items[1],
      id: 1_009,
      title: 'Tip',
      price: '3.00',
      price_set: money('3.00'),
      tip_payment_gateway: 'shopify_payments',
      tip_payment_method: null,
      tax_lines: [],
      discount_allocations: [],
    }
    const charged = {
      ...order,
      line_items: [...order.line_items, tip],
      current_total_duties_set: money('4.10'),
      current_total_additional_fees_set: money('0.80'),
      current_total_price_set: money('86.24'),
    }
    const { fields, quantity } = readShopify(charged, undefined)
    expect(fields.fees).toEqual([
      { name: 'Tip', amount: 3 },
      { name: 'Duties', amount: 4.1 },
      { name: 'Additional fees', amount: 0.8 },
    ])
    expect(fields.products?.map(({ title }) => title)).toEqual(['Felt hat', 'Cup'])
    expect(quantity).toBe(3)
    expect(gapIn(fields)).toBe(0)
  })

  it('has no amounts in a fulfilment, which does not say whether its prices include tax', () => {
    const order = shopifyOrder(hats, false)
    const fulfillments = [{ ...payload('shopify-fulfillment'), line_items: order.line_items }]
    const [fulfilment] = readShopify({ ...order, fulfillments }, undefined).fulfilments
    expect(fulfilment?.parcels[0]?.products?.[0]).toMatchObject({ title: 'Felt hat', quantity: 2 })
    expect(fulfilment?.parcels[0]?.products?.[0]).not.toHaveProperty('price')
  })

  it('has the buyer of a download, and no phone number of a buyer in another country', () => {
    const order = shopifyOrder(hats, true)
    const customer = { ...order.customer, phone: '+49 30 7654321' }
    const nameless = readShopify({ ...order, customer, shipping_address: null, billing_address: null }, undefined)
    expect(nameless.fields.address).toEqual({ name: 'Ada Example', phone: '+49 30 7654321', zip_code: null })
    const shipping_address = { ...order.shipping_address, country_code: 'AT', phone: null }
    const abroad = readShopify({ ...order, customer, shipping_address }, undefined)
    expect(abroad.fields.address).not.toHaveProperty('phone')
  })
})

describe('Shopware', () => {
  it('has gross prices as they are, and adds the taxes to net ones', () => {
    const gross = {
      total_order_price: 78.34,
      sub_total_price: 80.49,
      shipping_price: 5.9,
      discount_price: 8.05,
      discounts: [{ code: 'SPRING', amount: '8.05' }],
      products: [
        { price: 36, line_subtotal: 72, line_total: 64.8 },
        { price: 8.49, line_total: 7.64 },
      ],
    }
    expect(shopware(hats, 'gross')).toMatchObject(gross)
    expect(shopware(hats, 'tax-free')).toMatchObject(gross)
    expect(shopware(hats, 'net')).toMatchObject({
      total_order_price: 93.22,
      sub_total_price: 95.78,
      shipping_price: 7.02,
      discount_price: 9.58,
      products: [
        { price: 42.84, line_subtotal: 85.68, line_total: 77.11 },
        { price: 10.1, line_total: 9.09 },
      ],
    })
  })

  it('has the rounding of its total as a fee', () => {
    const fields = shopware(hats, 'gross', { amountTotal: 78.35 })
    expect(fields.fees).toEqual([{ name: 'Rounding', amount: 0.01 }])
    expect(gapIn(fields)).toBe(0)
  })

  it('divides a credit without a composition among all lines', () => {
    const order = shopwareOrder({ ...hats, discount: 0 }, 'gross')
    const credit = {
      id: 'c',
      identifier: 'c',
      type: 'credit',
      label: 'Sorry',
      quantity: 1,
      totalPrice: -5,
      unitPrice: -5,
    }
    const read = readShopware({ ...order, lineItems: [...order.lineItems, credit], amountTotal: 81.39 }, '', undefined)
    expect(read.fields).toMatchObject({ discount_price: 5, products: [{ line_total: 67.53 }, { line_total: 7.96 }] })
    expect(gapIn(read.fields)).toBe(0)
  })

  it('counts lines inside another once, and charges of plug-ins as fees', () => {
    const order = shopwareOrder({ ...hats, discount: 0 }, 'gross')
    const [hat, cup] = order.lineItems
    const box = { ...hat, id: 'box', identifier: 'box', type: 'customized-products', label: 'Gift box', quantity: 1 }
    const inside = { ...hat, parentId: 'box' }
    const wrapping = {
      ...cup,
      id: 'w',
      identifier: 'w',
      type: 'wrapping',
      label: 'Wrapping',
      totalPrice: 2,
      price: { totalPrice: 2, calculatedTaxes: [] },
    }
    const read = readShopware({ ...order, lineItems: [box, inside, cup, wrapping], amountTotal: 88.39 }, '', undefined)
    expect(read.fields).toMatchObject({
      products: [
        { title: 'Gift box', type: 'bundle', line_total: 72, bundled_products: [{ title: 'Felt hat', quantity: 2 }] },
        { title: 'Cup' },
      ],
      fees: [{ name: 'Wrapping', amount: 2 }],
    })
    expect(read.quantity).toBe(3)
    expect(gapIn(read.fields)).toBe(0)
  })

  it('divides a line among its deliveries', () => {
    const order = shopwareOrder({ lines: [{ name: 'Pens', price: 3.33, quantity: 3 }], discount: 0.1 }, 'gross')
    const [delivery] = order.deliveries
    const [position] = delivery.positions
    order.deliveries = [1, 2].map((quantity) => ({
      ...delivery,
      id: `d${quantity}`,
      trackingCodes: [`T${quantity}`],
      positions: [{ ...position, quantity }],
    }))
    const { fulfilments } = readShopware(order, '', undefined)
    const sold = fulfilments.map(({ parcels }) => parcels[0]?.products?.[0]?.line_total)
    expect(sold).toEqual([3.3, 6.59])
  })
})
