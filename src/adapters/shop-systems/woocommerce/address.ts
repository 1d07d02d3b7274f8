import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import { addressFailure, type CheckOutcome } from '../../../platform/foundation/connection-check.ts'
import { asText, readObject } from '../../../platform/foundation/read-json.ts'
import { withoutCredentials } from '../../../platform/foundation/web-address.ts'
import { addressFailureOf, httpsFailure, protectedFailure } from '../store-address.ts'
import { baseOf, restUrl } from './rest-api.ts'

const system = 'WooCommerce'

/** The problem of an address at which a store's API did not respond; undefined if the address is not the reason. */
export async function findAddressFailure(
  call: Call,
  storeUrl: string,
  response: CallResponse,
): Promise<CheckOutcome | undefined> {
  const { status } = response
  const known = addressFailureOf({ system, url: restUrl(storeUrl, 'orders'), apiPath: '/wp-json' }, response)
  if (known) return known
  const code = asText(readObject(response.body)?.code) ?? ''
  if (status === 401 && code === 'woocommerce_rest_cannot_view' && storeUrl.startsWith('http:')) {
    // By http, WooCommerce ignores the header that has the key: nobody is signed in.
    return httpsFailure(system, storeUrl.replace('http:', 'https:'), status)
  }
  // WordPress itself names its errors so; those of a wrong key begin otherwise.
  if ((status === 401 || status === 403) && code.startsWith('rest_')) return protectedFailure(system, status)
  const isPage = code === '' && (status === 404 || status === 200)
  return isPage ? discover(call, storeUrl, status) : undefined
}

/** Every page of WordPress names the address of its API in a header, without a key. */
async function discover(call: Call, storeUrl: string, status: number): Promise<CheckOutcome> {
  const page = await call({ method: 'GET', url: storeUrl, headers: { accept: 'text/html' } }).catch(() => undefined)
  const link = linkIn(page?.headers.link)
  const api = URL.canParse(link) ? new URL(link) : undefined
  if (api?.searchParams.has('rest_route')) {
    return addressFailure(
      'not_found',
      'no_permalinks',
      'The API has no address of its own: in WordPress, open Settings, Permalinks, choose anything but Plain, and save.',
      { status },
    )
  }
  const found = api && withoutCredentials(baseOf(api.href))
  if (found !== undefined && found !== baseOf(storeUrl)) {
    const detail = `The API of this store is at another address. Enter ${found}.`
    return addressFailure('not_found', 'wrong_address', detail, { status, useAddress: found })
  }
  return addressFailure(
    'not_found',
    'wrong_address',
    'There is no API of WooCommerce at this address. Enter the address of WordPress, with the folder if it is in one, such as https://shop.example/store.',
    { status },
  )
}

const relation = 'https://api.w.org/'

/** The address in `<https://shop.example/wp-json/>; rel="https://api.w.org/"`, among other links. */
function linkIn(header = ''): string {
  const link = header.split(',').find((part) => part.includes(relation)) ?? ''
  return link.slice(link.indexOf('<') + 1, link.indexOf('>'))
}
