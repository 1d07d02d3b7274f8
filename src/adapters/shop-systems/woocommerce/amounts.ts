import { roundAmount, sumOf } from '../../../platform/foundation/amounts.ts'
import { amountOf, type Fields } from '../read-fields.ts'

/**
 * WooCommerce sends amounts without tax, and the tax beside them, even if the shop's prices include it. Each is rounded
 * by itself, and only together they are what the customer pays.
 */
export function withTax(amount: unknown, tax: unknown): number | undefined {
  const net = amountOf(amount)
  return net === undefined ? undefined : sumOf([net, amountOf(tax)])
}

/** The amounts of a line, tax included; undefined if the message does not have them. */
export interface LineAmounts {
  /** Before the discount. */
  line_subtotal: number | undefined
  /** As sold. */
  line_total: number | undefined
}

export function lineAmountsOf(item: Fields): LineAmounts {
  const line_total = withTax(item.total, item.total_tax)
  return { line_subtotal: withTax(item.subtotal, item.subtotal_tax) ?? line_total, line_total }
}

/** The price of a piece before the discount. The `price` of a line excludes tax and discount. */
export function priceOf(item: Fields, { line_subtotal }: LineAmounts, pieces: number, decimals: number) {
  if (line_subtotal === undefined || pieces <= 0) return amountOf(item.price)
  return roundAmount(line_subtotal / pieces, decimals)
}
