import { findPrincipalById } from '../../access/keys/store.ts'
import { findPerson, findRights } from '../../access/people/store.ts'
import { checkWooCommerce } from '../../adapters/shop-systems/woocommerce/check.ts'
import { findStoreFailure, grantUrl } from '../../adapters/shop-systems/woocommerce/grant.ts'
import { baseOf, type WooCommerceAccount } from '../../adapters/shop-systems/woocommerce/rest-api.ts'
import { listMasked, putCredentials } from '../../credentials/integration-keys/store.ts'
import { networkOf } from '../../platform/foundation/client-network.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { CheckOutcome } from '../../platform/foundation/connection-check.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { CredentialHostError } from '../../platform/foundation/credential-hosts.ts'
import { sha256 } from '../../platform/foundation/crypto.ts'
import { type ApiError, invalid, rateLimited } from '../../platform/foundation/errors.ts'
import { isUuid, randomText } from '../../platform/foundation/ids.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { anonymous, mayActAs, type Principal, roleIn } from '../../platform/foundation/roles.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { OutgoingError } from '../../platform/outgoing/errors.ts'
import { type AttemptLimit, type CountedAttempt, giveBackAttempts } from '../../platform/store/attempts.ts'
import { rejectIfPaused } from '../../platform/store/paused-shops.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { changesBetween } from '../../shops/audit-log/changes.ts'
import { recordChange } from '../../shops/audit-log/record.ts'
import { findShop } from '../../shops/shops/store.ts'
import { wantWebhooks } from '../shop-systems/webhook-store.ts'
import { findHttpsUrl, wooCommerceCall } from '../shop-systems/woocommerce-account.ts'
import { type GrantRow, putGrant, putGrantProblem, useGrant } from './grant-store.ts'
import { GrantAuthorization, GrantedKey, StoreAddress } from './schema.ts'
import { putCheck } from './store.ts'

const area = 'Connections'

/** 256 bits. */
const stateLength = 43

export const authorizeWooCommerce = operation({
  name: 'authorizeWooCommerce',
  summary: 'Begin to connect a WooCommerce store by its own approval',
  description:
    "Returns the page of the store on which its merchant approves. The store then sends a key of its API to this service, which stores it and creates the webhooks. The approval is valid for ten minutes, once, and for this address; a second request of the same caller ends the first. Needs an https PUBLIC_URL: stores send keys to no other. Before, the address is called without a key: an error says why it is not the address of a store's API.",
  area,
  route: 'POST /v1/shops/{slug}/connections/woocommerce/authorize',
  needs: 'admin',
  body: StoreAddress,
  reply: GrantAuthorization,
  callsOut: true,
  audit: {
    kind: 'connection',
    id: () => 'woocommerce',
    isAct: true,
    isRecordedAfter: true,
    outcome: (_context, { body }) => ({ store_url: body.store_url }),
  },
  async handle(context, { body }) {
    const { publicUrl } = context.services
    if (!publicUrl.startsWith('https://')) {
      throw invalid(
        ['PUBLIC_URL'],
        'WooCommerce sends its key by https only: set PUBLIC_URL to the https address of this service, or create a key in the store and enter it by PUT /keys/woocommerce',
      )
    }
    const storeUrl = await readStoreAddress(context, body.store_url)
    const state = `${context.shop.id}.${randomText(stateLength)}`
    const grant = await putGrant(context, storeUrl, sha256(state))
    const url = grantUrl({
      storeUrl,
      appName: `Doorstep (${context.shop.name})`,
      state,
      returnUrl: `${publicUrl}/dashboard/${context.shop.slug}/connect/woocommerce`,
      callbackUrl: `${publicUrl}/v1/connections/woocommerce/grant`,
    })
    return { url, expires_at: grant.expires_at.toISOString() }
  },
})

export const receiveWooCommerceGrant = operation({
  name: 'receiveWooCommerceGrant',
  summary: 'Receive the key of a WooCommerce store whose merchant has approved',
  description:
    'Called by the store. `user_id` is the state that the authorization gave it: it counts once, within ten minutes. The key is tried at the address that was typed, and stored if it is accepted there. After any reply but 200, WooCommerce deletes the key.',
  area,
  route: 'POST /v1/connections/woocommerce/grant',
  needs: 'nobody',
  body: GrantedKey,
  reply: NullReply,
  callsOut: true,
  audit: { none: 'It is recorded with the key, as an act of who began the authorization.' },
  async handle(context, { body }) {
    const counted = await countGrant(context)
    const shopId = body.user_id.slice(0, 36)
    const shop = isUuid(shopId) ? await findShop(context, shopId) : undefined
    if (shop === undefined) throw unknownState()
    await rejectIfPaused(context, shop)
    // From here on, the state is used: a repeated request finds none.
    const grant = await useGrant(context, shopId, sha256(body.user_id))
    if (grant === undefined) throw unknownState()
    const owner = await findGrantOwner(context, grant)
    if (owner === undefined) throw unknownState()
    const problem = await keepGrantedKey({ ...context, shop, principal: owner }, grant, body)
    if (problem !== undefined) {
      await putGrantProblem(context, grant, problem)
      throw invalid(['body', 'consumer_key'], problem)
    }
    await giveBackAttempts(context, counted)
    return null
  },
})

