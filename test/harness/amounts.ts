import type { OrderFields } from '../../src/adapters/shop-systems/shop-system.ts'
import { sumOf } from '../../src/platform/foundation/amounts.ts'

/** How much the total of an order is more than its parts; 0 if they add up, NaN if one is missing. */
export function gapIn(order: OrderFields): number {
  const { products = [], fees = [], shipping_price, discount_price = 0, total_order_price } = order
  const goods = products.map(({ line_subtotal }) => line_subtotal ?? Number.NaN)
  const charged = fees.map(({ amount }) => amount ?? Number.NaN)
  const parts = sumOf([...goods, ...charged, shipping_price ?? Number.NaN, -discount_price])
  if (sumOf(goods) !== order.sub_total_price) return Number.NaN
  return sumOf([total_order_price ?? Number.NaN, -parts])
}
