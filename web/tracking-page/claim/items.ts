import type { Product } from '../../../src/journey/orders/parts.ts'
import { type FormItem, toFormItems } from '../../../src/resources/claims/form-items.ts'
import type { ClaimableOrder, ClaimableShipment } from '../../../src/resources/claims/form-store.ts'

/** The contents of a parcel, as far as known: what a claim can be about. */
export function itemsOf(order: ClaimableOrder, shipment: ClaimableShipment): FormItem[] {
  return toFormItems((shipment.products ?? order.products ?? []).map((product) => asOrdered(order, product)))
}

/** An item with ids only is completed from the order. */
function asOrdered({ products }: ClaimableOrder, product: Product): Product {
  if (product.title) return product
  const ordered = products?.find(
    ({ product_id, variant_id }) =>
      product_id != null && product_id === product.product_id && variant_id === product.variant_id,
  )
  return ordered ? { ...ordered, quantity: product.quantity ?? ordered.quantity } : product
}
