import { dayMs } from '../../platform/foundation/clock.ts'

/** Parcels that were sent longer ago are not polled. */
export const pollingPeriodMs = 90 * dayMs
