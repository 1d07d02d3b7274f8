import type { Call, CallRequest, CallResponse } from '../../../platform/foundation/call.ts'
import { basicOf, redactSecrets } from '../../../platform/foundation/secrets.ts'
import { parseExactly } from '../exact-json.ts'
import { type Fields, isFields } from '../read-fields.ts'

/** A store's REST API and a key of it. */
export interface WooCommerceAccount {
  storeUrl: string
  consumerKey: string
  consumerSecret: string
}

export interface StoreRequest {
  method: 'GET' | 'POST' | 'PUT'
  /** Below the API, such as `orders`. */
  path: string
  query?: Record<string, string>
  body?: object
}

/** Calls the REST API of a store. The key goes into a header: addresses end up in logs. */
export function callStore(
  call: Call,
  { storeUrl, consumerKey, consumerSecret }: WooCommerceAccount,
  { method, path, query = {}, body }: StoreRequest,
): Promise<CallResponse> {
  const basic = basicOf(consumerKey, consumerSecret)
  const parameters = new URLSearchParams(query).toString()
  const request: CallRequest = {
    method,
    url: `${restUrl(storeUrl, path)}${parameters === '' ? '' : `?${parameters}`}`,
    headers: {
      authorization: `Basic ${basic}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  return redactSecrets(call, [consumerSecret, basic])(request)
}

/** The objects of a list; undefined for any other response. */
export function readList({ status, body }: CallResponse): Fields[] | undefined {
  if (status !== 200) return undefined
  try {
    const list = parseExactly(body)
    return Array.isArray(list) ? list.filter(isFields) : undefined
  } catch {
    return undefined
  }
}

export function getFromStore(
  call: Call,
  account: WooCommerceAccount,
  path: string,
  query: Record<string, string>,
): Promise<CallResponse> {
  return callStore(call, account, { method: 'GET', path, query })
}

export function restUrl(storeUrl: string, path: string): string {
  return `${baseOf(storeUrl)}/wp-json/wc/v3/${path}`
}

/** The address of WordPress: merchants also copy the one of its administration, or of the API itself. */
export function baseOf(storeUrl: string): string {
  const { origin, pathname } = new URL(storeUrl)
  const [folder = ''] = pathname.split(/\/wp-(?:admin|json|login)/)
  return `${origin}${folder.endsWith('/') ? folder.slice(0, -1) : folder}`
}
