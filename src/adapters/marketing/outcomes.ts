import type { CallResponse } from '../../platform/foundation/call.ts'
import type { IntegrationResult } from './integration.ts'
import { outcomeOf } from './response-outcome.ts'

export type Problem = Exclude<IntegrationResult, { result: 'delivered' }>

/** The stored credentials are of another kind. Nothing was sent, so there is no status. */
export const noKey: Problem = { result: 'rejected', status: 0, body: '', key: 'partner_key_not_found' }

export const noIdentifier: Problem = { result: 'skipped', reason: 'the customer has no identifier this system knows' }

/** The problem with an unusable reply. An unreadable success is the system's failure. */
export function problemOf(response: CallResponse, outcome: IntegrationResult = outcomeOf(response)): Problem {
  if (outcome.result !== 'delivered') return outcome
  return { result: 'failed', status: response.status, body: response.body, key: 'bad_gateway' }
}

/** Adds the pause that a system requests in its own header; only failures are retried. */
export function withPause(outcome: IntegrationResult, pauseMs: number | undefined): IntegrationResult {
  if (outcome.result !== 'failed' || pauseMs === undefined || !(pauseMs > 0)) return outcome
  return { ...outcome, retryAfterMs: Math.min(pauseMs, 86_400_000) }
}
