import { describe, expect, it } from 'vitest'
import { readOrder } from '../../../src/adapters/shop-systems/woocommerce/order.ts'
import { gapIn } from '../../harness/amounts.ts'
import type { Payload } from '../../harness/shop-systems.ts'
import { usualWooOrder, type WooOrder, wooCommerceOrder } from '../../harness/woocommerce-orders.ts'

const read = (order: WooOrder, fields: Payload = {}) => readOrder(wooCommerceOrder(order, fields), false)

/** Two hats and a cup with ten per cent off, two jumpers to another country, and a download. */
const hats: WooOrder = {
  lines: [
    { id: 2, name: 'Felt hat', price: 36, quantity: 2, sku: 'FH-1' },
    { id: 3, name: 'Cup', price: 8.49, sku: 'CU-4' },
  ],
  coupon: { code: 'spring10', amount: 10, percent: true },
  shipping: 5.9,
}
const jumpers: WooOrder = {
  lines: [
    { name: 'Jumper - Red', parentName: 'Jumper', price: 48.7, variationId: 21, sku: 'JU-R' },
    { name: 'Jumper - Green', parentName: 'Jumper', price: 53.31, variationId: 22, sku: 'JU-G' },
  ],
  rate: 20,
  shipping: 6.36,
}
const download: WooOrder = { lines: [{ name: 'Pattern', price: 13 }] }

describe('amounts of an order', () => {
  it('include tax, before the discount and as sold', () => {
    expect(read(hats).fields).toMatchObject({
      total_order_price: 78.34,
      sub_total_price: 80.49,
      shipping_price: 5.9,
      discount_price: 8.05,
      discounts: [{ code: 'spring10', amount: '8.05', type: 'percent' }],
      products: [
        { title: 'Felt hat', quantity: 2, price: 36, line_subtotal: 72, line_total: 64.8 },
        { title: 'Cup', quantity: 1, price: 8.49, line_subtotal: 8.49, line_total: 7.64 },
      ],
    })
    expect(read(jumpers).fields).toMatchObject({
      total_order_price: 108.37,
      shipping_price: 6.36,
      products: [{ price: 48.7 }, { price: 53.31 }],
    })
    expect(read(download)).toMatchObject({
      nothingToSend: true,
      fields: { total_order_price: 13, shipping_price: 0, products: [{ price: 13, line_total: 13 }] },
    })
  })

  it('include tax if the prices of the shop do not', () => {
    expect(read({ ...hats, pricesIncludeTax: false }).fields).toMatchObject({
      total_order_price: 92.1,
      sub_total_price: 95.78,
      shipping_price: 5.9,
      discount_price: 9.58,
      products: [{ price: 42.84, line_subtotal: 85.68, line_total: 77.11 }, { price: 10.1 }],
    })
  })

  it('are exact for a line whose pieces cannot be divided', () => {
    const [pens] = read({ lines: [{ name: 'Pens', price: 10.01 / 3, quantity: 3 }], shipping: 4 }).fields.products ?? []
    expect(pens).toMatchObject({ quantity: 3, price: 3.34, line_subtotal: 10.01 })
  })

  const orders: [string, WooOrder][] = [
    ['usual', usualWooOrder],
    ['coupon', hats],
    ['abroad', jumpers],
    ['download', download],
    [
      'fees',
      {
        ...hats,
        fees: [
          { name: 'Wrapping', amount: 3.33 },
          { name: 'Regular', amount: -4.01 },
        ],
      },
    ],
    ['all free', { ...hats, coupon: { code: 'gift', amount: 100, percent: true }, shipping: null }],
    ['no tax', { ...hats, rate: 0 }],
    ['no decimals', { ...hats, currency: 'JPY', decimals: 0, lines: [{ name: 'Tea', price: 1_201, quantity: 3 }] }],
    ['three decimals', { ...hats, currency: 'KWD', decimals: 3, lines: [{ name: 'Oud', price: 12.345, quantity: 7 }] }],
  ]
  it.each(orders.flatMap(([name, order]) => [true, false].map((isIn) => [name, isIn, order] as const)))(
    'of the order %s add up to its total, prices with tax: %s',
    (_name, pricesIncludeTax, order) => {
      const { fields } = read({ ...order, pricesIncludeTax })
      expect(gapIn(fields)).toBe(0)
      expect(fields.fees?.some(({ name }) => name === 'Rounding') ?? false).toBe(false)
    },
  )

  it('add up when WooCommerce rounds the sum and not its lines', () => {
    const order = wooCommerceOrder(hats)
    const { fields } = readOrder({ ...order, total: '78.35' }, false)
    expect(fields).toMatchObject({ total_order_price: 78.35, fees: [{ name: 'Rounding', amount: 0.01 }] })
    expect(gapIn(fields)).toBe(0)
  })
})

