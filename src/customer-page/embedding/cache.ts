import { defineCache } from '../../platform/foundation/caches.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { findEmbedding, type StoredEmbedding } from './store.ts'

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    embedding: { shopId: string }
  }
}

const embeddingCache = defineCache<StoredEmbedding>({
  name: 'embedding',
  maxEntries: 10_000,
  invalidatedBy: { embedding: (change, _embedding, shopId) => shopId === change.shopId },
})

/** No key fits, and no other site may embed anything. */
const none: StoredEmbedding = { public_key: '', domains: [] }

/** Every request from a shop's own site, and every page, needs it. */
export async function cachedEmbedding(
  context: Pick<Context, 'db' | 'services' | 'afterCommit' | 'isFromReplica'>,
  shopId: string,
): Promise<StoredEmbedding> {
  const cache = context.services.caches.open(embeddingCache)
  return cache.get(shopId) ?? cache.load(context, shopId, async () => (await findEmbedding(context, shopId)) ?? none)
}
