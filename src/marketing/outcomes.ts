import type { CallAnswer } from '../foundation/call.ts'
import { outcomeOf } from './answers.ts'
import type { Outcome } from './integration.ts'

export type Problem = Exclude<Outcome, { result: 'delivered' }>

/** Another kind of credentials is kept than this system takes: nothing was asked, so there is no status. */
export const noKey: Problem = { result: 'refused', status: 0, body: '', key: 'partner_key_not_found' }

export const noIdentifier: Problem = { result: 'skipped', reason: 'the customer has no identifier this system knows' }

/** What is wrong with an answer that could not be used. One that says success and is unreadable is their failure. */
export function problemOf(answer: CallAnswer, outcome: Outcome = outcomeOf(answer)): Problem {
  if (outcome.result !== 'delivered') return outcome
  return { result: 'failed', status: answer.status, body: answer.body, key: 'bad_gateway' }
}

/** The outcome with the pause that a system asks for in a header of its own; only a failure is tried again. */
export function withPause(outcome: Outcome, pauseMs: number | undefined): Outcome {
  if (outcome.result !== 'failed' || pauseMs === undefined || !(pauseMs > 0)) return outcome
  return { ...outcome, retryAfterMs: Math.min(pauseMs, 86_400_000) }
}
