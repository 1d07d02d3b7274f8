import { findClockAhead } from '../../database/job-runs.ts'
import { correctDeliveryTimes } from '../../deliveries/clock-store.ts'
import { after, latest, minuteMs, secondMs } from '../../foundation/clock.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { correctTriggerTimes } from '../../journey/internal-triggers/clock-store.ts'
import { correctRunTimes } from '../../resources/automations/clock-store.ts'
import { correctExceptionTimes } from '../../resources/exceptions/clock-store.ts'
import type { Job } from '../schedule.ts'

/** How far the clocks of nodes may be apart before what one of them stored is corrected. */
const toleranceMs = minuteMs

/**
 * A clock that ran ahead and was set back leaves times in the store that have not come yet: deliveries would wait until
 * then, and changes made until then would seem to have been seen. A process notices it by its own clock; after a start
 * the schedule shows it, because no job can have started in the future. Only then is anything else looked at.
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
