import { defineCache } from '../../platform/foundation/caches.ts'
import type { StoredSession } from './store.ts'

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    /** A session was ended. */
    session: { id: string }
    /** A person was changed, disabled or deleted, or their sessions were ended. */
    person: { id: string }
  }
}

/** Sessions by the digest of their token. Whatever changes the rights of their owner removes them. */
export const sessionCache = defineCache<StoredSession>({
  name: 'sessions',
  maxEntries: 10_000,
  invalidatedBy: {
    session: ({ id }, session) => session.id === id,
    person: ({ id }, { principal }) => principal.keyId === id,
    key: ({ id }, { principal }) => principal.keyId === id,
    shop: ({ id }, { principal }) => principal.shops.has(id),
  },
})
