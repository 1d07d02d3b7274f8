import { defineCache } from '../../platform/foundation/caches.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { readShopTracking, type ShopTracking } from './shop-tracking.ts'

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    /** A shop's settings or credentials for its tracking providers were changed. */
    tracking: { shopId: string }
  }
}

/** Whether and by which providers each shop's parcels are tracked, by the shop's id. */
const trackingCache = defineCache<ShopTracking>({
  name: 'tracking providers',
  maxEntries: 10_000,
  invalidatedBy: {
    tracking: (change, _tracking, shopId) => shopId === change.shopId,
    shop: (change, _tracking, shopId) => shopId === change.id,
  },
})

export async function cachedShopTracking(context: Context, shopId: string): Promise<ShopTracking> {
  const cache = context.services.caches.open(trackingCache)
  return cache.get(shopId) ?? cache.load(context, shopId, () => readShopTracking(context, shopId))
}
