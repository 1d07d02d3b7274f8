import type { FastifyRequest } from 'fastify'
import {
  type Attempt,
  AttemptCounter,
  type AttemptLimit,
  giveBackAttempts,
  rememberRight,
  wasRight,
} from '../database/attempts.ts'
import { networkOf } from '../foundation/client-network.ts'
import { minuteMs } from '../foundation/clock.ts'
import type { Context, ShopRecord } from '../foundation/context.ts'
import { sha256Hex } from '../foundation/crypto.ts'
import { ApiError } from '../foundation/errors.ts'
import type { Principal } from '../foundation/roles.ts'
import { type CachedKey, keyCache } from '../resources/keys/cache.ts'
import { findPrincipal, recordKeyUse } from '../resources/keys/store.ts'
import { shopCache } from '../resources/shops/cache.ts'
import { findShopIdentity } from '../resources/shops/store.ts'

/** Who asks, and about which shop: both answered from memory once they are warm. */
export interface Authenticator {
  /** Not a promise where it is known already, which is almost always. */
  principalOf(request: FastifyRequest, now: Date): Principal | Promise<Principal>
  shopOf(slug: string): ShopRecord | Promise<ShopRecord>
  /** Writes down when keys were last used. */
  flush(): Promise<void>
}

/** Wrong credentials of one user name, tried from one address, before both together have to wait. */
const logIns: AttemptLimit = { name: 'log-in', limit: 20, windowMs: minuteMs }

export function createAuthenticator({ db, services }: Pick<Context, 'db' | 'services'>): Authenticator {
  const keys = services.caches.open(keyCache)
  const shops = services.caches.open(shopCache)
  const attempts = new AttemptCounter()
  const recentlyRight = new RecentSet(20_000)
  const checking = new Map<string, Promise<Principal>>()
  let lastUse = new Map<string, Date>()

  /**
   * Counted before it is checked, unless it was right from there before: a key in use is not held up by what others try
   * from its address.
   */
  async function check(username: string, secret: string, network: string, pass: string): Promise<Principal> {
    const store = { db, now: services.clock.now() }
    if (recentlyRight.has(pass)) {
      const principal = await findPrincipal(store, username, secret)
      if (principal) return principal
      recentlyRight.delete(pass)
    }
    const counted = await attempts.count(store, [attemptOf(network, username)])
    if (counted.waitSeconds > 0 && !(await wasRight(store, pass))) throw tooManyAttempts(counted.waitSeconds)
    const principal = await findPrincipal(store, username, secret)
    if (principal === undefined) {
      throw new ApiError('invalid_merchant_or_key', 'The username or the API key is wrong, or the key was revoked.')
    }
    await giveBackAttempts(store, counted)
    await rememberRight(store, pass)
    recentlyRight.add(pass)
    return principal
  }

  /** Those who bring the same credentials at the same moment wait for the first; if it fails, each is counted. */
  async function checkOnce(request: FastifyRequest, digest: string): Promise<Principal> {
    const { username, secret } = readCredentials(request.headers.authorization)
    const network = networkOf(request.ip ?? '')
    const pass = `${network} ${digest}`
    const running = checking.get(pass)
    const found = running && (await running.catch(() => undefined))
    if (found) return found
    const started = check(username, secret, network, pass)
    if (checking.has(pass)) return started
    checking.set(pass, started)
    return started.finally(() => checking.delete(pass))
  }

  function admit({ principal }: CachedKey, now: Date): Principal {
    const { expiration } = principal
    if (expiration > 0 && expiration * 1_000 <= now.getTime()) {
      throw new ApiError('invalid_merchant_or_key', 'This API key has expired. Create a new one.')
    }
    lastUse.set(principal.keyId, now)
    return principal
  }

  async function askForKey(request: FastifyRequest, digest: string): Promise<CachedKey> {
    return keys.loadAlone(digest, async () => {
      const principal = await checkOnce(request, digest)
      return { principal, addresses: new Set([request.ip ?? '']) }
    })
  }

  /**
   * Whether a key that is known may be used from this address without being checked. Where its user name is refused there,
   * somebody is guessing, and a right guess must not be told from a wrong one by being known.
   */
  function isKnownFrom({ principal, addresses }: CachedKey, digest: string, address: string, now: Date): boolean {
    if (addresses.has(address)) return true
    const network = networkOf(address)
    if (attempts.isRefused(now, attemptOf(network, principal.username))) return false
    addresses.add(address)
    recentlyRight.add(`${network} ${digest}`)
    return true
  }

  async function askForShop(slug: string): Promise<ShopRecord> {
    // PostgreSQL cannot be asked for text with U+0000, and no slug has it.
    if (slug.includes('\0')) throw noSuchShop(slug)
    const shop = await shops.load({}, slug, () => findShopIdentity({ db }, slug))
    if (shop === undefined) throw noSuchShop(slug)
    return shop
  }

  return {
    principalOf(request, now) {
      // Kept by digest, so that a dump of this process holds no secret for longer than its request.
      const digest = sha256Hex(request.headers.authorization ?? '')
      const known = keys.get(digest)
      if (known && isKnownFrom(known, digest, request.ip ?? '', now)) return admit(known, now)
      return askForKey(request, digest).then((asked) => admit(asked, now))
    },
    shopOf: (slug) => shops.get(slug) ?? askForShop(slug),
    async flush() {
      const used = lastUse
      lastUse = new Map()
      await recordKeyUse({ db }, used)
    },
  }
}

function attemptOf(network: string, username: string): Attempt {
  return { limit: logIns, subject: `${network} ${username}` }
}

function tooManyAttempts(waitSeconds: number): ApiError {
  const detail = `Too many failed log-ins with this username from your address. Try again in ${waitSeconds} s.`
  return new ApiError('rate_limited', detail, { headers: { 'retry-after': String(waitSeconds) } })
}

/** The last texts that were added, so many at most. */
class RecentSet {
  readonly #texts = new Set<string>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  has(text: string): boolean {
    return this.#texts.has(text)
  }

  add(text: string): void {
    this.#texts.delete(text)
    this.#texts.add(text)
    if (this.#texts.size <= this.#limit) return
    for (const oldest of this.#texts) {
      this.#texts.delete(oldest)
      break
    }
  }

  delete(text: string): void {
    this.#texts.delete(text)
  }
}

function noSuchShop(slug: string): ApiError {
  return new ApiError('shop_not_found', `There is no shop "${slug}".`)
}

function readCredentials(header: string | undefined): { username: string; secret: string } {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)\s*$/i.exec(header ?? '')?.[1]
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 1 || colon === decoded.length - 1 || decoded.includes('\0')) {
    throw new ApiError(
      'invalid_merchant_or_key',
      'Send HTTP Basic credentials: Authorization: Basic base64(username:api_key).',
      { status: 400 },
    )
  }
  return { username: decoded.slice(0, colon), secret: decoded.slice(colon + 1) }
}
