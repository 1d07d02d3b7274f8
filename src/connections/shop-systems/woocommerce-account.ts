import type { WooCommerceAccount } from '../../adapters/shop-systems/woocommerce/rest-api.ts'
import { findCredentials } from '../../credentials/integration-keys/store.ts'
import type { Call } from '../../platform/foundation/call.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import {
  CredentialHostError,
  checkCredentialHost,
  guardCredentials,
} from '../../platform/foundation/credential-hosts.ts'
import { ApiError } from '../../platform/foundation/errors.ts'

/** Calls a store with the key that was given for its host, and sends it to no other. */
export function wooCommerceCall(
  { services }: Pick<ShopContext, 'services'>,
  { storeUrl }: WooCommerceAccount,
  call: Call = services.call,
): Call {
  const { hostname } = new URL(storeUrl)
  return guardCredentials(call, { label: 'WooCommerce', hosts: [hostname] }, services.credentialHosts)
}

/** The same address by https, if the store was entered by http and its key must not be sent there. */
export function findHttpsUrl(
  { services }: Pick<ShopContext, 'services'>,
  { storeUrl }: Pick<WooCommerceAccount, 'storeUrl'>,
): string | undefined {
  const url = new URL(storeUrl)
  if (url.protocol !== 'http:') return undefined
  try {
    checkCredentialHost(storeUrl, { label: 'WooCommerce', hosts: [url.hostname] }, services.credentialHosts)
    return undefined
  } catch (error) {
    if (!(error instanceof CredentialHostError)) throw error
    return `https:${storeUrl.slice(storeUrl.indexOf('//'))}`
  }
}

export async function findWooCommerceAccount(context: ShopContext): Promise<WooCommerceAccount | undefined> {
  const credentials = await findCredentials(context, context.shop.id, 'woocommerce')
  return (
    credentials && {
      storeUrl: credentials.store_url,
      consumerKey: credentials.consumer_key,
      consumerSecret: credentials.consumer_secret,
    }
  )
}

export async function getWooCommerceAccount(context: ShopContext): Promise<WooCommerceAccount> {
  const account = await findWooCommerceAccount(context)
  if (account) return account
  throw new ApiError('partner_key_not_found', 'Set the key of the store first: PUT /keys/woocommerce.')
}
