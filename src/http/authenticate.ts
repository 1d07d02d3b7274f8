import type { FastifyRequest } from 'fastify'
import { AnswerCache, type Changes } from '../database/changes.ts'
import { Allowance } from '../foundation/allowance.ts'
import { minuteMs } from '../foundation/clock.ts'
import { sha256Hex } from '../foundation/crypto.ts'
import { Refusal } from '../foundation/errors.ts'
import type { Context, ShopRecord } from '../foundation/operation.ts'
import type { Principal } from '../foundation/roles.ts'
import { findPrincipal, recordKeyUse } from '../resources/keys/store.ts'
import { findShopIdentity } from '../resources/shops/store.ts'

/** Who asks, and about which shop: both answered from memory once they are warm. */
export interface Authenticator {
  /** Not a promise where it is known already, which is almost always. */
  principalOf(request: FastifyRequest, now: Date): Principal | Promise<Principal>
  shopOf(slug: string): ShopRecord | Promise<ShopRecord>
  /** Writes down when keys were last used. */
  flush(): Promise<void>
}

interface KnownKey {
  principal: Principal
  expiration: number
}

/** Wrong credentials tried from one address before it has to wait. */
const failuresAMinute = 20

export function createAuthenticator(store: Pick<Context, 'db'>, changes: Changes): Authenticator {
  const keys = new AnswerCache<KnownKey>(changes.trustedSince)
  const shops = new AnswerCache<ShopRecord>(changes.trustedSince)
  const failures = new Allowance(failuresAMinute, minuteMs)
  let lastUse = new Map<string, Date>()

  changes.onChange((change) => {
    if (change.kind === 'key') keys.forget(({ principal }) => principal.keyId === change.id)
    if (change.kind === 'shop') {
      shops.forget((shop) => shop.id === change.id || shop.slug === change.slug)
      keys.forget(({ principal }) => principal.shops.has(change.id))
    }
  })

  async function check(request: FastifyRequest, username: string, secret: string): Promise<KnownKey> {
    const waitSeconds = failures.waitSeconds(request.ip)
    if (waitSeconds > 0) {
      throw new Refusal('rate_limited', `Too many failed log-ins from your address. Try again in ${waitSeconds} s.`, {
        headers: { 'retry-after': String(waitSeconds) },
      })
    }
    const known = await findPrincipal(store, username, secret)
    if (known === undefined) {
      failures.use(request.ip)
      throw new Refusal('invalid_merchant_or_key', 'The username or the API key is wrong, or the key was revoked.')
    }
    return known
  }

  function admit({ principal, expiration }: KnownKey, now: Date): Principal {
    if (expiration > 0 && expiration * 1_000 <= now.getTime()) {
      throw new Refusal('invalid_merchant_or_key', 'This API key has expired. Create a new one.')
    }
    lastUse.set(principal.keyId, now)
    return principal
  }

  async function askForKey(request: FastifyRequest, digest: string): Promise<KnownKey> {
    const { username, secret } = readCredentials(request.headers.authorization)
    return keys.ask(digest, () => check(request, username, secret))
  }

  async function askForShop(slug: string): Promise<ShopRecord> {
    // PostgreSQL cannot be asked for text with U+0000, and no slug has it.
    if (slug.includes('\0')) throw noSuchShop(slug)
    const shop = await shops.ask(slug, () => findShopIdentity(store, slug))
    if (shop === undefined) throw noSuchShop(slug)
    return shop
  }

  return {
    principalOf(request, now) {
      // Kept by digest, so that a dump of this process holds no secret for longer than its request.
      const digest = sha256Hex(request.headers.authorization ?? '')
      const known = keys.get(digest)
      return known ? admit(known, now) : askForKey(request, digest).then((asked) => admit(asked, now))
    },
    shopOf: (slug) => shops.get(slug) ?? askForShop(slug),
    async flush() {
      const used = lastUse
      lastUse = new Map()
      await recordKeyUse(store, used)
    },
  }
}

function noSuchShop(slug: string): Refusal {
  return new Refusal('shop_not_found', `There is no shop "${slug}".`)
}

function readCredentials(header: string | undefined): { username: string; secret: string } {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)\s*$/i.exec(header ?? '')?.[1]
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 1 || colon === decoded.length - 1 || decoded.includes('\0')) {
    throw new Refusal(
      'invalid_merchant_or_key',
      'Send HTTP Basic credentials: Authorization: Basic base64(username:api_key).',
      { status: 400 },
    )
  }
  return { username: decoded.slice(0, colon), secret: decoded.slice(colon + 1) }
}
