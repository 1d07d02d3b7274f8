import { after } from '../../platform/foundation/clock.ts'
import type { Stage } from '../../platform/outgoing/errors.ts'
import type { Delivery } from './delivery.ts'
import { pauseAfter } from './retry.ts'

/** How sending ended, for any kind of receiver. */
export interface SendResult {
  verdict: 'delivered' | 'skipped' | 'retry' | 'give up'
  statusCode: number | null
  /** The beginning of the response body. */
  responseBody: string | null
  /** The stage at which it failed. */
  stage: Stage | null
  error: string | null
  retryAfterMs: number | undefined
}

/** The delivery must not be sent yet. Neither an attempt nor a failure: it is due again at that time. */
export interface Postponement {
  verdict: 'wait'
  until: Date
}

/** One attempt to send a delivery, and the resulting state of the delivery. */
export interface Attempt {
  delivery: Delivery
  startedAt: Date
  durationMs: number
  outcome: SendResult
  status: 'pending' | 'delivered' | 'skipped' | 'dead'
  /** Due time of the next attempt; after the last one, the time at which that ended. */
  nextAttemptAt: Date
}

/** Decides about an attempt that has ended: delivered, given up, or to be retried after a pause. */
export function judgeAttempt(
  sent: Pick<Attempt, 'delivery' | 'startedAt' | 'durationMs' | 'outcome'>,
  retryBaseMs: number,
): Attempt {
  const { delivery, startedAt, durationMs, outcome } = sent
  const pauseMs =
    outcome.verdict === 'retry'
      ? pauseAfter(delivery.attemptSinceResend, retryBaseMs, {
          jitter: Math.random(),
          retryAfterMs: outcome.retryAfterMs,
        })
      : undefined
  return {
    delivery,
    startedAt,
    durationMs,
    outcome,
    status: statusAfter(outcome, pauseMs),
    nextAttemptAt: after(startedAt, durationMs + (pauseMs ?? 0)),
  }
}

function statusAfter({ verdict }: SendResult, pauseMs: number | undefined): Attempt['status'] {
  if (verdict === 'delivered' || verdict === 'skipped') return verdict
  return pauseMs === undefined ? 'dead' : 'pending'
}

/** An attempt that got no response. */
export function failed(verdict: SendResult['verdict'], stage: Stage | null, error: string): SendResult {
  return { verdict, statusCode: null, responseBody: null, stage, error, retryAfterMs: undefined }
}
