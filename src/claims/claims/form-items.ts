import type { Product } from '../../orders/orders/parts.ts'
import { decimalsOf, partOf, roundAmount } from '../../platform/foundation/amounts.ts'
import { sha256 } from '../../platform/foundation/crypto.ts'
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
  /** Of the order, which its amounts are rounded in. */
  currency: string | null
}

/** The lines that have a quantity. */
export function toFormItems(products: readonly Product[], currency: string | null): FormItem[] {
  const seen = new Map<string, number>()
  return products.map((product) => toFormItem(product, currency, seen)).filter(({ quantity }) => quantity > 0)
}

function toFormItem(product: Product, currency: string | null, seen: Map<string, number>): FormItem {
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
    currency,
  }
}

/**
 * Some pieces of the line as a claim has them. Their amount is their share of the line's, so that claims about all of
 * its pieces add up to it; `before` were claimed earlier. A line without an amount has only a price per piece.
 */
export function toClaimedItem(
  { product, quantity: of, currency }: Pick<FormItem, 'product' | 'quantity' | 'currency'>,
  count: number,
  before = 0,
): ClaimItemInput {
  const { line_total, price } = product
  const sold = isPrice(line_total) && count > 0 ? partOf(line_total, { of, count, before }, currency) : undefined
  return {
    sku: product.sku ?? null,
    title: product.title ?? null,
    quantity: count,
    net_price: sold === undefined ? (isPrice(price) ? price : null) : roundAmount(sold / count, decimalsOf(currency)),
    ...(sold === undefined ? {} : { line_total: sold }),
    image_urls: (product.images ?? []).map(({ src }) => src),
  }
}

/** The limits of the claim schema; orders have none. */
function isPrice(price: number | null | undefined): price is number {
  return typeof price === 'number' && Math.abs(price) <= 1e12
}
