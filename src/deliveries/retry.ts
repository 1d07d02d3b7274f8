import { hourMs, minuteMs, secondMs } from '../foundation/clock.ts'

/** After the first attempt, up to this many more; then a delivery is a dead letter, kept to be resent. */
export const maxRetries = 15
export const longestPauseMs = 12 * hourMs
export const attemptLimitMs = 10 * secondMs
/**
 * How long what is begun as it is queued is its worker's: longer than an attempt can take, with the time to write it down.
 * A lease that ends early would send twice.
 */
export const leaseMs = attemptLimitMs + 20 * secondMs
/** How long a receiver's queue is a worker's, who says every two seconds that it is still there. */
export const holdMs = 10 * secondMs
/** A later event of the same shipment overtakes one that waits longer than this for its retry. */
export const patienceMs = minuteMs

/**
 * How long to wait after the n-th attempt: base × 2^(n-1) with up to a tenth of jitter, so that receivers which failed
 * together are not asked together; longer where the receiver says so. Undefined when it was the last.
 */
export function pauseAfter(
  attempts: number,
  baseMs: number,
  options: { jitter: number; retryAfterMs?: number | undefined },
): number | undefined {
  if (attempts > maxRetries) return undefined
  const pause = Math.min(longestPauseMs, baseMs * 2 ** (attempts - 1)) * (1 + options.jitter * 0.1)
  return Math.min(longestPauseMs, Math.max(pause, options.retryAfterMs ?? 0))
}
