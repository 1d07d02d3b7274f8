import { type Payload, payload } from './shop-systems.ts'

/** An order of a shop system, with its prices as the shop's catalogue has them. */
export interface PricedOrder {
  lines: { name: string; price: number; quantity?: number }[]
  /** Per cent. */
  rate?: number
  /** Taken off all lines, in the terms of the prices. */
  discount?: number
  /** Taken off shipping, in the terms of the prices. */
  shippingDiscount?: number
  shipping?: number
  currency?: string
  decimals?: number
}

interface Shared {
  units(amount: number): number
  taxOf(amount: number): number
  shares: number[]
}

/** Amounts are in the smallest coins inside, so that every part is rounded once, as the systems do. */
function sharedOf({ lines, rate = 19, discount = 0, decimals = 2 }: PricedOrder, isTaxIn: boolean): Shared {
  const units = (amount: number) => Math.round(amount * 10 ** decimals)
  const sums = lines.map(({ price, quantity = 1 }) => units(price) * quantity)
  const whole = sums.reduce((sum, amount) => sum + amount, 0)
  let left = units(discount)
  const shares = sums.map((amount, index) => {
    const share = index === sums.length - 1 ? left : Math.round((units(discount) * amount) / (whole || 1))
    left -= share
    return share
  })
  const taxOf = (amount: number) =>
    isTaxIn ? amount - Math.round(amount / (1 + rate / 100)) : Math.round((amount * rate) / 100)
  return { units, taxOf, shares }
}

/** An order in the documented shape of Shopify: amounts in two currencies, and taxes in lines beside their prices. */
export function shopifyOrder(order: PricedOrder, isTaxIn: boolean, fields: Payload = {}): Payload {
  const { lines, rate = 19, shipping = 0, shippingDiscount = 0, currency = 'EUR', decimals = 2 } = order
  const { units, taxOf, shares } = sharedOf(order, isTaxIn)
  const text = (amount: number) => (amount / 10 ** decimals).toFixed(decimals)
  const money = (name: string, amount: number) => ({
    [name]: text(amount),
    [`${name}_set`]: {
      shop_money: { amount: text(amount), currency_code: currency },
      presentment_money: { amount: text(amount), currency_code: currency },
    },
  })
  const taxLine = (amount: number) =>
    rate === 0 ? [] : [{ channel_liable: false, ...money('price', taxOf(amount)), rate: rate / 100, title: 'VAT' }]
  const allocation = (amount: number, index: number) =>
    amount === 0 ? [] : [{ ...money('amount', amount), discount_application_index: index }]
  const gross = lines.map(({ price, quantity = 1 }) => units(price) * quantity)
  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0)
  const postage = units(shipping) - units(shippingDiscount)
  const goods = sum(gross) - sum(shares)
  const tax = sum([...gross.map((amount, index) => taxOf(amount - (shares[index] ?? 0))), taxOf(postage)])
  const total = goods + postage + (isTaxIn ? 0 : tax)
  const discounts = sum(shares) + units(shippingDiscount)
  return {
    ...payload('shopify-order'),
    currency,
    presentment_currency: currency,
    taxes_included: isTaxIn,
    tax_exempt: false,
    ...money('subtotal_price', goods),
    ...money('current_subtotal_price', goods),
    ...money('total_discounts', discounts),
    ...money('current_total_discounts', discounts),
    ...money('total_line_items_price', sum(gross)),
    ...money('total_price', total),
    ...money('current_total_price', total),
    ...money('total_tax', tax),
    ...money('current_total_tax', tax),
    ...money('total_shipping_price', units(shipping)),
    current_total_duties_set: null,
    original_total_duties_set: null,
    total_tip_received: '0.00',
    tax_lines: taxLine(sum(gross) - sum(shares) + postage),
    discount_codes: [],
    discount_applications: [
      {
        target_type: 'line_item',
        type: 'discount_code',
        value: text(sum(shares)),
        value_type: 'fixed_amount',
        allocation_method: 'across',
        target_selection: 'all',
        code: 'SPRING',
      },
      {
        target_type: 'shipping_line',
        type: 'automatic',
        value: text(units(shippingDiscount)),
        value_type: 'fixed_amount',
        allocation_method: 'each',
        target_selection: 'all',
        title: 'Cheaper shipping',
      },
    ],
    line_items: lines.map(({ name, quantity = 1, price }, index) => ({
      ...payload('shopify-order').line_items[0],
      id: 1_001 + index,
      admin_graphql_api_id: `gid://shopify/LineItem/${1_001 + index}`,
      title: name,
      name,
      sku: `SKU-${index}`,
      variant_id: 47_110 + index,
      variant_title: null,
      quantity,
      current_quantity: quantity,
      ...money('price', units(price)),
      ...money('total_discount', 0),
      discount_allocations: allocation(shares[index] ?? 0, 0),
      tax_lines: taxLine((gross[index] ?? 0) - (shares[index] ?? 0)),
      duties: [],
    })),
    shipping_lines: [
      {
        id: 9_001,
        code: 'Standard',
        title: 'Standard',
        ...money('price', units(shipping)),
        ...money('discounted_price', postage),
        discount_allocations: allocation(units(shippingDiscount), 1),
        tax_lines: taxLine(postage),
        is_removed: false,
      },
    ],
    ...fields,
  }
}

