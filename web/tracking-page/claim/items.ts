import { sha256 } from '../../../src/foundation/crypto.ts'
import type { Product } from '../../../src/journey/orders/parts.ts'
import type { ClaimableOrder, ClaimableShipment } from '../../../src/resources/claims/form-store.ts'
import type { ClaimItemInput } from '../../../src/resources/claims/schema.ts'

/** An item of a parcel that a claim can be about. */
export interface ParcelItem {
  /** The key of the item in the form; stable if the order's items change meanwhile. */
  key: string
  title: string
  variant: string
  imageUrl: string | undefined
  sent: number
  product: Product
}

/** The contents of a parcel, as far as known. */
export function itemsOf(order: ClaimableOrder, shipment: ClaimableShipment): ParcelItem[] {
  const seen = new Map<string, number>()
  return (shipment.products ?? order.products ?? [])
    .map((product) => toItem(asOrdered(order, product), seen))
    .filter(({ sent }) => sent > 0)
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

function toItem(product: Product, seen: Map<string, number>): ParcelItem {
  const { sku, title, variant_title, product_id, variant_id } = product
  const name = sha256(JSON.stringify([sku, title, variant_title, product_id, variant_id]))
    .toString('hex')
    .slice(0, 12)
  const count = (seen.get(name) ?? 0) + 1
  seen.set(name, count)
  return {
    key: count === 1 ? name : `${name}-${count}`,
    title: title || sku || '',
    variant: variant_title ?? '',
    imageUrl: product.images?.find(({ src }) => src.startsWith('https://'))?.src,
    sent: product.quantity ?? 1,
    product,
  }
}

/** The line as stored in a claim. The price is as the shop sent it, with or without tax. */
export function toClaimedItem({ product, sent }: ParcelItem, quantity = sent): ClaimItemInput {
  return {
    sku: product.sku ?? null,
    title: product.title ?? null,
    quantity,
    net_price: isPrice(product.price) ? product.price : null,
    image_urls: (product.images ?? []).map(({ src }) => src),
  }
}

/** The limits of the claim schema; orders have none. */
function isPrice(price: number | null | undefined): price is number {
  return typeof price === 'number' && Math.abs(price) <= 1e12
}
