import { findStoreFailure, grantUrl } from '../../adapters/shop-systems/woocommerce/grant.ts'
import { baseOf } from '../../adapters/shop-systems/woocommerce/rest-api.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { sha256 } from '../../platform/foundation/crypto.ts'
import { type ApiError, invalid } from '../../platform/foundation/errors.ts'
import { isUuid, randomText } from '../../platform/foundation/ids.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { OutgoingError } from '../../platform/outgoing/errors.ts'
import { giveBackAttempts } from '../../platform/store/attempts.ts'
import { rejectIfPaused } from '../../platform/store/paused-shops.ts'
import { findShop } from '../../shops/shops/store.ts'
import { findHttpsUrl } from '../shop-systems/woocommerce-account.ts'
import { countGrant } from './grant-limits.ts'
import { findGrantOwner } from './grant-owner.ts'
import { putGrant, putGrantProblem, useGrant } from './grant-store.ts'
import { keepGrantedKey } from './keep-granted-key.ts'
import { GrantAuthorization, GrantedKey, StoreAddress } from './schema.ts'

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

/** The typed address, by https, after a look whether it is that of a store's API. */
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