/** The meaning of a Shopware order's prices. */
export type TaxStatus = 'gross' | 'net' | 'tax-free'

/** An order in the documented shape of Shopware: calculated prices with their taxes, and the discount as a line. */
export function shopwareOrder(order: PricedOrder, taxStatus: TaxStatus, fields: Payload = {}): Payload {
  const { lines, shipping = 0, currency = 'EUR', decimals = 2 } = order
  const rate = taxStatus === 'tax-free' ? 0 : (order.rate ?? 19)
  const { units, taxOf, shares } = sharedOf({ ...order, rate }, taxStatus !== 'net')
  const paid = (amount: number) => amount / 10 ** decimals
  const priceOf = (amount: number, quantity = 1) => ({
    unitPrice: paid(Math.round(amount / quantity)),
    quantity,
    totalPrice: paid(amount),
    calculatedTaxes:
      rate === 0 ? [] : [{ tax: paid(taxOf(amount)), taxRate: rate, price: paid(amount), extensions: [] }],
    taxRules: rate === 0 ? [] : [{ taxRate: rate, percentage: 100, extensions: [] }],
    referencePrice: null,
    listPrice: null,
    regulationPrice: null,
  })
  const sold = lines.map(({ price, quantity = 1 }) => units(price) * quantity)
  const reduction = shares.reduce((all, share) => all + share, 0)
  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0)
  const positions = sum(sold) - reduction
  const tax = sum([...sold.map(taxOf), reduction === 0 ? 0 : taxOf(-reduction), taxOf(units(shipping))])
  const raw = positions + units(shipping) + (taxStatus === 'net' ? tax : 0)
  const ids = lines.map((_line, index) => `aa96bb30203e4355b6a10caeec40c1b${index}`)
  const template = payload('shopware-order').data.payload.order
  const derived = (price: ReturnType<typeof priceOf>) => ({
    price,
    unitPrice: price.unitPrice,
    totalPrice: price.totalPrice,
  })
  const [delivery] = template.deliveries
  return {
    ...template,
    currency: { isoCode: currency, factor: 1 },
    currencyFactor: 1,
    taxStatus,
    amountTotal: paid(raw),
    amountNet: paid(raw - tax),
    positionPrice: paid(positions),
    shippingTotal: paid(units(shipping)),
    shippingCosts: priceOf(units(shipping)),
    price: {
      netPrice: paid(raw - tax),
      totalPrice: paid(raw),
      rawTotal: paid(raw),
      positionPrice: paid(positions),
      taxStatus,
      calculatedTaxes: rate === 0 ? [] : [{ tax: paid(tax), taxRate: rate, price: paid(raw), extensions: [] }],
      taxRules: [{ taxRate: rate, percentage: 100, extensions: [] }],
    },
    lineItems: [
      ...lines.map(({ name, quantity = 1 }, index) => ({
        ...template.lineItems[0],
        id: ids[index],
        identifier: ids[index],
        productId: ids[index],
        label: name,
        type: 'product',
        quantity,
        parentId: null,
        states: ['is-physical'],
        ...derived(priceOf(sold[index] ?? 0, quantity)),
      })),
      ...(reduction === 0
        ? []
        : [
            {
              id: 'dd96bb30203e4355b6a10caeec40c1b3',
              identifier: 'SPRING',
              quantity: 1,
              label: 'Spring',
              type: 'promotion',
              parentId: null,
              ...derived(priceOf(-reduction)),
              payload: {
                code: 'SPRING',
                discountType: 'absolute',
                composition: lines.map(({ quantity = 1 }, index) => ({
                  id: ids[index],
                  quantity,
                  discount: paid(shares[index] ?? 0),
                })),
              },
            },
          ]),
    ],
    deliveries: [
      {
        ...delivery,
        shippingCosts: priceOf(units(shipping)),
        positions: lines.map(({ quantity = 1 }, index) => ({
          orderLineItemId: ids[index],
          quantity,
          price: priceOf(sold[index] ?? 0, quantity),
        })),
      },
    ],
    ...fields,
  }
}
