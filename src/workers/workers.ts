import type { ProviderName } from '../carriers/provider.ts'
import { createProviders } from '../carriers/providers.ts'
import { deleteEndedAttempts } from '../database/attempts.ts'
import type { Changes } from '../database/changes.ts'
import type { Database } from '../database/database.ts'
import { lookAtTables, tendTables } from '../database/statistics.ts'
import { releaseTaken } from '../deliveries/claim-store.ts'
import { Deliverer } from '../deliveries/worker/dispatcher.ts'
import { minuteMs, secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { evaluateEveryMs, evaluateInternalTriggers } from '../journey/internal-triggers/evaluate.ts'
import type { IntegrationName } from '../marketing/integration.ts'
import { createIntegrations } from '../marketing/registry.ts'
import { readAnnouncement, wakeChannel } from '../notifications/store.ts'
import { createOutgoing } from '../outgoing/outgoing.ts'
import { releaseClaimedImports } from '../resources/imports/store.ts'
import { findAccountAt } from '../resources/integration-keys/account.ts'
import { AutomationWorker } from './automation-worker.ts'
import { ImportWorker } from './import-worker.ts'
import { createRetentionJob } from './jobs/apply-retention.ts'
import { deleteAbandonedUploadsJob } from './jobs/delete-abandoned-uploads.ts'
import { createFetchSegmentsJob } from './jobs/fetch-segments.ts'
import { createOldParcelsJob } from './jobs/finish-old-parcels.ts'
import { createPurgeDeletedShopsJob } from './jobs/purge-deleted-shops.ts'
import { ParcelPoller } from './parcels/poller.ts'
import { type Job, Schedule } from './schedule.ts'
import { ShopwareFetcher, wakeShopwareQueuesJob } from './shopware-fetcher.ts'

export interface WorkerConfig {
  brand: string
  webhookAllowPrivate: boolean
  webhookRetryBaseMs: number
  webhookProxyUrl: string | undefined
  retentionDays: number | undefined
  deletedShopDays: number
  /** Other companies' servers, where they are not at their usual addresses: in tests. */
  integrationUrls?: Partial<Record<IntegrationName, string>> | undefined
  providerUrls?: Partial<Record<ProviderName, string>> | undefined
}

/** Everything that works behind the requests. */
export interface Workers {
  deliverer: Deliverer
  automations: AutomationWorker
  parcels: ParcelPoller
  imports: ImportWorker
  shopware: ShopwareFetcher
  schedule: Schedule
  stop(): Promise<void>
}

export async function startWorkers(
  database: Database,
  changes: Changes,
  context: () => Context,
  config: WorkerConfig,
): Promise<Workers> {
  const outgoing = createOutgoing({ allowPrivate: config.webhookAllowPrivate, proxyUrl: config.webhookProxyUrl })
  const integrations = createIntegrations(config.integrationUrls)
  const automations = new AutomationWorker({ context, changes, retryBaseMs: config.webhookRetryBaseMs })
  const deliverer = new Deliverer({
    context,
    outgoing,
    brand: config.brand,
    retryBaseMs: config.webhookRetryBaseMs,
    integrations,
    accountOf: findAccountAt,
    automations,
  })
  const parcels = new ParcelPoller({ context, changes, outgoing, providers: createProviders(config.providerUrls) })
  const imports = new ImportWorker(context)
  const shopware = new ShopwareFetcher(context, outgoing)
  await database.listen(wakeChannel, (payload) => {
    const woken = readAnnouncement(deliverer.id, payload)
    if (woken === undefined) return
    if (woken.length > 0) deliverer.wake(woken)
    else deliverer.sweep().catch(() => {}) // it runs again by itself in a moment
  })
  // The embedded store has one process at a time: what is taken at its start, the one before it took.
  if (database.engine === 'embedded') {
    await releaseTaken(context(), context().now)
    await releaseClaimedImports(context())
  }
  deliverer.start()
  automations.start()
  parcels.start()
  imports.start()
  shopware.start()
  const schedule = new Schedule(
    [
      ...jobsOf(config),
      createFetchSegmentsJob({ outgoing, integrations, accountOf: findAccountAt }),
      { name: 'tables', everyMs: 10 * secondMs, run: database.engine === 'embedded' ? tendTables : lookAtTables },
    ],
    context,
  )
  schedule.start()
  return {
    deliverer,
    automations,
    parcels,
    imports,
    shopware,
    schedule,
    async stop() {
      await schedule.stop()
      await shopware.stop()
      await imports.stop()
      await parcels.stop()
      await automations.stop()
      await deliverer.stop()
      await outgoing.close()
    },
  }
}

function jobsOf(config: WorkerConfig): Job[] {
  return [
    { name: 'internal triggers', everyMs: evaluateEveryMs, run: evaluateInternalTriggers },
    createOldParcelsJob(),
    deleteAbandonedUploadsJob,
    { name: 'attempt counts', everyMs: minuteMs, run: deleteEndedAttempts },
    wakeShopwareQueuesJob,
    ...(config.retentionDays === undefined ? [] : [createRetentionJob(config.retentionDays)]),
    createPurgeDeletedShopsJob(config.deletedShopDays),
  ]
}
