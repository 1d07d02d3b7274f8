import type { CallAnswer } from './call.ts'
import { dayMs, secondMs } from './clock.ts'

/** Retry-After in its form of seconds; as a date it would need a clock, and no system here sends one. */
export function readRetryAfter(answer: Pick<CallAnswer, 'headers'>): number | undefined {
  const seconds = Number(answer.headers['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * secondMs, dayMs) : undefined
}

/** A header with the second, in unix time, from which on there is allowance again. */
export function readResetAt(answer: Pick<CallAnswer, 'headers'>, header: string, now: number): number | undefined {
  const waitMs = Number(answer.headers[header]) * secondMs - now
  return Number.isFinite(waitMs) && waitMs > 0 ? Math.min(waitMs, dayMs) : undefined
}
