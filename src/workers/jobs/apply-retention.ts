import { deleteNotificationsBefore } from '../../deliveries/retention-store.ts'
import { after, dayMs, hourMs } from '../../foundation/clock.ts'
import { deleteEntriesBefore } from '../../resources/audit-log/store.ts'
import { expireFeeds } from '../../resources/event-feed/upkeep.ts'
import { deleteImportsBefore } from '../../resources/imports/store.ts'
import { deleteMessagesBefore } from '../../resources/mail-timing/store.ts'
import { deletePageViewsBefore } from '../../resources/page-views/store.ts'
import type { Job } from '../schedule.ts'

const batchSize = 5_000
/** Each may have a thousand problems. */
const importsAtOnce = 100

/** Deletes entries of event feeds, delivery logs, records of sent mail, imports and page views past the configured retention, in batches. */
export function createRetentionJob(retentionDays: number): Job {
  return {
    name: 'retention',
    everyMs: hourMs,
    runsOn: 'one node',
    async run(context) {
      const before = after(context.now, -retentionDays * dayMs)
      // First, because a notification stays while a feed has it.
      await expireFeeds(context, before)
      while ((await deleteNotificationsBefore(context, before, batchSize)) === batchSize);
      while ((await deleteImportsBefore(context, before, importsAtOnce)) === importsAtOnce);
      while ((await deleteMessagesBefore(context, before, batchSize)) === batchSize);
      while ((await deletePageViewsBefore(context, before, batchSize)) === batchSize);
    },
  }
}

/** Deletes entries of the audit log that are older than this, in batches. */
export function createAuditRetentionJob(auditDays: number): Job {
  return {
    name: 'audit retention',
    everyMs: hourMs,
    runsOn: 'one node',
    async run(context) {
      const before = after(context.now, -auditDays * dayMs)
      while ((await deleteEntriesBefore(context, before, batchSize)) === batchSize);
    },
  }
}
