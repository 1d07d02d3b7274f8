import type { Payload } from './shop-systems.ts'

/** A line as the shop's catalogue has it: its price includes tax if the shop's prices do. */
export interface WooLine {
  id?: number
  name: string
  parentName?: string
  price: number
  quantity?: number
  productId?: number
  variationId?: number
  sku?: string
  image?: string
  meta?: Payload[]
  /** Further fields, such as those of a plug-in. */
  fields?: Payload
}

export interface WooOrder {
  lines: WooLine[]
  /** Per cent; 0: no tax. */
  rate?: number
  pricesIncludeTax?: boolean
  /** Taken off all lines in proportion, in the terms of the prices. */
  coupon?: { code: string; amount: number; percent?: boolean }
  /** The price that the customer pays for shipping, with tax; null: nothing is shipped. */
  shipping?: number | null
  /** The amount that the customer pays, with tax; negative: a discount. */
  fees?: { name: string; amount: number }[]
  /** Lowers the total after tax, as plug-ins for gift cards do. */
  giftCards?: number
  currency?: string
  decimals?: number
}

const taxId = 1

/**
 * An order as WooCommerce 11 sends it: amounts exclude tax whatever the prices do, each rounded by itself, and each with
 * its tax beside it.
 */
export function wooCommerceOrder(order: WooOrder, fields: Payload = {}): Payload {
  const { lines, rate = 19, pricesIncludeTax = true, coupon, shipping = null, fees = [], giftCards = 0 } = order
  const { currency = 'EUR', decimals = 2 } = order
  const unit = 10 ** decimals
  const text = (units: number) => (units / unit).toFixed(decimals)
  const units = (amount: number) => Math.round(amount * unit)
  /** Net and tax of an amount that includes tax. */
  const fromGross = (gross: number) => {
    const net = Math.round(gross / (1 + rate / 100))
    return { net, tax: gross - net }
  }
  const split = (amount: number) =>
    pricesIncludeTax ? fromGross(amount) : { net: amount, tax: Math.round((amount * rate) / 100) }
  const taxes = (total: number, subtotal?: number) =>
    rate === 0 ? [] : [{ id: taxId, total: text(total), subtotal: subtotal === undefined ? '' : text(subtotal) }]

  const listed = lines.map(({ price, quantity = 1 }) => units(price * quantity))
  const sum = listed.reduce((all, amount) => all + amount, 0)
  const reduction = coupon ? (coupon.percent ? Math.round((sum * coupon.amount) / 100) : units(coupon.amount)) : 0
  let left = reduction
  const sold = lines.map((line, index) => {
    const amount = listed[index] ?? 0
    const share = index === lines.length - 1 ? left : Math.round((reduction * amount) / (sum || 1))
    left -= share
    const [before, after] = [split(amount), split(amount - share)]
    return { line, before, after }
  })
  const postage = fromGross(units(shipping ?? 0))
  const charged = fees.map((fee) => ({ ...fee, ...fromGross(units(fee.amount)) }))
  const total = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0)
  const cartTax = total([...sold.map(({ after }) => after.tax), ...charged.map(({ tax }) => tax)])
  const discount = total(sold.map(({ before, after }) => before.net - after.net))
  const discountTax = total(sold.map(({ before, after }) => before.tax - after.tax))
  const goods = total([...sold.map(({ after }) => after.net), ...charged.map(({ net }) => net)])
  const id = fields.id ?? 727
  const key = `wc_order_${id}Q7hTzLmXw4vKe`

  return {
    id,
    parent_id: 0,
    status: 'processing',
    currency,
    version: '11.0.1',
    prices_include_tax: pricesIncludeTax,
    date_created: '2026-11-02T10:30:00',
    date_modified: '2026-11-02T10:30:05',
    discount_total: text(discount),
    discount_tax: text(discountTax),
    shipping_total: text(postage.net),
    shipping_tax: text(postage.tax),
    cart_tax: text(cartTax),
    total: text(goods + cartTax + postage.net + postage.tax - units(giftCards)),
    total_tax: text(cartTax + postage.tax),
    customer_id: 26,
    order_key: key,
    billing: {
      first_name: 'Ada',
      last_name: 'Example',
      company: '',
      address_1: 'Billing Street 9',
      address_2: '',
      city: 'Hamburg',
      state: 'DE-HH',
      postcode: '20095',
      country: 'DE',
      email: 'ada@example.com',
      phone: '+49 30 1234567',
    },
    shipping: {
      first_name: 'Ada',
      last_name: 'Example',
      company: 'River & Pine',
      address_1: 'Example Street 1',
      address_2: '2nd floor',
      city: 'Berlin',
      state: 'DE-BE',
      postcode: '10115',
      country: 'DE',
      phone: '',
    },
    payment_method: 'bacs',
    payment_method_title: 'Direct bank transfer',
    transaction_id: '',
    customer_ip_address: '203.0.113.7',
    customer_user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
    created_via: 'store-api',
    customer_note: '',
    date_completed: null,
    date_paid: '2026-11-02T10:30:05',
    cart_hash: '0f343b0931126a20f133d67c2b018a3b',
    number: `W-${id}`,
    meta_data: [
      { id: 13_106, key: '_marketplace_id', value: 'MP-4711' },
      { id: 13_107, key: '_tax_exempt', value: { nested: true } },
      { id: 13_108, key: 'is_vat_exempt', value: 'no' },
    ],
    line_items: sold.map(({ line, before, after }, index) => {
      const quantity = line.quantity ?? 1
      const gross = (after.net + after.tax) / unit
      return {
        id: line.id ?? 315 + index,
        name: line.name,
        product_id: line.productId ?? 93 + index,
        variation_id: line.variationId ?? 0,
        quantity,
        tax_class: '',
        subtotal: text(before.net),
        subtotal_tax: text(before.tax),
        total: text(after.net),
        total_tax: text(after.tax),
        taxes: taxes(after.tax, before.tax),
        meta_data: line.meta ?? [],
        sku: line.sku ?? '',
        global_unique_id: '',
        // Without tax and after the discount, with six decimals.
        price: Number(((pricesIncludeTax ? gross / (1 + rate / 100) : after.net / unit) / quantity).toFixed(6)),
        image: line.image ? { id: 18 + index, src: line.image } : { id: '', src: '' },
        parent_name: line.parentName ?? null,
        ...line.fields,
      }
    }),
    tax_lines:
      rate === 0
        ? []
        : [
            {
              id: 330,
              rate_code: 'DE-VAT-1',
              rate_id: taxId,
              label: 'VAT',
              compound: false,
              tax_total: text(cartTax),
              shipping_tax_total: text(postage.tax),
              rate_percent: rate,
              meta_data: [],
            },
          ],
    shipping_lines:
      shipping === null
        ? []
        : [
            {
              id: 331,
              method_title: 'Flat rate',
              method_id: 'flat_rate',
              instance_id: '1',
              total: text(postage.net),
              total_tax: text(postage.tax),
              taxes: taxes(postage.tax),
              tax_status: 'taxable',
              meta_data: [
                {
                  id: 2_101,
                  key: 'Items',
                  value: lines.map(({ name, quantity = 1 }) => `${name} &times; ${quantity}`).join(', '),
                  display_key: 'Items',
                  display_value: lines.map(({ name, quantity = 1 }) => `${name} &times; ${quantity}`).join(', '),
                },
              ],
            },
          ],
    fee_lines: charged.map(({ name, net, tax }, index) => ({
      id: 341 + index,
      name,
      tax_class: '',
      tax_status: 'taxable',
      amount: text(net),
      total: text(net),
      total_tax: text(tax),
      taxes: taxes(tax),
      meta_data: [],
    })),
    coupon_lines: coupon
      ? [
          {
            id: 351,
            code: coupon.code,
            discount: text(discount),
            discount_tax: text(discountTax),
            meta_data: [
              {
                id: 2_102,
                key: 'coupon_info',
                value: JSON.stringify([20, coupon.code, coupon.percent ? 'percent' : 'fixed_cart', coupon.amount]),
                display_key: 'coupon_info',
                display_value: JSON.stringify([
                  20,
                  coupon.code,
                  coupon.percent ? 'percent' : 'fixed_cart',
                  coupon.amount,
                ]),
              },
            ],
            discount_type: coupon.percent ? 'percent' : 'fixed_cart',
            nominal_amount: coupon.amount,
            free_shipping: false,
          },
        ]
      : [],
    refunds: [],
    payment_url: `https://woo.example/checkout/order-pay/${id}/?pay_for_order=true&key=${key}`,
    is_editable: false,
    needs_payment: false,
    needs_processing: shipping !== null,
    date_created_gmt: '2026-11-02T09:30:00',
    date_modified_gmt: '2026-11-02T09:30:05',
    date_completed_gmt: null,
    date_paid_gmt: '2026-11-02T09:30:05',
    currency_symbol: currency === 'EUR' ? '€' : currency,
    _links: {
      self: [
        {
          href: `https://woo.example/wp-json/wc/v3/orders/${id}`,
          targetHints: { allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
        },
      ],
      collection: [{ href: 'https://woo.example/wp-json/wc/v3/orders' }],
      email_templates: [
        { embeddable: true, href: `https://woo.example/wp-json/wc/v3/orders/${id}/actions/email_templates` },
      ],
    },
    ...fields,
  }
}

/** The order that most tests use: 79.90 + 15.00 − 5.00 + 4.95 = 94.85 with prices that include tax. */
export const usualWooOrder: WooOrder = {
  lines: [
    {
      name: 'Rain jacket - Blue',
      parentName: 'Rain jacket',
      price: 79.9,
      productId: 93,
      variationId: 94,
      sku: 'RJ-42',
      image: 'https://woo.example/rain-jacket.jpg',
      meta: [{ id: 2_095, key: 'pa_color', value: 'blue', display_key: 'Color', display_value: 'Blue' }],
    },
    { name: 'Socks', price: 7.5, quantity: 2, productId: 22, sku: 'SO-1' },
  ],
  coupon: { code: 'autumn', amount: 5 },
  shipping: 4.95,
}
