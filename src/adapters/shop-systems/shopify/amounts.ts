import { decimalsOf, roundAmount, sumOf } from '../../../platform/foundation/amounts.ts'
import { amountOf, type Fields, listOf, quantityOf } from '../read-fields.ts'
import type { MoneyReader } from './money.ts'

/**
 * Reads what customers pay. If `taxes_included` is false, Shopify's prices, discounts and shipping exclude tax, and the tax
 * is in the lines' `tax_lines`, after their discounts.
 */
export interface AmountReader {
  money: MoneyReader
  /** A line item as it was ordered. */
  lineAmounts(item: Fields): LineAmounts
  /** A shipping line: its price, and what discounts take off it. */
  shippingAmounts(line: Fields): { price: number | undefined; discount: number }
  /** The amount that a discount takes off a line. */
  discountWithTax(amount: number | undefined, line: Fields): number | undefined
  /** An amount with its own tax lines, such as duties. */
  withTax(amount: number | undefined, fields: Fields): number | undefined
}

export interface LineAmounts {
  /** Of a piece, before the discount. */
  price?: number
  line_subtotal?: number
  /** Undefined if the message does not say what discounts take off the line. */
  line_total?: number
}

export function amountReader(order: Fields, money: MoneyReader): AmountReader {
  const isTaxExtra = order.taxes_included === false
  const digits = decimalsOf(money.currency)
  const taxOf = (fields: Fields) =>
    isTaxExtra ? sumOf(listOf(fields.tax_lines).map((tax) => money.amountOf(tax, 'price'))) : 0
  /** Discounts exclude tax too; the tax lines are those of the discounted price. */
  const discountOf = (amount: number, fields: Fields) => {
    const rate = isTaxExtra ? listOf(fields.tax_lines).reduce((sum, tax) => sum + (amountOf(tax.rate) ?? 0), 0) : 0
    return roundAmount(amount * (1 + rate), digits)
  }
  return {
    money,
    lineAmounts(item) {
      const price = money.amountOf(item, 'price')
      const pieces = quantityOf(item.quantity) ?? 1
      if (price === undefined) return {}
      const taken = allocatedTo(item, money)
      const discount = discountOf(taken ?? 0, item)
      const line_total = sumOf([price * pieces, -(taken ?? 0), taxOf(item)])
      const line_subtotal = sumOf([line_total, discount])
      return {
        price: isTaxExtra && pieces > 0 ? roundAmount(line_subtotal / pieces, digits) : price,
        line_subtotal,
        ...(taken === undefined ? {} : { line_total }),
      }
    },
    shippingAmounts(line) {
      const price = money.amountOf(line, 'price')
      const taken = allocatedTo(line, money) ?? 0
      const discount = discountOf(taken, line)
      return { price: price === undefined ? undefined : sumOf([price, -taken, taxOf(line), discount]), discount }
    },
    discountWithTax: (amount, line) => (amount === undefined ? undefined : discountOf(amount, line)),
    withTax: (amount, fields) => (amount === undefined ? undefined : sumOf([amount, taxOf(fields)])),
  }
}

/** The amount that discounts take off a line; undefined if the message lacks it, or has it in another currency only. */
function allocatedTo(line: Fields, money: MoneyReader): number | undefined {
  if (!Array.isArray(line.discount_allocations)) return undefined
  const amounts = listOf(line.discount_allocations).map((allocation) => money.amountOf(allocation, 'amount'))
  return amounts.includes(undefined) ? undefined : sumOf(amounts)
}
