import { deleteEndedSessions } from './access/sessions/store.ts'
import { openCatchUps } from './connections/catch-up/store.ts'
import { wakeQueues } from './connections/order-fetches/store.ts'
import { deleteOldGrants } from './connections/overview/grant-store.ts'
import { addWebhookChecks } from './connections/shop-systems/webhook-store.ts'
import { deleteOldUsage } from './credentials/provider-accounts/usage-store.ts'
import { deleteOldHours } from './delivery/queue/health-store.ts'
import { createShareCustomsJob } from './delivery/queue/share-customs.ts'
import { rollUpEveryMs, rollUpFigures } from './figures/analytics/roll-up.ts'
import { createCorrectTimesJob } from './installation/clock/correct-times.ts'
import { createPurgeDeletedShopsJob } from './installation/deleted-shops/purge-deleted-shops.ts'
import { alertsEveryMs, sendAlerts } from './messages/team-reports/alerts.ts'
import { digestsEveryMs, sendDigests } from './messages/team-reports/digests.ts'
import { createFetchSegmentsJob, type SegmentOptions } from './offers/segments/fetch-segments.ts'
import { evaluateEveryMs, evaluateInternalTriggers } from './orders/internal-triggers/evaluate.ts'
import { after, dayMs, hourMs, minuteMs, secondMs } from './platform/foundation/clock.ts'
import { deleteEndedAttempts } from './platform/store/attempts.ts'
import type { Database } from './platform/store/database.ts'
import { deleteResponsesBefore } from './platform/store/idempotency.ts'
import { analyzeGrownTables, vacuumChangedTables } from './platform/store/statistics.ts'
import type { Job } from './platform/workers/schedule.ts'
import { createAuditRetentionJob, createRetentionJob } from './privacy/retention.ts'
import { deleteAbandonedUploadsJob } from './shops/images/delete-abandoned-uploads.ts'
import { EvaluationMemory, evaluateExceptions, evaluateExceptionsEveryMs } from './tracking/exceptions/evaluate.ts'
import { finishOldParcelsJob } from './tracking/polling/finish-old-parcels.ts'
import { createSealAddressesJob } from './webhooks/endpoints/seal-addresses.ts'
import { keepUpFeeds, upkeepEveryMs } from './webhooks/event-feed/upkeep.ts'

export interface JobOptions extends SegmentOptions {
  engine: Database['engine']
  retentionDays: number | undefined
  deletedShopDays: number
  auditDays: number
}

/** Everything that is done once per period, by one node. Their names are keys in the store. */
export function listJobs(options: JobOptions): Job[] {
  const { engine, retentionDays, deletedShopDays, auditDays } = options
  return [
    createCorrectTimesJob(),
    { name: 'internal triggers', everyMs: evaluateEveryMs, runsOn: 'one node', run: evaluateInternalTriggers },
    createExceptionsJob(),
    finishOldParcelsJob,
    deleteAbandonedUploadsJob,
    { name: 'attempt counts', everyMs: minuteMs, runsOn: 'one node', run: deleteEndedAttempts },
    deleteOldResponsesJob,
    { name: 'receiver hours', everyMs: hourMs, runsOn: 'one node', run: deleteOldHours },
    { name: 'provider hours', everyMs: hourMs, runsOn: 'one node', run: deleteOldUsage },
    { name: 'sessions', everyMs: 10 * minuteMs, runsOn: 'one node', run: deleteEndedSessions },
    { name: 'catch-ups', everyMs: minuteMs, runsOn: 'one node', run: openCatchUps },
    { name: 'shopware queues', everyMs: minuteMs, runsOn: 'one node', run: wakeQueues },
    {
      name: 'connections',
      everyMs: minuteMs,
      runsOn: 'one node',
      async run(context) {
        await addWebhookChecks(context)
        await deleteOldGrants(context)
      },
    },
    { name: 'figures', everyMs: rollUpEveryMs, runsOn: 'one node', run: rollUpFigures },
    { name: 'event feeds', everyMs: upkeepEveryMs, runsOn: 'one node', run: keepUpFeeds },
    { name: 'team digests', everyMs: digestsEveryMs, runsOn: 'one node', run: sendDigests },
    { name: 'team alerts', everyMs: alertsEveryMs, runsOn: 'one node', run: sendAlerts },
    ...(retentionDays === undefined ? [] : [createRetentionJob(retentionDays)]),
    ...(auditDays === 0 ? [] : [createAuditRetentionJob(auditDays)]),
    createPurgeDeletedShopsJob(deletedShopDays),
    createFetchSegmentsJob(options),
    createSealAddressesJob(engine),
    createShareCustomsJob(engine),
    {
      name: 'tables',
      everyMs: 10 * secondMs,
      runsOn: 'one node',
      run: engine === 'embedded' ? vacuumChangedTables : analyzeGrownTables,
    },
  ]
}

function createExceptionsJob(): Job {
  const memory = new EvaluationMemory()
  return {
    name: 'exceptions',
    everyMs: evaluateExceptionsEveryMs,
    runsOn: 'one node',
    run: (context, maxRunMs) => evaluateExceptions(context, memory, maxRunMs),
  }
}

/** A request that is repeated with its idempotency key gets the same response for a day. */
const deleteOldResponsesJob: Job = {
  name: 'idempotent answers',
  everyMs: minuteMs,
  runsOn: 'one node',
  run: (context) => deleteResponsesBefore(context, after(context.now, -dayMs)),
}