describe('refunded goods', () => {
  const refund = (itemId: number, quantity: number) => ({
    id: 800,
    reason: '',
    total: '-32.40',
    line_items: [
      { id: 9, quantity: -quantity, meta_data: [{ id: 1, key: '_refunded_item_id', value: String(itemId) }] },
    ],
  })

  it('leave a line with the amounts of what is left, and an order that adds up', () => {
    const { fields, quantity } = read(hats, { refunds: [refund(2, 1)] })
    expect(quantity).toBe(2)
    expect(fields).toMatchObject({
      total_order_price: 45.94,
      sub_total_price: 44.49,
      discount_price: 4.45,
      products: [{ quantity: 1, price: 36, line_subtotal: 36, line_total: 32.4 }, { quantity: 1 }],
    })
    expect(gapIn(fields)).toBe(0)
  })

  it('leave out their line', () => {
    const { fields } = read(hats, { refunds: [refund(2, 1), refund(2, 1)] })
    expect(fields.products).toMatchObject([{ title: 'Cup' }])
    expect(gapIn(fields)).toBe(0)
  })
})

describe('parcels', () => {
  it('divide what a line amounts to among them', () => {
    const parcel = (number: string, quantity: string) => ({
      tracking_provider: 'dhl-de',
      tracking_number: number,
      products_list: [{ item_id: '315', product: '93', qty: quantity }],
    })
    const meta_data = [
      { id: 1, key: '_wc_shipment_tracking_items', value: ['A', 'B', 'C'].map((name) => parcel(name, '1')) },
    ]
    const { fulfilments } = read({ lines: [{ name: 'Pens', price: 10 / 3, quantity: 3 }] }, { meta_data })
    const sold = fulfilments.map(({ parcels }) => parcels[0]?.products?.[0]?.line_total)
    expect(sold).toEqual([3.33, 3.34, 3.33])
  })
})

