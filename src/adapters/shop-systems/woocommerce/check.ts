import type { Call } from '../../../platform/foundation/call.ts'
import { type CheckOutcome, checkFailure, checkOutcome } from '../../../platform/foundation/connection-check.ts'
import { asObject, asText, readObject } from '../../../platform/foundation/read-json.ts'
import { withoutCredentials } from '../../../platform/foundation/web-address.ts'
import { findAddressFailure } from './address.ts'
import { getFromStore, readList, type WooCommerceAccount } from './rest-api.ts'

/** Reads one order, which the key must be able to do, and then what the store says about itself, if the key may. */
export async function checkWooCommerce(call: Call, account: WooCommerceAccount): Promise<CheckOutcome> {
  const orders = await getFromStore(call, account, 'orders', { per_page: '1', _fields: 'id,currency' })
  const list = readList(orders)
  if (list === undefined) {
    const outcome = await findAddressFailure(call, account.storeUrl, orders)
    // A page that is not the API may have the status 200, such as a shop's own "not found".
    return outcome ?? (orders.status === 200 ? checkFailure('not_found', orders.body, 200) : checkOutcome(orders))
  }
  const status = await getFromStore(call, account, 'system_status', { _fields: 'environment,settings' })
  const content = status.status === 200 ? readObject(status.body) : undefined
  const environment = asObject(content?.environment)
  const settings = asObject(content?.settings)
  return checkOutcome(orders, {
    store_url: withoutCredentials(asText(environment?.site_url) ?? account.storeUrl),
    currency: asText(settings?.currency) ?? asText(asObject(list[0])?.currency),
    version: asText(environment?.version),
    orders: orders.headers['x-wp-total'],
  })
}
