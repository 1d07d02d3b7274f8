import type { ProviderName } from '../carriers/provider.ts'
import { createProviders } from '../carriers/providers.ts'
import { deleteEndedAttempts } from '../database/attempts.ts'
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
import { releaseTakenImports } from '../resources/imports/store.ts'
import { findAccountAt } from '../resources/integration-keys/account.ts'
import { abandonedUploadsJob } from './abandoned-uploads.ts'
import { createDeletedShopsJob } from './deleted-shops.ts'
import { ShopwareFetcher, wakeShopwareQueuesJob } from './fetch-shopware.ts'
import { ParcelFollower } from './follow-parcels.ts'
import { createOldParcelsJob } from './old-parcels.ts'
import { createRetentionJob } from './retention.ts'
import { AutomationRunner } from './run-automations.ts'
import { ImportRunner } from './run-imports.ts'
import { type Job, Schedule } from './schedule.ts'
import { createSegmentJob } from './segments.ts'

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
  automations: AutomationRunner
  parcels: ParcelFollower
  imports: ImportRunner
  shopware: ShopwareFetcher
  schedule: Schedule
  stop(): Promise<void>
}

export async function startWorkers(database: Database, context: () => Context, config: WorkerConfig): Promise<Workers> {
  const outgoing = createOutgoing({ allowPrivate: config.webhookAllowPrivate, proxyUrl: config.webhookProxyUrl })
  const integrations = createIntegrations(config.integrationUrls)
  const automations = new AutomationRunner({ context, retryBaseMs: config.webhookRetryBaseMs })
  const deliverer = new Deliverer({
    context,
    outgoing,
    brand: config.brand,
    retryBaseMs: config.webhookRetryBaseMs,
    integrations,
    accountOf: findAccountAt,
    automations,
  })
  const parcels = new ParcelFollower({ context, outgoing, providers: createProviders(config.providerUrls) })
  const imports = new ImportRunner(context)
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
    await releaseTakenImports(context())
  }
  deliverer.start()
  automations.start()
  parcels.start()
  imports.start()
  shopware.start()
  const schedule = new Schedule(
    [
      ...jobsOf(config),
      createSegmentJob({ outgoing, integrations, accountOf: findAccountAt }),
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
    abandonedUploadsJob,
    { name: 'attempt counts', everyMs: minuteMs, run: deleteEndedAttempts },
    wakeShopwareQueuesJob,
    ...(config.retentionDays === undefined ? [] : [createRetentionJob(config.retentionDays)]),
    createDeletedShopsJob(config.deletedShopDays),
  ]
}