describe('bundle', () => {
  const child = (
    id: number,
    name: string,
    price: number,
    { fields = {}, meta = [] }: { fields?: Payload; meta?: Payload[] } = {},
  ) => ({
    id,
    name,
    price,
    sku: `S-${id}`,
    fields: { bundled_by: 11, bundled_item_title: name, bundled_items: [], ...fields },
    meta: [{ id: 1, key: '_bundled_by', value: 'a1b2' }, ...meta],
  })
  const bundle = (...children: WooOrder['lines']): WooOrder => ({
    lines: [
      {
        id: 11,
        name: 'Tea set',
        price: 20,
        fields: { bundled_by: '', bundled_items: children.map(({ id }) => id) },
        meta: [{ id: 1, key: '_bundle_cart_key', value: 'a1b2' }],
      },
      ...children,
      { id: 30, name: 'Spoon', price: 2 },
    ],
    shipping: 5,
  })
  const alone = [{ id: 2, key: '_bundled_item_needs_shipping', value: 'yes' }]

  it('is one item with its contents, at the price of all of them', () => {
    const { fields, quantity } = read(bundle(child(12, 'Pot', 0), { ...child(13, 'Cup', 3), quantity: 2 }))
    expect(fields.products).toMatchObject([
      {
        title: 'Tea set',
        type: 'bundle',
        quantity: 1,
        price: 26,
        line_total: 26,
        bundled_products: [{ title: 'Pot' }, { title: 'Cup', quantity: 2 }],
      },
      { title: 'Spoon' },
    ])
    expect(fields.products?.[0]?.bundled_products?.[0]).not.toHaveProperty('sku')
    expect(quantity).toBe(2)
    expect(gapIn(fields)).toBe(0)
  })

  it('is found by the keys of its lines too, and by the fields of composites', () => {
    const byKey = bundle(child(12, 'Pot', 0, { fields: { bundled_by: undefined } }))
    expect(read(byKey).fields.products).toHaveLength(2)
    const composite = bundle(
      child(12, 'Pot', 0, { fields: { bundled_by: '', composite_parent: '11', composite_children: [] } }),
    )
    for (const line of composite.lines) line.meta = []
    expect(read(composite).fields.products).toHaveLength(2)
  })

  it.each([
    ['_woosb_parent_id', '_woosb_ids'],
    ['_wooco_parent_id', '_wooco_ids'],
  ])('of WPC is found by its product (%s)', (parent, mark) => {
    const lines = [
      { id: 11, productId: 12438, name: 'Tea set', price: 0, meta: [{ id: 1, key: mark, value: '371/1,372/2' }] },
      { id: 12, productId: 371, name: 'Pot', price: 20, meta: [{ id: 2, key: parent, value: '12438' }] },
      { id: 13, productId: 372, name: 'Cup', price: 3, quantity: 2, meta: [{ id: 3, key: parent, value: 12438 }] },
      // A line whose id is the number of that product, and which is no bundle.
      { id: 12438, productId: 93, name: 'Spoon', price: 2 },
    ]
    const { fields, quantity } = read({ lines })
    expect(fields.products).toMatchObject([
      { title: 'Tea set', price: 26, bundled_products: [{ title: 'Pot' }, { title: 'Cup', quantity: 2 }] },
      { title: 'Spoon' },
    ])
    expect(quantity).toBe(2)
  })

  it('inside a composite is part of it', () => {
    const order = bundle(child(12, 'Pot', 0), child(13, 'Lid', 0, { fields: { bundled_by: '12' } }))
    expect(read(order).fields.products).toMatchObject([
      { bundled_products: [{ title: 'Pot' }, { title: 'Lid' }] },
      { title: 'Spoon' },
    ])
  })

  it('whose contents are sent on their own counts as those', () => {
    expect(
      read(bundle(child(12, 'Pot', 0, { meta: alone }), { ...child(13, 'Cup', 3, { meta: alone }), quantity: 2 }))
        .quantity,
    ).toBe(4)
  })

  it('is in one parcel, whether a plug-in lists it, its contents, or both', () => {
    const parcelWith = (order: WooOrder, ...ids: number[]) => {
      const products_list = ids.map((id) => ({ item_id: String(id), product: '1', qty: '1' }))
      const value = [{ tracking_provider: 'dhl-de', tracking_number: 'A1', products_list }]
      const { fulfilments } = read(order, { meta_data: [{ id: 1, key: '_wc_shipment_tracking_items', value }] })
      return fulfilments.map(({ quantity, parcels }) => [quantity, parcels[0]?.products?.map(({ title }) => title)])
    }
    const packed = bundle(child(12, 'Pot', 0))
    expect(parcelWith(packed, 11)).toEqual([[1, ['Tea set']]])
    expect(parcelWith(packed, 11, 12)).toEqual([[1, ['Tea set']]])
    expect(parcelWith(packed, 12)).toEqual([[1, ['Pot']]])
    const loose = bundle(child(12, 'Pot', 0, { meta: alone }), child(13, 'Cup', 3, { meta: alone }))
    expect(parcelWith(loose, 11, 12)).toEqual([[1, ['Tea set']]])
    expect(parcelWith(loose, 11)).toEqual([[2, ['Tea set']]])
    expect(parcelWith(loose, 13)).toEqual([[1, ['Cup']]])
  })

  it.each([
    ['itself', { bundled_by: 12 }],
    ['a line that is not there', { bundled_by: 99, composite_parent: 98 }],
  ])('that is %s is none', (_what, fields) => {
    const line = { ...child(12, 'Pot', 4, { fields }), meta: [] }
    expect(read({ lines: [line] }).fields.products).toMatchObject([{ title: 'Pot', type: 'product' }])
  })

  it('of two lines that name each other is none', () => {
    const lines = [child(11, 'Pot', 4, { fields: { bundled_by: 12 } }), child(12, 'Lid', 4)].map((line) => ({
      ...line,
      meta: [],
    }))
    expect(read({ lines }).fields.products).toHaveLength(2)
  })
})

