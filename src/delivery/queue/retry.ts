import { hourMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'

/** After the first attempt, up to this many more; then the delivery is a dead letter, which can be resent. */
export const maxRetries = 15
const maxPauseMs = 12 * hourMs
export const attemptLimitMs = 10 * secondMs
/**
 * Lease on a delivery that is handed over as it is enqueued. It is longer than an attempt and its recording can take: a
 * lease that ended earlier would send twice.
 */
export const deliveryLeaseMs = attemptLimitMs + 20 * secondMs
/** Lease on a receiver's queue; its worker renews it with every sweep. */
export const queueLeaseMs = 10 * secondMs
/** A later event of the same shipment overtakes one whose retry is further away than this. */
export const patienceMs = minuteMs

/**
 * The pause after the n-th attempt: base × 2^(n-1) plus up to 10 percent of jitter, so that receivers which failed together
 * are not retried together; longer if the receiver requests it. Undefined after the last attempt.
 */
export function pauseAfter(
  attempts: number,
  baseMs: number,
  options: { jitter: number; retryAfterMs?: number | undefined },
): number | undefined {
  if (attempts > maxRetries) return undefined
  const pause = Math.min(maxPauseMs, baseMs * 2 ** (attempts - 1)) * (1 + options.jitter * 0.1)
  return Math.min(maxPauseMs, Math.max(pause, options.retryAfterMs ?? 0))
}
