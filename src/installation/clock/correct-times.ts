import { correctRunTimes } from '../../automations/clock-store.ts'
import { correctDeliveryTimes } from '../../delivery/queue/clock-store.ts'
import { correctTriggerTimes } from '../../orders/internal-triggers/clock-store.ts'
import { after, latest, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findClockAhead } from '../../platform/store/job-runs.ts'
import type { Job } from '../../platform/workers/schedule.ts'
import { correctExceptionTimes } from '../../tracking/exceptions/clock-store.ts'

/** How far the clocks of nodes may be apart before what one of them stored is corrected. */
const toleranceMs = minuteMs

/**
 * A clock that ran ahead and was set back leaves times in the store that have not come yet: deliveries would wait until
 * then, and changes made until then would seem to have been seen. A process notices it by its own clock; after a start
 * the schedule shows it, because no job can have started in the future. Only then does the job read anything else.
 */
export function createCorrectTimesJob(): Job {
  let isFirstRun = true
  return {
    name: 'times ahead',
    everyMs: 10 * secondMs,
    runsOn: 'every process',
    async run(context) {
      const limit = after(context.now, toleranceMs)
      const atStart = isFirstRun ? await findClockAhead(context, limit) : undefined
      isFirstRun = false
      const aheadUntil = latest([context.services.clock.takeSetBack?.(), atStart])
      if (aheadUntil === undefined || aheadUntil < limit) return
      context.log.warn(
        { ahead_ms: aheadUntil.getTime() - context.now.getTime() },
        'a clock was ahead of this one: the times that were stored with it are corrected',
      )
      await inTransaction(context, async (context) => {
        await correctDeliveryTimes(context, limit)
        await correctRunTimes(context, limit)
        await correctTriggerTimes(context, limit)
        await correctExceptionTimes(context, limit)
      })
    },
  }
}
