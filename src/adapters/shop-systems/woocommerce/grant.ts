import type { Call } from '../../../platform/foundation/call.ts'
import { type CheckOutcome, checkOutcome } from '../../../platform/foundation/connection-check.ts'
import { asText, readObject } from '../../../platform/foundation/read-json.ts'
import { findAddressFailure } from './address.ts'
import { baseOf, restUrl } from './rest-api.ts'

/** The request to a store to ask its merchant for a key of its API. */
export interface GrantRequest {
  storeUrl: string
  /** Shown to the merchant, and becomes the description of the key. */
  appName: string
  /** The store sends it back with the key. */
  state: string
  /** The page that the merchant is sent to afterwards. */
  returnUrl: string
  /** The address that the store sends the key to: https only. */
  callbackUrl: string
}

/** The page of the store on which its merchant approves. */
export function grantUrl({ storeUrl, appName, state, returnUrl, callbackUrl }: GrantRequest): string {
  const query = new URLSearchParams({
    app_name: appName,
    scope: 'read_write',
    user_id: state,
    return_url: returnUrl,
    callback_url: callbackUrl,
  })
  return `${baseOf(storeUrl)}/wc-auth/v1/authorize?${query}`
}

/** The reason why there is no store at an address that was just typed; undefined if there is one. Sends no key. */
export async function findStoreFailure(call: Call, storeUrl: string): Promise<CheckOutcome | undefined> {
  const url = `${restUrl(storeUrl, 'orders')}?per_page=1&_fields=id`
  const response = await call({ method: 'GET', url, headers: { accept: 'application/json' } })
  const code = asText(readObject(response.body)?.code) ?? ''
  // The API rejects a request without a key, so it is there.
  if ((response.status === 401 || response.status === 403) && code.startsWith('woocommerce_rest')) return undefined
  return (await findAddressFailure(call, storeUrl, response)) ?? checkOutcome(response)
}
