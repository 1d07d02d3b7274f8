import { deleteNotificationsBefore } from '../../deliveries/retention-store.ts'
import { after, dayMs, hourMs } from '../../foundation/clock.ts'
import { deleteImportsBefore } from '../../resources/imports/store.ts'
import type { Job } from '../schedule.ts'

const batchSize = 5_000
/** Each may have a thousand problems. */
const importsAtOnce = 100

/** Forgets delivery logs and imports that are older than the operator wants to keep, a batch at a time. */
export function createRetentionJob(retentionDays: number): Job {
  return {
    name: 'retention',
    everyMs: hourMs,
    runsOn: 'one node',
    async run(context) {
      const before = after(context.now, -retentionDays * dayMs)
      while ((await deleteNotificationsBefore(context, before, batchSize)) === batchSize);
      while ((await deleteImportsBefore(context, before, importsAtOnce)) === importsAtOnce);
    },
  }
}
