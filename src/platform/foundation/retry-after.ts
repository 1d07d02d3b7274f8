import type { CallResponse } from './call.ts'
import { type Clock, dayMs, secondMs } from './clock.ts'

/** The pause of a Retry-After header, in seconds or, if there is a clock, as a date; a day at most. */
export function readRetryAfter(response: Pick<CallResponse, 'headers'>, clock?: Clock): number | undefined {
  const header = response.headers['retry-after']
  if (header === undefined) return undefined
  const seconds = Number(header)
  const isDate = clock !== undefined && !Number.isFinite(seconds)
  return usablePause(isDate ? Date.parse(header) - clock.now().getTime() : seconds * secondMs)
}

/** The pause until the unix second that a header names, from which requests are allowed again; a day at most. */
export function readResetAt(response: Pick<CallResponse, 'headers'>, header: string, now: number): number | undefined {
  return usablePause(Number(response.headers[header]) * secondMs - now)
}

function usablePause(ms: number): number | undefined {
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, dayMs) : undefined
}
