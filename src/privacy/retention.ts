import { deleteNotificationsBefore } from '../delivery/log/retention-store.ts'
import { deletePageViewsBefore } from '../figures/page-views/store.ts'
import { deleteMessagesBefore } from '../messages/timing/store.ts'
import { deleteImportsBefore } from '../orders/imports/store.ts'
import { after, dayMs, hourMs } from '../platform/foundation/clock.ts'
import type { Job } from '../platform/workers/schedule.ts'
import { deleteEntriesBefore } from '../shops/audit-log/store.ts'
import { expireFeeds } from '../webhooks/event-feed/upkeep.ts'

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
