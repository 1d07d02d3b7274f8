import { defineCache } from '../../platform/foundation/caches.ts'
import type { Principal } from '../../platform/foundation/roles.ts'

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    /** A key was deleted, replaced or given other rights. */
    key: { id: string }
  }
}

export interface CachedKey {
  principal: Principal
  /** The addresses that it was used from while it is cached. */
  addresses: Set<string>
}

/** Keys by the digest of the credentials that name them: every request looks one up. */
export const keyCache = defineCache<CachedKey>({
  name: 'keys',
  maxEntries: 10_000,
  invalidatedBy: {
    key: ({ id }, { principal }) => principal.keyId === id,
    shop: ({ id }, { principal }) => principal.shops.has(id),
  },
})