describe('gift card', () => {
  it.each([
    ['Gift Cards', { gift_cards: [{ id: 4, code: 'AB12-CD34-EF56-GH78', amount: 25 }] }],
    ['PW Gift Cards', { pw_gift_card_lines: [{ id: 9, card_number: 'AB12-CD34-EF56-GH78', amount: '25.00' }] }],
    ['YITH', { meta_data: [{ id: 1, key: '_ywgc_applied_gift_cards', value: { 'AB12-CD34-EF56-GH78': 25 } }] }],
  ])('of %s that paid a part is a discount, without its code', (_plugin, fields) => {
    const order = read({ ...hats, giftCards: 25 }, fields)
    expect(order.fields).toMatchObject({
      total_order_price: 53.34,
      discount_price: 33.05,
      discounts: [{ code: 'spring10' }, { code: '•••• GH78', amount: '25.00', type: 'gift_card' }],
    })
    expect(gapIn(order.fields)).toBe(0)
    expect(JSON.stringify(order.fields)).not.toContain('AB12')
  })

  it('that is in the order as a fee counts once', () => {
    const order = { ...hats, fees: [{ name: 'Gift card', amount: -25 }] }
    const { fields } = read(order, { gift_cards: [{ id: 4, code: 'AB12-CD34-EF56-GH78', amount: 25 }] })
    expect(fields).toMatchObject({ discount_price: 33.05, discounts: [{ code: 'spring10' }, { code: 'Gift card' }] })
  })

  it.each([
    { key: 'wc_gc_giftcard_amount', value: '50' },
    { key: 'pw_gift_card_amount', value: '50' },
    { key: '_ywgc_is_digital', value: '1' },
  ])('that is bought is not sent, and shows no code: %j', (mark) => {
    const secret = [
      { id: 2, key: 'pw_gift_card_number', value: 'AB12-CD34' },
      { id: 3, key: 'wc_gc_giftcard_code', value: 'AB12-CD34' },
    ]
    const card = { name: 'Gift card', price: 50, meta: [{ id: 1, ...mark }, ...secret] }
    const order = read({ lines: [card] })
    expect(order).toMatchObject({ quantity: 0, nothingToSend: true })
    expect(order.fields.products).toMatchObject([{ title: 'Gift card', requires_shipping: false }])
    expect(JSON.stringify(order)).not.toContain('AB12')
    expect(read({ lines: [card, { name: 'Cup', price: 8 }], shipping: 5 })).toMatchObject({
      quantity: 1,
      nothingToSend: false,
    })
  })
})

describe('address', () => {
  const { shipping, billing } = wooCommerceOrder(hats)
  const empty = (address: Payload) => Object.fromEntries(Object.keys(address).map((key) => [key, '']))

  it('of a download is its buyer, who may have given only a name', () => {
    const buyer = { ...empty(billing), first_name: 'Zoë', last_name: 'Example', email: 'zoe@example.com' }
    const { fields } = read(download, { shipping: { ...empty(shipping), country: 'DE' }, billing: buyer })
    expect(fields).toMatchObject({ email_id: 'zoe@example.com', address: { name: 'Zoë Example', zip_code: null } })
    expect(fields.address).not.toHaveProperty('street')
  })

  it('has the phone number of the buyer, but not of one in another country', () => {
    expect(read(hats).fields.address?.phone).toBe('+49 30 1234567')
    expect(read(hats, { shipping: { ...shipping, country: 'AT' } }).fields.address).not.toHaveProperty('phone')
    const own = { ...shipping, country: 'AT', phone: '+43 1 7654321' }
    expect(read(hats, { shipping: own }).fields.address?.phone).toBe('+43 1 7654321')
  })
})
