import { defineCache } from '../../platform/foundation/caches.ts'
import type { ShopRecord } from '../../platform/foundation/context.ts'

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    /** A shop was changed, deleted or restored. */
    shop: { id: string; slug: string }
  }
}

/** Shops by their slug: nearly every request looks one up. */
export const shopCache = defineCache<ShopRecord>({
  name: 'shops',
  maxEntries: 10_000,
  invalidatedBy: { shop: ({ id, slug }, shop) => shop.id === id || shop.slug === slug },
})
