import type { ProviderName } from '../carriers/provider.ts'
import { createProviders } from '../carriers/providers.ts'
import { deleteEndedAttempts } from '../database/attempts.ts'
import type { Changes } from '../database/changes.ts'
import type { Database } from '../database/database.ts'
import { lookAtTables, tendTables } from '../database/statistics.ts'
import { releaseEverything } from '../deliveries/claim-store.ts'
import { readAnnouncement, wakeChannel } from '../deliveries/wake-store.ts'
import { DeliveryDispatcher } from '../deliveries/worker/dispatcher.ts'
import { createWebhookSender } from '../deliveries/worker/send-webhook.ts'
import type { Sender } from '../deliveries/worker/sender.ts'
import { minuteMs, secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { evaluateEveryMs, evaluateInternalTriggers } from '../journey/internal-triggers/evaluate.ts'
import type { IntegrationName } from '../marketing/integration.ts'
import { createIntegrations } from '../marketing/registry.ts'
import { createOutgoing } from '../outgoing/outgoing.ts'
import { releaseTakenImports } from '../resources/imports/store.ts'
import { findIntegrationAccount } from '../resources/integration-keys/account.ts'
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
import { createIntegrationSender } from './send-integration.ts'

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
  deliveries: DeliveryDispatcher
  automations: AutomationRunner
  parcels: ParcelFollower
  imports: ImportRunner
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
  const automations = new AutomationRunner({ context, changes, retryBaseMs: config.webhookRetryBaseMs })
  const webhooks = createWebhookSender(outgoing, config.brand)
  const senders = new Map<string, Sender>(
    Object.values(integrations).map((integration) => [
      integration.name,
      createIntegrationSender(outgoing, integration, findIntegrationAccount),
    ]),
  )
  const deliveries = new DeliveryDispatcher({
    context,
    senderFor: ({ target }) => senders.get(target) ?? webhooks,
    retryBaseMs: config.webhookRetryBaseMs,
    automations,
  })
  const parcels = new ParcelFollower({ context, changes, outgoing, providers: createProviders(config.providerUrls) })
  const imports = new ImportRunner(context)
  const shopware = new ShopwareFetcher(context, outgoing)
  await database.listen(wakeChannel, (payload) => {
    const woken = readAnnouncement(deliveries.id, payload)
    if (woken === undefined) return
    if (woken.length > 0) deliveries.wake(woken)
    else deliveries.wake()
  })
  // The embedded store has one process at a time: what is taken at its start, the one before it took.
  if (database.engine === 'embedded') {
    await releaseEverything(context(), context().now)
    await releaseTakenImports(context())
  }
  deliveries.start()
  automations.start()
  parcels.start()
  imports.start()
  shopware.start()
  const schedule = new Schedule(
    [
      ...jobsOf(config),
      createSegmentJob({ outgoing, integrations, accountOf: findIntegrationAccount }),
      { name: 'tables', everyMs: 10 * secondMs, run: database.engine === 'embedded' ? tendTables : lookAtTables },
    ],
    context,
  )
  schedule.start()
  return {
    deliveries,
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
      await deliveries.stop()
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
