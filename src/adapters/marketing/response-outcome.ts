import type { CallResponse } from '../../platform/foundation/call.ts'
import { readRetryAfter } from '../../platform/foundation/retry-after.ts'
import type { IntegrationResult } from './integration.ts'

/**
 * The outcome of a reply by its status; adapters check further only if their system says more. 2xx is delivered, 401
 * and 403 are the key's fault, 408, 425, 429 and 5xx are retried, any other 4xx would fail again.
 */
export function outcomeOf(response: CallResponse): IntegrationResult {
  const { status, body } = response
  if (status >= 200 && status < 300) return { result: 'delivered', status, body }
  if (status === 401 || status === 403)
    return { result: 'rejected', status, body, key: 'partner_key_missing_permissions' }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const retryAfterMs = readRetryAfter(response)
    return {
      result: 'failed',
      status,
      body,
      key: 'bad_gateway',
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    }
  }
  return { result: 'rejected', status, body, key: 'invalid_payload' }
}
