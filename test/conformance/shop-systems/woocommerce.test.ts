import { describe, expect, it } from 'vitest'
import type { ReportedOrder } from '../../../src/adapters/shop-systems/shop-system.ts'
import { readProduct } from '../../../src/adapters/shop-systems/woocommerce/adapter.ts'
import { shippedAt } from '../../../src/adapters/shop-systems/woocommerce/dates.ts'
import { readOrder } from '../../../src/adapters/shop-systems/woocommerce/order.ts'
import { type Payload, payload } from '../../harness/shop-systems.ts'
import { usualWooOrder, wooCommerceOrder } from '../../harness/woocommerce-orders.ts'

const plugins = payload('woocommerce-plugins')
const read = (fields: Payload = {}): ReportedOrder => readOrder(payload('woocommerce-order', fields), false)
const [jacket, socks] = payload('woocommerce-order').line_items

describe('tracking number', () => {
  it.each(Object.keys(plugins))('is read from %s', (name) => {
    const { fulfilments } = read({ meta_data: plugins[name] })
    expect(fulfilments).toMatchObject([
      { isActive: true, parcels: [{ tracking_number: '00340434161094042557', tracking_company: 'dhl-germany' }] },
    ])
    // The order-level tracking of VillaTheme has no date.
    if (!name.startsWith('orders tracking')) {
      expect(fulfilments[0]?.parcels[0]?.tracking_placed_at).toBe('2026-11-03T00:00:00.000Z')
    }
  })

  it.each(['aftership', 'advanced shipment tracking', 'parcelpanel'])(
    'of %s lists the contents of the parcel',
    (name) => {
      expect(read({ meta_data: plugins[name] }).fulfilments).toMatchObject([
        { quantity: 1, parcels: [{ products: [{ title: 'Rain jacket', quantity: 1 }] }] },
      ])
    },
  )

  it('is read from the line items, where the last one counts', () => {
    const entry = (number: string) => ({
      tracking_number: number,
      carrier_slug: 'dhl',
      carrier_url: 'https://carrier.example/?code={tracking_number}&amp;zip={postal_code}',
      carrier_name: 'DHL Paket',
      carrier_type: 'service-carrier',
      time: 1_793_718_000,
    })
    const meta = (suffix: string, entries: unknown) => ({
      id: 1,
      key: `_vi_wot_order_item_tracking_data${suffix}`,
      value: JSON.stringify(entries),
    })
    const line_items = [
      { ...jacket, meta_data: [meta('', [entry('OLD1'), entry('A1')])] },
      { ...socks, meta_data: [meta('', [entry('A1')]), meta('_by_quantity', [entry('A2')])] },
    ]
    expect(read({ line_items }).fulfilments).toMatchObject([
      {
        quantity: 2,
        parcels: [
          {
            tracking_number: 'A1',
            tracking_company: 'DHL Paket',
            tracking_url: 'https://carrier.example/?code=A1&zip=10115',
            tracking_placed_at: '2026-11-03T15:00:00.000Z',
            products: [
              { title: 'Rain jacket', quantity: 1 },
              { title: 'Socks', quantity: 1 },
            ],
          },
        ],
      },
      { quantity: 1, parcels: [{ tracking_number: 'A2', products: [{ title: 'Socks', quantity: 1 }] }] },
    ])
  })

  it('of several plug-ins is one parcel', () => {
    const meta_data = [...plugins.aftership, ...plugins['plain fields'], ...plugins.parcelpanel]
    expect(read({ meta_data }).fulfilments).toHaveLength(1)
  })

  it('is left out if a field contains something else', () => {
    const meta_data = [
      { id: 1, key: '_parcelpanel_shipping_numbers', value: '{not json' },
      { id: 2, key: '_tracking_number', value: '' },
      { id: 3, key: '_aftership_tracking_items', value: '' },
    ]
    expect(read({ meta_data }).fulfilments).toEqual([])
  })
})

