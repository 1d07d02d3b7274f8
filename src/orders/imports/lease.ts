import { after, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'

/** How long a worker counts as alive without a report. Each batch renews the lease. */
export const leaseMs = 2 * minuteMs

/** After this many leases without progress an import is set aside: its file may be what ends the process. */
export const maxLeases = 2

export function leaseFrom(context: Context): Date {
  return after(context.now, leaseMs)
}