/** The typed address, by https, after a check that a store's API is there. */
async function readStoreAddress(context: ShopContext, typed: string): Promise<string> {
  const text = typed.trim()
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) throw wrongAddress('must be the address of the store, such as https://shop.example')
  const { username, password } = new URL(address)
  if (username !== '' || password !== '') throw wrongAddress('must not contain a user name or a password')
  const storeUrl = baseOf(findHttpsUrl(context, { storeUrl: address }) ?? address)
  const failure = await findStoreFailure(context.services.call, storeUrl).catch((error: unknown) => {
    if (error instanceof OutgoingError) throw wrongAddress(`the store cannot be reached: ${error.message}`)
    throw error
  })
  if (failure === undefined) return storeUrl
  throw wrongAddress(failure.detail ?? `${storeUrl} returned ${failure.status}, which is not the API of WooCommerce`)
}

function wrongAddress(message: string): ApiError {
  return invalid(['body', 'store_url'], message)
}

/** The same for one that never was, was used, or is too old: nothing can be learnt by trying. */
function unknownState(): ApiError {
  return invalid(['body', 'user_id'], 'this approval is unknown, was used or has expired: connect the store again')
}

/** Keys that a network sends. Those that were expected are given back: a hosting company has many stores. */
const ofNetwork: AttemptLimit = { name: 'woocommerce grant', limit: 30, windowMs: 10 * minuteMs }

async function countGrant(context: Context): Promise<CountedAttempt> {
  const subject = networkOf(context.client?.address ?? '')
  const counted = await context.services.attempts.count(context, [{ limit: ofNetwork, subject }])
  if (counted.waitSeconds > 0) throw rateLimited('Too many keys from this network.', counted.waitSeconds)
  return counted
}

/** The principal that began a grant; undefined if it is no longer an admin of the shop. */
async function findGrantOwner(context: Context, grant: GrantRow): Promise<Principal | undefined> {
  const owner =
    grant.actor_kind === 'person' ? await findPersonPrincipal(context, grant) : await findKey(context, grant)
  return owner && mayActAs(roleIn(owner, grant.shop_id), 'admin') ? owner : undefined
}

async function findPersonPrincipal(context: Context, { actor_id: id }: GrantRow): Promise<Principal | undefined> {
  const person = await findPerson(context, id)
  if (person === undefined || person.disabled_at !== null) return undefined
  const { everywhere, shops } = await findRights(context, id)
  return {
    ...anonymous,
    kind: 'person',
    keyId: id,
    username: person.email,
    name: person.name,
    everywhere: everywhere ?? undefined,
    shops: new Map(shops.map(({ shopId, role }) => [shopId, role])),
  }
}

async function findKey(context: Context, { actor_id: id }: GrantRow): Promise<Principal | undefined> {
  const key = await findPrincipalById(context, id)
  const isExpired = key !== undefined && key.expiration !== 0 && key.expiration * 1_000 <= context.now.getTime()
  return isExpired ? undefined : key
}

/**
 * Stores a key that the store accepts at the address that was typed, and has its webhooks created. Returns why not
 * otherwise. The store has created the key before it sends it, so it can be tried at once.
 */
async function keepGrantedKey(
  context: ShopContext,
  { store_url }: GrantRow,
  { consumer_key, consumer_secret }: GrantedKey,
): Promise<string | undefined> {
  const account = { storeUrl: store_url, consumerKey: consumer_key, consumerSecret: consumer_secret }
  const checked = await tryKey(context, account)
  if (typeof checked === 'string') return checked
  await inTransaction(context, async (context) => {
    const { id } = context.shop
    const before = (await listMasked(context, id)).get('woocommerce')
    const credentials = { store_url, consumer_key, consumer_secret }
    await putCredentials(context, id, 'woocommerce', { credentials, host: null, formerUntil: context.now })
    await putCheck(context, 'woocommerce', checked)
    await wantWebhooks(context, 'woocommerce')
    const after = (await listMasked(context, id)).get('woocommerce')
    await recordChange(context, {
      shopId: id,
      action: 'receiveWooCommerceGrant',
      area: 'Connections',
      kind: 'credentials',
      id: 'woocommerce',
      changes: changesBetween(before, after),
    })
    wakeOnceCommitted(context, 'webhookChecks')
  })
  return undefined
}

async function tryKey(context: ShopContext, account: WooCommerceAccount): Promise<CheckOutcome | string> {
  try {
    const outcome = await checkWooCommerce(wooCommerceCall(context, account), account)
    if (outcome.result === 'ok') return outcome
    return outcome.detail ?? `The store does not accept the key: ${outcome.result}.`
  } catch (error) {
    if (error instanceof OutgoingError || error instanceof CredentialHostError) return error.message
    throw error
  }
}
