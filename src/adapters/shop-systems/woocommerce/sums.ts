import { decimalsOf, sumOf } from '../../../platform/foundation/amounts.ts'
import { amountOf, type Fields, given, listOf, textOf } from '../read-fields.ts'
import { gapOf, type Parts, settle } from '../settle.ts'
import type { OrderFields, ReportedItem } from '../shop-system.ts'
import { withTax } from './amounts.ts'
import { usedGiftCards } from './gift-cards.ts'
import { readableText } from './text.ts'

type Sums = Pick<
  OrderFields,
  'total_order_price' | 'shipping_price' | 'sub_total_price' | 'discount_price' | 'discounts' | 'fees'
>

/**
 * The sums of an order with these products, tax included. Where refunds have taken goods out, the total and the discount
 * are those of what is left.
 */
export function sumsOf(
  order: Fields,
  { ordered, products }: { ordered: ReportedItem[]; products: ReportedItem[] },
  currency: string | undefined,
): Sums {
  const total = amountOf(order.total)
  const shipping = withTax(order.shipping_total, order.shipping_tax)
  const coupons = withTax(order.discount_total, order.discount_tax)
  const fees = listOf(order.fee_lines).map((fee) => ({
    ...given({ name: readableText(fee.name, 255) }),
    amount: withTax(fee.total ?? fee.amount, fee.total_tax) ?? 0,
  }))
  // Plug-ins express discounts as negative fees.
  const deducted = fees.filter(({ amount }) => amount < 0)
  const givenBack = sumOf([discountIn(ordered), -discountIn(products)])
  const hasDiscount = coupons !== undefined || deducted.length > 0
  const parts: Parts = {
    goods: sumOf(products.map(({ line_subtotal }) => line_subtotal)),
    shipping: shipping ?? 0,
    discount: sumOf([coupons, -givenBack, ...deducted.map(({ amount }) => -amount)]),
    fees: fees.filter(({ amount }) => amount > 0),
    discounts: [
      ...couponsOf(order, currency),
      ...deducted.map(({ name, amount }) => ({
        ...given({ code: name }),
        amount: textIn(currency, -amount),
        type: 'fee',
      })),
    ],
  }
  const known = [...ordered, ...products]
  const left = total === undefined ? undefined : sumOf([total, -soldIn(ordered), soldIn(products)])
  const isComplete = known.length > 0 && shipping !== undefined && known.every(isPriced)
  const settled =
    isComplete && left !== undefined ? settle(withGiftCards(parts, order, left, currency), left, currency) : parts
  return given({
    total_order_price: left,
    shipping_price: shipping,
    sub_total_price: products.some(isPriced) ? settled.goods : undefined,
    discount_price: hasDiscount || settled.discount > 0 ? settled.discount : undefined,
    discounts: settled.discounts.length === 0 ? undefined : settled.discounts.slice(0, 100),
    fees: settled.fees.length === 0 ? undefined : settled.fees.slice(0, 100),
  })
}

/** Gift cards count as discounts, unless a plug-in has put them into the order in another way too. */
function withGiftCards(parts: Parts, order: Fields, total: number, currency: string | undefined): Parts {
  const cards = usedGiftCards(order)
  const paid = sumOf(cards.map(({ amount }) => amount))
  const isInTotal = cards.length > 0 && gapOf(parts, total) < 0
  if (!isInTotal) return parts
  const used = cards.map(({ code, amount }) => ({
    ...given({ code }),
    amount: textIn(currency, amount),
    type: 'gift_card',
  }))
  return { ...parts, discount: sumOf([parts.discount, paid]), discounts: [...parts.discounts, ...used] }
}

function couponsOf(order: Fields, currency: string | undefined): NonNullable<OrderFields['discounts']> {
  return listOf(order.coupon_lines).map((coupon) => {
    const amount = withTax(coupon.discount, coupon.discount_tax)
    return given({
      code: readableText(coupon.code, 255),
      amount: amount === undefined ? undefined : textIn(currency, amount),
      type: textOf(coupon.discount_type, 100),
    })
  })
}

function textIn(currency: string | undefined, amount: number): string {
  return amount.toFixed(decimalsOf(currency))
}

function isPriced({ line_subtotal, line_total }: ReportedItem): boolean {
  return line_subtotal !== undefined && line_total !== undefined
}

function soldIn(items: ReportedItem[]): number {
  return sumOf(items.map(({ line_total }) => line_total))
}

function discountIn(items: ReportedItem[]): number {
  return sumOf(items.flatMap(({ line_subtotal = 0, line_total = 0 }) => [line_subtotal, -line_total]))
}
