import { type CallResponse, describeResponse } from '../../platform/foundation/call.ts'
import { readRetryAfter } from '../../platform/foundation/retry-after.ts'
import type { ProviderFailure } from './provider.ts'

/** The meaning of a reply without scans, by its status. An unreadable success is the provider's failure. */
export function failureOf(
  provider: string,
  response: CallResponse,
  retryAfterMs = readRetryAfter(response),
): ProviderFailure {
  const { status } = response
  const detail = describeResponse(provider, response)
  // 402: the plan does not cover it, which only the account's owner can fix, like a key without permissions.
  if (status === 401 || status === 402 || status === 403) {
    return { result: 'rejected', status, key: 'partner_key_missing_permissions', detail }
  }
  const isWorthAnotherTry = status < 400 || status === 408 || status === 425 || status === 429 || status >= 500
  if (!isWorthAnotherTry) return { result: 'rejected', status, key: 'invalid_payload', detail }
  const pause = retryAfterMs === undefined ? {} : { retryAfterMs }
  return { result: 'failed', status, key: 'bad_gateway', detail, ...pause }
}

/** Nothing was sent, so there is no status. */
export function noCredentials(provider: string, needs: string): ProviderFailure {
  const detail = `Set ${needs} for ${provider}: without credentials it is not called.`
  return { result: 'rejected', status: 0, key: 'partner_key_missing_permissions', detail }
}

/** A token endpoint may reject an unknown client with 400 as well as with 401 (RFC 6749). */
export function tokenFailureOf(provider: string, response: CallResponse): ProviderFailure {
  if (response.status >= 200 && response.status < 300) {
    // The body may contain part of a token, so it is not quoted.
    const detail = `${provider} granted no access token that can be read.`
    return { result: 'failed', status: response.status, key: 'bad_gateway', detail }
  }
  return failureOf(provider, response.status === 400 ? { ...response, status: 401 } : response)
}
