import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import {
  addressFailure,
  type CheckOutcome,
  checkFailure,
  checkOutcome,
} from '../../../platform/foundation/connection-check.ts'
import { readObject } from '../../../platform/foundation/read-json.ts'
import { redactSecrets } from '../../../platform/foundation/secrets.ts'
import { adminRequest, readAdminResponse } from '../../vendors/shopify-admin.ts'
import { fieldsOf, listOf, textOf } from '../read-fields.ts'
import { addressFailureOf } from '../store-address.ts'
import type { ShopifyAccount } from './subscriptions.ts'

/** The scopes that registering webhooks and reading orders need. */
const neededScopes = ['read_orders', 'read_fulfillments', 'read_products']

const query = `query checkConnection {
  shop { name myshopifyDomain currencyCode plan { displayName } }
  currentAppInstallation { accessScopes { handle } }
}`

/** Reads the shop's name and what the access token may do. */
export async function checkShopify(call: Call, { shopUrl, accessToken }: ShopifyAccount): Promise<CheckOutcome> {
  const request = adminRequest(shopUrl, accessToken, { query, variables: {} })
  const response = await redactSecrets(call, [accessToken])(request)
  const addressed = { system: 'Shopify', url: request.url, apiPath: '/admin/api' }
  const misaddressed = addressFailureOf(addressed, response) ?? missingShop(shopUrl, response)
  if (misaddressed) return misaddressed
  if (response.status !== 200) return checkOutcome(response)
  const read = readAdminResponse(response.body)
  switch (read.result) {
    case 'throttled':
      return checkFailure('rate_limited', null, 200)
    case 'denied':
      return checkFailure('missing_permissions', response.body, 200)
    case 'failed':
    case 'rejected':
      return checkFailure('unexpected', response.body, 200)
    case 'data':
  }
  const shop = fieldsOf(read.data.shop)
  const scopes = listOf(fieldsOf(read.data.currentAppInstallation).accessScopes).flatMap(
    ({ handle }) => textOf(handle, 100) ?? [],
  )
  const missing = neededScopes.filter((scope) => !isGranted(scopes, scope))
  const facts = {
    store_name: textOf(shop.name, 200),
    store_url: textOf(shop.myshopifyDomain, 200),
    currency: textOf(shop.currencyCode, 3),
    plan: textOf(fieldsOf(shop.plan).displayName, 100),
    scopes: scopes.join(', '),
    // Without this scope Shopify returns the orders of the last 60 days only.
    orders_since: scopes.includes('read_all_orders') ? 'all' : '60 days',
  }
  const outcome = checkOutcome(response, facts)
  return missing.length === 0 ? outcome : { ...outcome, result: 'missing_permissions', missingPermissions: missing }
}

/** Shopify has a page of its own for names that no shop has. */
function missingShop(shopUrl: string, { status, body }: CallResponse): CheckOutcome | undefined {
  if (status !== 404 || readObject(body) !== undefined) return undefined
  const detail = `There is no shop at ${shopUrl}. The address is in Shopify under Settings, Domains: https://<shop>.myshopify.com.`
  return addressFailure('not_found', 'wrong_address', detail, { status })
}

/** A scope to write includes the one to read; orders include their fulfilments. */
function isGranted(scopes: string[], scope: string): boolean {
  const write = scope.replace('read_', 'write_')
  if (scope === 'read_fulfillments' && (scopes.includes('read_orders') || scopes.includes('write_orders'))) return true
  return scopes.includes(scope) || scopes.includes(write)
}
