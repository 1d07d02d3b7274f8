import { sha256 } from '../../foundation/crypto.ts'
import type { Product } from '../../journey/orders/parts.ts'
import type { ClaimItemInput } from './schema.ts'

/** A line of an order, as customers choose it in a form. */
export interface FormItem {
  /** Its key in the form; stable if the order's items change meanwhile. */
  key: string
  title: string
  variant: string
  imageUrl: string | undefined
  quantity: number
  product: Product
}

/** The lines that have a quantity. */
export function toFormItems(products: readonly Product[]): FormItem[] {
  const seen = new Map<string, number>()
  return products.map((product) => toFormItem(product, seen)).filter(({ quantity }) => quantity > 0)
}

function toFormItem(product: Product, seen: Map<string, number>): FormItem {
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
    quantity: product.quantity ?? 1,
    product,
  }
}

/** The line as a claim has it. The price is as the shop sent it, with or without tax. */
export function toClaimedItem({ product }: Pick<FormItem, 'product'>, quantity: number): ClaimItemInput {
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