describe('date of a plug-in', () => {
  it.each([
    [1_793_718_000, '2026-11-03T15:00:00.000Z'],
    ['1793718000', '2026-11-03T15:00:00.000Z'],
    ['1793718000000', '2026-11-03T15:00:00.000Z'],
    ['2026-11-03', '2026-11-03T00:00:00.000Z'],
    ['20261103', '2026-11-03T00:00:00.000Z'],
    ['2026-11-03 15:00:00', '2026-11-03T15:00:00.000Z'],
    ['2026-11-03T16:00:00+01:00', '2026-11-03T15:00:00.000Z'],
    ['03-11-2026', '2026-11-03T00:00:00.000Z'],
    ['3/11/2026', '2026-11-03T00:00:00.000Z'],
    ['03.11.2026', '2026-11-03T00:00:00.000Z'],
    ['11/23/2026', '2026-11-23T00:00:00.000Z'],
    ['31/02/2026', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('%s is read as %s', (value, expected) => {
    expect(shippedAt(value)).toBe(expected)
  })
})

describe('items', () => {
  it('have their options, the chosen variation in the variant title', () => {
    const meta_data = [
      { id: 1, key: 'pa_color', value: 'dark-blue', display_key: 'Color', display_value: 'Dark blue' },
      { id: 2, key: 'pa_size', value: 'm', display_key: 'Size', display_value: 'M' },
      { id: 3, key: 'pa_lining', value: 'wool', display_key: 'Lining', display_value: 'Wool' },
      {
        id: 4,
        key: 'Engraving (+&euro;4)',
        value: 'A &amp; B',
        display_key: 'Engraving (+&euro;4)',
        display_value: 'A &amp; B',
      },
      { id: 5, key: '_reduced_stock', value: '1', display_key: '_reduced_stock', display_value: '1' },
    ]
    const { fields } = read({ line_items: [{ ...jacket, name: 'Rain jacket', meta_data }] })
    expect(fields.products).toMatchObject([
      {
        title: 'Rain jacket',
        variant_title: 'Dark blue / M / Wool',
        properties: [{ name: 'Engraving (+€4)', value: 'A & B' }],
      },
    ])
  })

  it('with a fractional quantity are one piece, at the total price', () => {
    const fabric = { name: 'Fabric', price: 8 }
    const { fields, quantity } = readOrder(
      wooCommerceOrder({
        lines: [
          { ...fabric, quantity: 2.5 },
          { ...fabric, quantity: 0.4 },
        ],
      }),
      false,
    )
    expect(fields.products).toMatchObject([
      { quantity: 1, price: 20, properties: [{ name: 'Quantity', value: '2.5' }] },
      { quantity: 1, price: 3.2, properties: [{ name: 'Quantity', value: '0.4' }] },
    ])
    expect(quantity).toBe(2)
  })

  it('exclude refunded quantities', () => {
    const line = { id: 9, quantity: -1, meta_data: [{ id: 1, key: '_refunded_item_id', value: '315' }] }
    const order = read({ refunds: [{ id: 800, reason: '', total: '-74.90', line_items: [line] }] })
    expect(order.fields.products).toMatchObject([{ title: 'Socks', quantity: 2 }])
    expect(order).toMatchObject({
      quantity: 2,
      nothingToSend: false,
      fields: { financial_status: 'partially_refunded' },
    })
  })
})

describe('order of WooCommerce', () => {
  it('has HTML entities decoded', () => {
    const { fields } = read({
      billing: { ...payload('woocommerce-order').billing, first_name: 'Zo&euml;' },
      shipping: {
        ...payload('woocommerce-order').shipping,
        company: 'River &amp; Pine',
        last_name: 'O&#039;Neil &unknown;',
      },
      line_items: [{ ...socks, name: 'Socks &#8211; warm &#x26; &quot;soft&quot; &frac12;' }],
      coupon_lines: [{ id: 1, code: 'tom&amp;jerry', discount: '5.00' }],
    })
    expect(fields).toMatchObject({
      address: { company: 'River & Pine', name: "Ada O'Neil &unknown;" },
      products: [{ title: 'Socks – warm & "soft" ½' }],
      discounts: [{ code: 'tom&jerry' }],
    })
    const product = readProduct(
      payload('woocommerce-product', { name: 'Salt &amp; Pepper', categories: [{ name: 'Food &amp; Drink' }] }),
      false,
    )
    expect(product.variants).toMatchObject([{ title: 'Salt & Pepper', category: 'Food & Drink' }])
  })

  it('has fees, and discounts for negative ones', () => {
    const fees = [
      { name: 'Gift wrapping', amount: 3.5 },
      { name: 'Loyal customer', amount: -2 },
    ]
    expect(readOrder(wooCommerceOrder({ ...usualWooOrder, fees }), false).fields).toMatchObject({
      total_order_price: 96.35,
      fees: [{ name: 'Gift wrapping', amount: 3.5 }],
      discounts: [{ code: 'autumn' }, { code: 'Loyal customer', amount: '2.00', type: 'fee' }],
      discount_price: 7,
    })
  })
})

describe('status', () => {
  const unpaid = { date_paid_gmt: null, date_paid: null }
  it.each([
    ['pending', unpaid, 'unpaid', 'pending', false],
    ['failed', unpaid, 'unpaid', 'failed', true],
    ['on-hold', unpaid, 'on hold', 'pending', false],
    ['processing', {}, 'placed', 'paid', false],
    ['processing', unpaid, 'placed', 'pending', false],
    ['completed', {}, 'placed', 'paid', false],
    ['wc-shipped', {}, 'placed', 'paid', false],
    ['cancelled', unpaid, 'unpaid', 'voided', true],
    ['cancelled', {}, 'placed', 'paid', true],
    ['trash', unpaid, 'unpaid', 'voided', true],
    ['refunded', {}, 'placed', 'refunded', false],
  ])('%s with %j is %s, %s, cancelled %s', (status, fields, ...[stage, financial_status, isCancelled]) => {
    const order = read({ status, ...fields })
    expect(order).toMatchObject({ stage, fields: { financial_status } })
    expect(order.cancelledAt !== null).toBe(isCancelled)
  })

  it('of refunds distinguishes a part from the whole', () => {
    const refunded = (...totals: string[]) => read({ refunds: totals.map((total, id) => ({ id, reason: '', total })) })
    expect(refunded('-10.00')).toMatchObject({
      nothingToSend: false,
      fields: { financial_status: 'partially_refunded' },
    })
    const whole = refunded('-10.00', '-84.85')
    expect(whole).toMatchObject({ nothingToSend: true, fields: { financial_status: 'refunded' } })
    expect(whole.fields.products).toHaveLength(2)
  })

  it('completed is handed over without tracking, unless there is a number', () => {
    expect(read({ status: 'completed' })).toMatchObject({ handedOverWithoutTracking: true, nothingToSend: false })
    expect(read({ status: 'completed', meta_data: plugins.parcelpanel })).toMatchObject({
      handedOverWithoutTracking: false,
    })
    expect(read()).toMatchObject({ handedOverWithoutTracking: false })
  })

  it('has the shipping method that the customer chose', () => {
    expect(read().fields).toMatchObject({ shipping_method: 'Flat rate' })
    expect(read({ shipping_lines: [] }).fields).not.toHaveProperty('shipping_method')
  })

  it('means nothing to send if all items are downloads', () => {
    expect(read({ needs_processing: false, shipping_lines: [] })).toMatchObject({ nothingToSend: true })
    expect(read({ needs_processing: false })).toMatchObject({ nothingToSend: false })
    expect(read({ needs_processing: true, shipping_lines: [] })).toMatchObject({ nothingToSend: false })
  })
})

describe('missing field', () => {
  it('is absent', () => {
    const { fields } = read({ line_items: [], coupon_lines: [], fee_lines: [], shipping: {}, billing: {} })
    for (const name of ['products', 'discounts', 'fees', 'address', 'email_id', 'sub_total_price']) {
      expect(fields).not.toHaveProperty(name)
    }
    expect(read({ line_items: [] })).not.toHaveProperty('nothingToSend')
  })
})
