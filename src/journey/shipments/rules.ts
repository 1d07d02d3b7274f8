import { dayMs } from '../../foundation/clock.ts'

/** Nobody is asked about a parcel that was sent longer ago. */
export const followedMs = 90 * dayMs
