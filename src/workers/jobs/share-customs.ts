import type { Database } from '../../database/database.ts'
import { beginSharing, releaseReserved, shareAtOnce } from '../../deliveries/reserved-store.ts'
import { minuteMs } from '../../foundation/clock.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import type { Job } from '../schedule.ts'

/** Lets every node send what customs wants from customers, once no node runs that does not know this group of events. */
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
