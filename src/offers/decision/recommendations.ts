import { localizedTitle } from '../../orders/products/rules.ts'
import { findProducts, newestProducts, type StoredProduct } from '../../orders/products/store.ts'
import { defineCache } from '../../platform/foundation/caches.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { CampaignProduct, PromotionProperties } from '../campaigns/schema.ts'
import { lastOrderedProducts } from './recommendations-store.ts'
import type { OfferedOrder } from './store.ts'

/** The data of a shop that recommendations are made from. */
export interface Learnt {
  /** Of each product, those bought with it, with how often. */
  together: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Newest first, each once. */
  products: readonly StoredProduct[]
}

/** The maximum number of products in a product campaign. */
const shownProducts = 6
/** Only this many orders are evaluated, however long the shop's history is. */
const sampleSize = 2_000
const newestSize = 500
/** By shop. It may be minutes old: the orders of this hour lead to the same products as those of this minute. */
const learntCache = defineCache<Learnt>({
  name: 'product recommendations',
  maxEntries: 1_000,
  ttlMs: 10 * minuteMs,
})

/** Fills a product campaign up with products for this order: its own first, then what others bought with these. */
export async function withRecommendations(
  context: Context,
  order: OfferedOrder,
  properties: PromotionProperties,
): Promise<PromotionProperties> {
  if (!('products' in properties) || properties.products.length >= shownProducts) return properties
  const { products: own } = properties
  const chosen = recommend(await learntOf(context, order.shop.id), order.productIds)
  const urls = new Set(own.map(({ product_url }) => product_url))
  const more = chosen
    .map((product) => toCampaignProduct(context, order, product))
    .filter((product) => product !== undefined)
    .filter(({ product_url }) => !urls.has(product_url))
  return { ...properties, products: [...own, ...more].slice(0, shownProducts) }
}

/** Bought together with the given ones, most often first; then of their categories; then the newest. */
export function recommend({ together, products }: Learnt, given: readonly string[]): StoredProduct[] {
  const counts = new Map<string, number>()
  for (const id of new Set(given)) {
    for (const [other, count] of together.get(id) ?? []) counts.set(other, (counts.get(other) ?? 0) + count)
  }
  const categories = new Set(
    products.filter(({ product_id }) => given.includes(product_id)).map(({ category }) => category),
  )
  categories.delete(null)
  const rankOf = ({ product_id, category }: StoredProduct) =>
    counts.get(product_id) ?? (categories.has(category) ? 0.5 : 0)
  // Sorting is stable: among equals, the newest comes first.
  return products
    .filter(({ product_id, product_url }) => product_url !== null && !given.includes(product_id))
    .sort((left, right) => rankOf(right) - rankOf(left))
    .slice(0, 2 * shownProducts)
}

/** Counts which products were in one order. */
export function countTogether(orders: readonly (readonly string[])[]): Map<string, Map<string, number>> {
  const together = new Map<string, Map<string, number>>()
  for (const order of orders) {
    const ids = [...new Set(order)].slice(0, 50)
    for (const id of ids) {
      const counts = together.get(id) ?? new Map<string, number>()
      together.set(id, counts)
      for (const other of ids) if (other !== id) counts.set(other, (counts.get(other) ?? 0) + 1)
    }
  }
  return together
}

async function learntOf(context: Context, shopId: string): Promise<Learnt> {
  // Uncommitted data of a transaction must not be cached.
  if (context.afterCommit) return learn(context, shopId)
  const cache = context.services.caches.open(learntCache)
  return cache.get(shopId, context.now) ?? cache.load(context, shopId, () => learn(context, shopId))
}

async function learn(context: Context, shopId: string): Promise<Learnt> {
  const together = countTogether(await lastOrderedProducts(context, shopId, sampleSize))
  const newest = await newestProducts(context, shopId, newestSize)
  const bought = await findProducts(context, shopId, [...together.keys()])
  const variants = [...newest, ...bought].sort((left, right) => right.created_at.getTime() - left.created_at.getTime())
  // One variant stands for its product: the first that can be linked to.
  const products = new Map<string, StoredProduct>()
  for (const variant of variants) {
    if (!products.get(variant.product_id)?.product_url) products.set(variant.product_id, variant)
  }
  return { together, products: [...products.values()] }
}

function toCampaignProduct(
  context: Context,
  { shop }: OfferedOrder,
  product: StoredProduct,
): CampaignProduct | undefined {
  if (product.product_url === null) return undefined
  return {
    title: localizedTitle(product, context.acceptLanguage, shop.language).slice(0, 1_000),
    image_url: product.image_url,
    product_url: product.product_url,
    price: product.price === null || product.price < 0 ? null : product.price,
    currency: shop.currency,
    sku: product.sku,
  }
}
