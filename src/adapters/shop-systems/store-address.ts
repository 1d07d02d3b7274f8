import type { CallResponse } from '../../platform/foundation/call.ts'
import { addressFailure, type CheckOutcome } from '../../platform/foundation/connection-check.ts'
import { readObject } from '../../platform/foundation/read-json.ts'
import { withoutCredentials } from '../../platform/foundation/web-address.ts'

/** A request to the API of a store, as far as its address is concerned. */
export interface AddressedRequest {
  /** The system's name for people. */
  system: string
  /** The address that was called. */
  url: string
  /** The beginning of the API in a path, such as `/wp-json`: the part before it is the address to enter. */
  apiPath: string
}

/**
 * The problem that a response shows of a store's address, or of a server in front of it; undefined if the API itself
 * responded. Redirects are not followed: the key would go to a host that nobody entered.
 */
export function addressFailureOf(request: AddressedRequest, response: CallResponse): CheckOutcome | undefined {
  const { system } = request
  const { status } = response
  if (status >= 300 && status < 400) return redirectFailure(request, response)
  if (readObject(response.body) !== undefined) return undefined
  if (status === 401 || status === 403) return protectedFailure(system, status)
  if (status === 503) {
    return addressFailure(
      'unreachable',
      'maintenance',
      `The address replies with 503: ${system} is in maintenance mode, or overloaded. Check again when the store is open.`,
      { status },
    )
  }
  return undefined
}

/** Something that is not the API rejects the request, such as a password of the web server or a security plug-in. */
export function protectedFailure(system: string, status: number): CheckOutcome {
  return addressFailure(
    'unreachable',
    'protected',
    `Something in front of ${system} rejects the request with ${status}: a password of the web server, a firewall or a security plug-in. Let requests to its API pass.`,
    { status },
  )
}

/** Credentials would go out unencrypted, or are not accepted that way. */
export function httpsFailure(system: string, useAddress: string, status: number | null = null): CheckOutcome {
  return addressFailure(
    'not_found',
    'https_needed',
    `${system} accepts its credentials by https only. Enter ${useAddress} once the store has a certificate.`,
    { status, useAddress },
  )
}

function redirectFailure({ system, url, apiPath }: AddressedRequest, response: CallResponse): CheckOutcome | undefined {
  const { status, headers } = response
  const location = headers.location ?? ''
  if (!URL.canParse(location, url)) return undefined
  const target = new URL(location, url)
  if (target.protocol !== 'https:' && target.protocol !== 'http:') return undefined
  const [folder = '', rest] = target.pathname.split(apiPath)
  // It leads away from the API on the same host: to a page where people sign in.
  if (rest === undefined && target.host === new URL(url).host) return protectedFailure(system, status)
  const useAddress = withoutCredentials(`${target.origin}${rest === undefined ? '' : folder.replace(/\/$/, '')}`)
  if (target.protocol === 'http:' && url.startsWith('https:')) return httpsFailure(system, url, status)
  return addressFailure(
    'not_found',
    'redirected',
    `The address redirects to ${useAddress}. Enter that address: credentials are not sent on.`,
    { status, useAddress },
  )
}
