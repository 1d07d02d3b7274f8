import { sumOf } from '../../../platform/foundation/amounts.ts'
import { amountOf, type Fields, fieldsOf, listOf } from '../read-fields.ts'

/**
 * Whether prices exclude tax, as for business customers: lines and shipping are net then, and the tax is in their
 * `calculatedTaxes`. Orders that are gross or tax-free have what the customer pays.
 */
export function isNet(order: Fields): boolean {
  return (order.taxStatus ?? fieldsOf(order.price).taxStatus) === 'net'
}

/** The amount of a calculated price, tax included; `total` is the field next to it that Shopware derives from it. */
export function paidOf(order: Fields, price: unknown, total: unknown): number | undefined {
  const fields = fieldsOf(price)
  const amount = amountOf(total) ?? amountOf(fields.totalPrice)
  if (amount === undefined || !isNet(order)) return amount
  // Without its taxes, nobody can say what the customer pays for it.
  if (fields.calculatedTaxes === undefined) return undefined
  return sumOf([amount, ...listOf(fields.calculatedTaxes).map(({ tax }) => amountOf(tax))])
}
