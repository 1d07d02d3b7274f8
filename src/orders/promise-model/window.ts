import type { Day } from '../../platform/calendars/days.ts'

/** The share of parcels that may come before the first day of a window. */
export function earlyShare(percentile: number): number {
  return Math.min(0.1, (1 - percentile) / 2)
}

export interface Window {
  earliest: Day
  latest: Day
}

/** The days from the early share to the percentile. */
export function windowAt(numberAt: (share: number) => Day, percentile: number): Window {
  return { earliest: numberAt(earlyShare(percentile)), latest: numberAt(percentile) }
}
