import { decimalsOf, sumOf } from '../../../platform/foundation/amounts.ts'
import { amountOf, currencyOf, type Fields, fieldsOf, given, listOf, textOf } from '../read-fields.ts'
import { settle } from '../settle.ts'
import type { OrderFields } from '../shop-system.ts'
import { isNet, paidOf } from './amounts.ts'
import { chargesOf, type Line, reductionsOf } from './lines.ts'

type Sums = Pick<
  OrderFields,
  'total_order_price' | 'shipping_price' | 'sub_total_price' | 'discount_price' | 'discounts' | 'fees'
>

/** The sums of an order, tax included. Its total is what the customer pays, whatever its prices are. */
export function sumsOf(order: Fields, lines: Line[]): Sums {
  const currency = currencyOf(fieldsOf(order.currency).isoCode)
  const total = amountOf(order.amountTotal)
  const shipping = shippingOf(order)
  if (!Array.isArray(order.lineItems)) return given({ total_order_price: total, shipping_price: shipping })
  const reductions = reductionsOf(order)
  const isPriced = lines.every(({ item }) => item.line_subtotal !== undefined)
  const parts = {
    goods: sumOf(lines.map(({ item }) => item.line_subtotal)),
    shipping: shipping ?? 0,
    discount: sumOf(reductions.map(({ amount }) => amount)),
    fees: chargesOf(order),
    discounts: reductions.slice(0, 100).map(({ line, amount }) => {
      const { code, discountType } = fieldsOf(line.payload)
      return given({
        code: textOf(code, 255) ?? textOf(line.label, 255),
        amount: amount.toFixed(decimalsOf(currency)),
        type: textOf(discountType, 100),
      })
    }),
  }
  const isComplete = isPriced && lines.length > 0 && shipping !== undefined && total !== undefined
  const settled = isComplete ? settle(parts, total, currency) : parts
  return given({
    total_order_price: total,
    shipping_price: shipping,
    sub_total_price: isPriced && lines.length > 0 ? parts.goods : undefined,
    discount_price: parts.discount,
    discounts: parts.discounts,
    fees: settled.fees.length === 0 ? undefined : settled.fees.slice(0, 100),
  })
}

/** The costs of all deliveries; a promotion for shipping is a delivery with negative costs. */
function shippingOf(order: Fields): number | undefined {
  const whole = paidOf(order, order.shippingCosts, order.shippingTotal)
  if (whole !== undefined || !isNet(order)) return whole
  const costs = listOf(order.deliveries).map(({ shippingCosts }) => paidOf(order, shippingCosts, undefined))
  return costs.length === 0 || costs.includes(undefined) ? undefined : sumOf(costs)
}
