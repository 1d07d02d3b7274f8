import { minuteMs } from '../../platform/foundation/clock.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import type { Database } from '../../platform/store/database.ts'
import type { Job } from '../../platform/workers/schedule.ts'
import { beginSharing, releaseReserved, shareAtOnce } from './reserved-store.ts'

/** Lets every node send deliveries about customs, once no node runs that does not know this group of events. */
export function createShareCustomsJob(engine: Database['engine']): Job {
  return {
    name: 'share customs',
    everyMs: minuteMs,
    runsOn: 'one node',
    run: (context) =>
      inTransaction(context, async (context) => {
        // An embedded store has no other nodes.
        if (engine === 'embedded') await shareAtOnce(context)
        else if (!(await beginSharing(context))) return
        await releaseReserved(context)
      }),
  }
}
