import { after } from '../../foundation/clock.ts'
import type { AttemptRecord } from '../claim-store.ts'
import type { TakenDelivery } from '../delivery.ts'
import { pauseAfter } from '../retry.ts'
import type { Attempt } from './send-webhook.ts'

/** An attempt, and how long it took. */
export interface TimedAttempt {
  attempt: Attempt
  startedAt: Date
  durationMs: number
}

/** What an attempt makes of its delivery. */
export function toRecord(
  delivery: TakenDelivery,
  { attempt, startedAt, durationMs }: TimedAttempt,
  retryBaseMs: number,
  wakeIn: (ms: number) => void,
): AttemptRecord {
  const pauseMs =
    attempt.verdict === 'retry'
      ? pauseAfter(delivery.numberOfSchedule, retryBaseMs, {
          jitter: Math.random(),
          retryAfterMs: attempt.retryAfterMs,
        })
      : undefined
  const endedAt = after(startedAt, durationMs)
  if (pauseMs !== undefined) wakeIn(pauseMs)
  return {
    shopId: delivery.shopId,
    deliveryId: delivery.id,
    number: delivery.number,
    startedAt,
    durationMs,
    statusCode: attempt.statusCode,
    answer: attempt.answer,
    stage: attempt.stage,
    error: attempt.error,
    status: statusAfter(attempt, pauseMs),
    nextAttemptAt: pauseMs === undefined ? endedAt : after(endedAt, pauseMs),
    endpointId: delivery.endpoint === null ? null : delivery.target,
  }
}

function statusAfter(attempt: Attempt, pauseMs: number | undefined): AttemptRecord['status'] {
  if (attempt.verdict === 'delivered') return 'delivered'
  if (attempt.verdict === 'skipped') return 'skipped'
  return pauseMs === undefined ? 'dead' : 'pending'
}
