import type { Call } from '../../../platform/foundation/call.ts'
import {
  type CheckOutcome,
  checkFailure,
  checkOutcome,
  checkResultOf,
} from '../../../platform/foundation/connection-check.ts'
import { asText, readObject } from '../../../platform/foundation/read-json.ts'
import { addressFailureOf } from '../store-address.ts'
import type { AdminApi, ShopwareAccount } from './admin-api.ts'

/** Gets a token, reads the version, and counts orders, which the app must be able to do. */
export async function checkShopware(call: Call, api: AdminApi, account: ShopwareAccount): Promise<CheckOutcome> {
  const version = await api.send(call, account, { method: 'GET', path: '/_info/version' })
  const addressed = { system: 'Shopware', url: `${account.shopUrl}/api/oauth/token`, apiPath: '/api/' }
  const response = 'result' in version ? version.response : version
  const misaddressed = response && addressFailureOf(addressed, response)
  if (misaddressed) return misaddressed
  if ('result' in version) {
    // RFC 6749 allows 400 for a client that is not known.
    const result = checkResultOf(version.status === 400 ? 401 : version.status)
    return checkFailure(result === 'ok' ? 'unexpected' : result, version.detail, version.status)
  }
  if (version.status !== 200) return checkOutcome(version)
  const orders = await api.send(call, account, {
    method: 'POST',
    path: '/search-ids/order',
    body: { page: 1, limit: 1, 'total-count-mode': 1 },
  })
  if ('result' in orders) return checkFailure('unauthorised', orders.detail, orders.status)
  if (orders.status !== 200) return checkOutcome(orders)
  const { total } = readObject(orders.body) ?? {}
  return checkOutcome(orders, {
    store_url: account.shopUrl,
    version: asText(readObject(version.body)?.version),
    orders: typeof total === 'number' ? String(total) : undefined,
  })
}
