import type { Schemas } from 'doorstep-client'
import { formatMoney } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'

type Order = Schemas['Order']

/** The amount of a line before the discount; null if its price is not known. */
export function lineAmount({ line_subtotal, price, quantity }: Order['products'][number]): number | null {
  if (typeof line_subtotal === 'number') return line_subtotal
  return typeof price === 'number' ? price * (quantity ?? 1) : null
}

/** The parts of the total, if they add up to it and are more than one: an order may be given without some of them. */
export function sumsOf(order: Order): [string, string][] {
  const { total_order_price: total, shipping_price: shipping, discount_price: discount, fees = [], products } = order
  const goods = products.reduce((sum, product) => sum + (lineAmount(product) ?? Number.NaN), 0)
  const charged = fees.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const gap = (total ?? Number.NaN) - goods - (shipping ?? 0) - charged + discount
  // Amounts are decimal, numbers binary: half of the smallest coin of any currency is no gap.
  if (!(Math.abs(gap) < 0.0005) || products.length === 0) return []
  const money = (amount: number) => formatMoney(amount, order.currency)
  const parts: [string, number][] = [
    [t('orders.sum_shipping'), shipping ?? 0],
    ...fees.map(({ name, amount }): [string, number] => [name ?? '–', amount ?? 0]),
    [t('orders.sum_discount'), -discount],
  ]
  const charges = parts.filter(([, amount]) => amount !== 0)
  if (charges.length === 0) return []
  return [
    [t('orders.sum_goods'), money(goods)],
    ...charges.map(([name, amount]): [string, string] => [name, money(amount)]),
  ]
}
