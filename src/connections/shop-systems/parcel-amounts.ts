import { createParcelItems } from '../../adapters/shop-systems/settle.ts'
import type { OrderFields, ReportedItem, ReportedParcel } from '../../adapters/shop-systems/shop-system.ts'
import { isSameProduct } from '../../orders/orders/remaining.ts'

/**
 * Parcels whose items have what they cost in the order. A message about a fulfilment does not know the taxes and discounts
 * of its items, so adapters may leave their amounts to the order.
 */
export function withOrderedAmounts<Parcel extends ReportedParcel>(
  parcels: readonly Parcel[],
  order: Record<string, unknown>,
): Parcel[] {
  const { products, currency } = order as OrderFields // written from validated orders, or about to be
  const ordered = products ?? []
  const items = createParcelItems(currency)
  const complete = (item: ReportedItem): ReportedItem => {
    if (item.price !== undefined || item.line_subtotal !== undefined) return item
    const index = ordered.findIndex((other) => isSameProduct(item, other))
    const [match] = index < 0 ? [] : [ordered[index]]
    if (match === undefined) return item
    const { price, line_subtotal, line_total } = items.take(String(index), match, item.quantity ?? 1)
    return {
      ...item,
      ...(price === undefined ? {} : { price }),
      ...(line_subtotal === undefined ? {} : { line_subtotal }),
      ...(line_total === undefined ? {} : { line_total }),
    }
  }
  return parcels.map((parcel) => (parcel.products ? { ...parcel, products: parcel.products.map(complete) } : parcel))
}
