import type { ShopifyAccount } from '../../adapters/shop-systems/shopify/subscriptions.ts'
import { findShopUrl, shopifyHosts } from '../../adapters/vendors/shopify-admin.ts'
import { findIntegrationAccount } from '../../credentials/integration-keys/account.ts'
import type { Call } from '../../platform/foundation/call.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { guardCredentials } from '../../platform/foundation/credential-hosts.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'

/** Calls Shopify: its token is sent to no other host. */
export function shopifyCall({ services }: Pick<ShopContext, 'services'>, call: Call = services.call): Call {
  return guardCredentials(call, { label: 'Shopify', hosts: shopifyHosts }, services.credentialHosts)
}

/** The shop's token for the Admin API at `shop_admin_url`; throws if one of them is missing or must not be used. */
export async function getShopifyAccount(context: ShopContext): Promise<ShopifyAccount> {
  const found = await findIntegrationAccount(context, context.shop.id, 'shopify')
  if (found.state === 'wrong host') {
    throw invalid(
      ['shop', 'shop_admin_url'],
      `${found.reason} Enter the address of the shop at Shopify, https://<shop>.myshopify.com.`,
    )
  }
  if (found.state === 'set aside') throw new ApiError('partner_key_not_found', found.reason)
  const credentials = found.state === 'ready' ? found.account.credentials : undefined
  if (credentials === undefined || !('api_key' in credentials)) {
    throw new ApiError('partner_key_not_found', 'Set the access token of the shop first: PUT /keys/shopify.')
  }
  const shopUrl = findShopUrl(context.shop.shop_admin_url)
  if (shopUrl === undefined) {
    throw invalid(['shop', 'shop_admin_url'], 'must be the address of the shop, https://<shop>.myshopify.com')
  }
  return { shopUrl, accessToken: credentials.api_key }
}
