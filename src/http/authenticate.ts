import type { FastifyRequest } from 'fastify'
import { type CachedKey, keyCache } from '../access/keys/cache.ts'
import { recordKeyUse } from '../access/keys/store.ts'
import { sessionCache } from '../access/sessions/cache.ts'
import { maxIdleMs, readSessionCookie } from '../access/sessions/cookie.ts'
import { findSession, recordSessionUse, type StoredSession } from '../access/sessions/store.ts'
import type { Cache } from '../platform/foundation/caches.ts'
import { networkOf } from '../platform/foundation/client-network.ts'
import type { Context, ShopRecord } from '../platform/foundation/context.ts'
import { sha256, sha256Hex } from '../platform/foundation/crypto.ts'
import { ApiError } from '../platform/foundation/errors.ts'
import type { Principal } from '../platform/foundation/roles.ts'
import { shopCache } from '../shops/shops/cache.ts'
import { findShopIdentity } from '../shops/shops/store.ts'
import { readBasicCredentials } from './basic-credentials.ts'
import { isSecure, mayUseCookie } from './request-origin.ts'

/** Finds the principal and the shop of a request. Both are cached. */
export interface Authenticator {
  /** From the key or, without one, from the session cookie. Undefined if there is neither. */
  principalOf(request: FastifyRequest, now: Date): Promise<Principal | undefined>
  shopOf(slug: string): Promise<ShopRecord>
  /** Records when keys and sessions were last used. */
  flush(): Promise<void>
}

export function createAuthenticator({ db, services }: Pick<Context, 'db' | 'services'>): Authenticator {
  const keys = services.caches.open(keyCache)
  const shops = services.caches.open(shopCache)
  const sessions = new SessionAuthenticator({ db, services })
  const { credentials } = services
  let lastUse = new Map<string, Date>()

  /**
   * Whether a cached key may be used from this address without another check. If its user name is rate limited, someone
   * is guessing, and a right guess must not be accepted because the key is cached.
   */
  function isTrustedFrom({ principal, addresses }: CachedKey, digest: string, address: string, now: Date): boolean {
    if (addresses.has(address)) return true
    const network = networkOf(address)
    if (credentials.isLimited(network, principal.username, now)) return false
    addresses.add(address)
    credentials.trust(network, digest)
    return true
  }

  async function keyOf(authorization: string, address: string, now: Date): Promise<Principal> {
    // By digest, so that a dump of this process contains no secret for longer than its request.
    const digest = sha256Hex(authorization)
    const cached = keys.get(digest)
    if (cached && isTrustedFrom(cached, digest, address, now)) return cached.principal
    const given = { ...readBasicCredentials(authorization), digest }
    // Not shared: attempts are counted for each network.
    const { principal } = await keys.loadAlone(digest, async () => ({
      principal: await credentials.check({ db, now: services.clock.now() }, given, networkOf(address)),
      addresses: new Set([address]),
    }))
    return principal
  }

  return {
    async principalOf(request, now) {
      const { authorization } = request.headers
      const principal = await (authorization === undefined
        ? sessions.find(request, now)
        : keyOf(authorization, request.ip ?? '', now))
      if (principal === undefined) return undefined
      if (principal.expiration > 0 && principal.expiration * 1_000 <= now.getTime()) {
        throw new ApiError('invalid_merchant_or_key', 'This API key has expired. Create a new one.')
      }
      if (principal.kind === 'key') lastUse.set(principal.keyId, now)
      return principal
    },

    async shopOf(slug) {
      const cached = shops.get(slug)
      if (cached) return cached
      // PostgreSQL rejects text with U+0000, and no slug has it.
      const shop = slug.includes('\0') ? undefined : await shops.load({}, slug, () => findShopIdentity({ db }, slug))
      if (shop === undefined) throw new ApiError('shop_not_found', `There is no shop "${slug}".`)
      return shop
    },

    async flush() {
      const used = lastUse
      lastUse = new Map()
      await recordKeyUse({ db }, used)
      await sessions.flush()
    },
  }
}

/** Finds the caller that a session cookie belongs to. */
class SessionAuthenticator {
  readonly #base: Pick<Context, 'db' | 'services'>
  readonly #sessions: Cache<StoredSession>
  /** Since the last flush. */
  #lastUse = new Map<string, Date>()

  constructor(base: Pick<Context, 'db' | 'services'>) {
    this.#base = base
    this.#sessions = base.services.caches.open(sessionCache)
  }

  /** Undefined if the request has no cookie, if the cookie does not count here, or if its session has ended. */
  async find(request: FastifyRequest, now: Date): Promise<Principal | undefined> {
    if (request.headers.cookie === undefined) return undefined
    const { publicUrl } = this.#base.services
    const token = readSessionCookie(request.headers.cookie, isSecure(request, publicUrl))
    if (token === undefined || !mayUseCookie(request, publicUrl)) return undefined
    const session = await this.#load(token, now)
    if (session === undefined || this.#isOver(session, now)) return undefined
    this.#lastUse.set(session.id, now)
    return session.principal
  }

  /** Records when sessions were last used. */
  async flush(): Promise<void> {
    const used = this.#lastUse
    this.#lastUse = new Map()
    await recordSessionUse(this.#base, used)
  }

  async #load(token: string, now: Date): Promise<StoredSession | undefined> {
    const hash = sha256(token)
    const key = hash.toString('base64')
    const cached = this.#sessions.get(key)
    // One that seems idle here may have been used on another node.
    if (cached && !this.#isOver(cached, now)) return cached
    return this.#sessions.load({}, key, () => findSession(this.#base, hash))
  }

  #isOver({ id, lastUsedAt, expiresAt }: StoredSession, now: Date): boolean {
    const lastUse = this.#lastUse.get(id) ?? lastUsedAt
    return expiresAt <= now || now.getTime() - lastUse.getTime() >= maxIdleMs
  }
}
