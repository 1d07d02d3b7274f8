import { defineCache } from '../../foundation/caches.ts'
import type { Context } from '../../foundation/context.ts'
import { type Following, readFollowing } from './following.ts'

declare module '../../foundation/caches.ts' {
  interface ChangeKinds {
    /** A shop's settings or credentials for its tracking providers were changed. */
    tracking: { shopId: string }
  }
}

/** Whether and by which providers each shop's parcels are followed, by the shop's id. */
const followingCache = defineCache<Following>({
  name: 'tracking providers',
  maxEntries: 10_000,
  invalidatedBy: {
    tracking: (change, _following, shopId) => shopId === change.shopId,
    shop: (change, _following, shopId) => shopId === change.id,
  },
})

export async function cachedFollowing(context: Context, shopId: string): Promise<Following> {
  const cache = context.services.caches.open(followingCache)
  return cache.get(shopId) ?? cache.load(context, shopId, () => readFollowing(context, shopId))
}
