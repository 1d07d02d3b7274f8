import { isReturn } from '../../platform/catalogue/catalogue.ts'
import type { Product } from './parts.ts'

/** The part of a shipment that shows what was sent. */
interface SentPart {
  tracking_number: string | null
  direction: string
  products: unknown
}

/** True if the product is not sent in a parcel. */
export function isDigital(product: Product): boolean {
  if (typeof product.requires_shipping === 'boolean') return !product.requires_shipping
  const parts = product.bundled_products ?? []
  return parts.length > 0 && parts.every((part) => part.requires_shipping === false)
}

/** True if all products are digital, refunded or removed. An order that lists no products may still have some. */
export function hasNothingToSend(details: Record<string, unknown>): boolean {
  const products = (details.products ?? []) as Product[] // written from validated orders only
  return products.length > 0 && products.every((product) => isDigital(product) || product.quantity === 0)
}

/**
 * The products of an order that are in no parcel yet, which its drafts represent. Undefined if that is unknown: nothing
 * was sent, or a parcel does not list its products.
 */
export function remainingProducts(ordered: unknown, shipments: readonly SentPart[]): Product[] | undefined {
  const sent = shipments.filter(({ tracking_number, direction }) => tracking_number !== null && !isReturn(direction))
  if (sent.length === 0 || sent.some(({ products }) => products === null)) return undefined
  const inParcels = sent.flatMap(({ products }) => products as Product[]) // validated when they were stored
  const unmatched = inParcels.map((product) => ({ product, quantity: product.quantity ?? 1 }))
  return ((ordered ?? []) as Product[]).flatMap((product) => {
    let quantity = product.quantity ?? 1
    for (const item of unmatched) {
      if (item.quantity === 0 || quantity === 0 || !isSameProduct(item.product, product)) continue
      const matched = Math.min(item.quantity, quantity)
      item.quantity -= matched
      quantity -= matched
    }
    return quantity === 0 || isDigital(product) ? [] : [{ ...product, quantity }]
  })
}

/** Compares the first of these fields that both products have. */
export function isSameProduct(left: Product, right: Product): boolean {
  for (const name of ['variant_id', 'sku', 'product_id', 'title'] as const) {
    const [one, other] = [left[name], right[name]]
    if (one === undefined || one === null || other === undefined || other === null) continue
    if (String(one) !== String(other)) return false
    // Two variants may share a product's id or title.
    if (name === 'variant_id' || name === 'sku') return true
    return !left.variant_title || !right.variant_title || left.variant_title === right.variant_title
  }
  return false
}
