import { type FormItem, toFormItems } from '../../claims/claims/form-items.ts'
import type { ClaimableOrder, ClaimableShipment } from '../../claims/claims/form-store.ts'
import type { Product } from '../../orders/orders/parts.ts'
import { isSameProduct } from '../../orders/orders/remaining.ts'
import { partOf } from '../../platform/foundation/amounts.ts'

/** The contents of a parcel, as far as known: what a claim can be about. */
export function itemsOf(order: ClaimableOrder, shipment: ClaimableShipment): FormItem[] {
  const products = (shipment.products ?? order.products ?? []).map((product) => asOrdered(order, product))
  return toFormItems(products, order.currency)
}

/** An item with ids only is completed from the order, and so is what an item was sold for. */
function asOrdered({ products, currency }: ClaimableOrder, product: Product): Product {
  const ordered = products?.find((one) => isSameProduct(product, one))
  if (ordered === undefined) return product
  const quantity = product.quantity ?? ordered.quantity
  if (!product.title) return { ...ordered, quantity, ...soldFor(ordered, quantity, currency) }
  if (typeof product.line_total === 'number') return product
  return { ...product, ...soldFor(ordered, quantity, currency) }
}

function soldFor({ line_total, quantity }: Product, count: number | null | undefined, currency: string | null) {
  if (typeof line_total !== 'number') return {}
  return { line_total: partOf(line_total, { of: quantity ?? 1, count: count ?? 1 }, currency) }
}
