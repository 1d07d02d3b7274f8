import { defineCache } from '../../platform/foundation/caches.ts'
import type { Context, ShopRecord } from '../../platform/foundation/context.ts'
import type {} from './cache.ts'
import { findShop } from './store.ts'

/** Shops by their id, for work that no request starts. */
const shopsById = defineCache<ShopRecord>({
  name: 'shops by id',
  maxEntries: 10_000,
  invalidatedBy: { shop: ({ id }, shop) => shop.id === id },
})

/** Undefined for a deleted shop. */
export async function findShopById(context: Context, id: string): Promise<ShopRecord | undefined> {
  const cache = context.services.caches.open(shopsById)
  return cache.get(id, context.now) ?? cache.load(context, id, () => findShop(context, id))
}
