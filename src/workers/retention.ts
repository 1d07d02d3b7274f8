import { after, dayMs, hourMs } from '../foundation/clock.ts'
import { deleteNotificationsBefore } from '../notifications/retention-store.ts'
import type { Job } from './schedule.ts'

const batchSize = 5_000

/** Forgets delivery logs that are older than the operator wants to keep, a batch at a time. */
export function createRetentionJob(retentionDays: number): Job {
  return {
    name: 'retention',
    everyMs: hourMs,
    async run(context) {
      const before = after(context.now, -retentionDays * dayMs)
      while ((await deleteNotificationsBefore(context, before, batchSize)) === batchSize);
    },
  }
}
