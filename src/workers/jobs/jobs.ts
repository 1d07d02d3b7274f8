import { deleteEndedAttempts } from '../../database/attempts.ts'
import type { Database } from '../../database/database.ts'
import { deleteResponsesBefore } from '../../database/idempotency.ts'
import { analyzeGrownTables, vacuumChangedTables } from '../../database/statistics.ts'
import { deleteOldHours } from '../../deliveries/health-store.ts'
import { after, dayMs, hourMs, minuteMs, secondMs } from '../../foundation/clock.ts'
import { evaluateEveryMs, evaluateInternalTriggers } from '../../journey/internal-triggers/evaluate.ts'
import { rollUpEveryMs, rollUpFigures } from '../../resources/analytics/roll-up.ts'
import { openCatchUps } from '../../resources/catch-up/store.ts'
import { deleteOldGrants } from '../../resources/connections/grant-store.ts'
import { keepUpFeeds, upkeepEveryMs } from '../../resources/event-feed/upkeep.ts'
import { EvaluationMemory, evaluateExceptions, evaluateExceptionsEveryMs } from '../../resources/exceptions/evaluate.ts'
import { wakeQueues } from '../../resources/order-fetches/store.ts'
import { deleteOldUsage } from '../../resources/provider-accounts/usage-store.ts'
import { deleteEndedSessions } from '../../resources/sessions/store.ts'
import { addWebhookChecks } from '../../resources/shop-systems/webhook-store.ts'
import { alertsEveryMs, sendAlerts } from '../../resources/team-reports/alerts.ts'
import { digestsEveryMs, sendDigests } from '../../resources/team-reports/digests.ts'
import type { Job } from '../schedule.ts'
import { createAuditRetentionJob, createRetentionJob } from './apply-retention.ts'
import { createCorrectTimesJob } from './correct-times.ts'
import { deleteAbandonedUploadsJob } from './delete-abandoned-uploads.ts'
import { createFetchSegmentsJob, type SegmentOptions } from './fetch-segments.ts'
import { finishOldParcelsJob } from './finish-old-parcels.ts'
import { createPurgeDeletedShopsJob } from './purge-deleted-shops.ts'
import { createSealAddressesJob } from './seal-addresses.ts'
import { createShareCustomsJob } from './share-customs.ts'

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
