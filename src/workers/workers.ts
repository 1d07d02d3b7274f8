import type { ProviderName, TrackingProvider } from '../carriers/provider.ts'
import type { Database } from '../database/database.ts'
import { releaseEverything } from '../deliveries/claim-store.ts'
import { mailTarget } from '../deliveries/delivery.ts'
import { readAnnouncement, wakeChannel } from '../deliveries/wake-store.ts'
import { DeliveryDispatcher } from '../deliveries/worker/dispatcher.ts'
import { createWebhookSender } from '../deliveries/worker/send-webhook.ts'
import type { Sender } from '../deliveries/worker/sender.ts'
import type { Context } from '../foundation/context.ts'
import type { Integration, IntegrationName } from '../marketing/integration.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { releaseClaimedBackfills } from '../resources/backfills/store.ts'
import { releaseClaimedCatchUps } from '../resources/catch-up/store.ts'
import { releaseClaimedImports } from '../resources/imports/store.ts'
import { findIntegrationAccount } from '../resources/integration-keys/account.ts'
import { releaseClaimedTeamMails } from '../resources/team-mail/outbox-store.ts'
import { AutomationWorker } from './automation-worker.ts'
import { BackfillWorker } from './backfill-worker.ts'
import { CatchUpWorker } from './catch-up-worker.ts'
import { ClaimDecisionWorker } from './claim-decision-worker.ts'
import { ImportWorker } from './import-worker.ts'
import { listJobs } from './jobs/jobs.ts'
import { OrderFetcher } from './order-fetcher.ts'
import { ParcelPoller } from './parcels/poller.ts'
import type { Job } from './schedule.ts'
import { createIntegrationSender } from './send-integration.ts'
import { createMailSender } from './send-mail.ts'
import { TeamMailWorker } from './team-mail-worker.ts'
import { WebhookCheckWorker } from './webhook-check-worker.ts'

export interface WorkerConfig {
  brand: string
  webhookRetryBaseMs: number
  retentionDays: number | undefined
  deletedShopDays: number
  auditDays: number
}

export interface WorkerOptions {
  database: Database
  outgoing: Outgoing
  integrations: Record<IntegrationName, Integration>
  providers: Record<ProviderName, TrackingProvider>
  /** Not called before `recover` or `start`. */
  context: () => Context
  config: WorkerConfig
}

/** All background workers of a process. */
export interface Workers {
  deliveries: DeliveryDispatcher
  automations: AutomationWorker
  parcels: ParcelPoller
  imports: ImportWorker
  orderFetcher: OrderFetcher
  backfills: BackfillWorker
  catchUps: CatchUpWorker
  claimDecisions: ClaimDecisionWorker
  teamMails: TeamMailWorker
  webhookChecks: WebhookCheckWorker
  /** The scheduled jobs of a node with workers. */
  jobs: Job[]
  /** Releases what an earlier process has claimed. Before anything is claimed by this one. */
  recover(): Promise<void>
  start(): Promise<void>
  /** Names of workers whose sweeps have not succeeded for this long. */
  stuck(forMs: number): string[]
  stop(): Promise<void>
}

export function createWorkers({
  database,
  outgoing,
  integrations,
  providers,
  context,
  config,
}: WorkerOptions): Workers {
  const accounts = { outgoing, integrations, accountOf: findIntegrationAccount }
  const retryBaseMs = config.webhookRetryBaseMs

  const automations = new AutomationWorker({ context, retryBaseMs })
  const webhooks = createWebhookSender(outgoing, config.brand)
  const senders = new Map<string, Sender>([
    ...Object.values(integrations).map((integration): [string, Sender] => [
      integration.name,
      createIntegrationSender(outgoing, integration, findIntegrationAccount),
    ]),
    [mailTarget, createMailSender()],
  ])
  const deliveries = new DeliveryDispatcher({
    context,
    senderFor: ({ target }) => senders.get(target) ?? webhooks,
    retryBaseMs,
    automations,
  })
  const parcels = new ParcelPoller({ context, outgoing, providers })
  const imports = new ImportWorker(context)
  const orderFetcher = new OrderFetcher(context, outgoing)
  const backfills = new BackfillWorker(context, outgoing)
  const catchUps = new CatchUpWorker(context, outgoing)
  const claimDecisions = new ClaimDecisionWorker(context)
  const teamMails = new TeamMailWorker(context)
  const webhookChecks = new WebhookCheckWorker(context)
  // A worker that causes work for another comes after it, and stops before it.
  const inOrder = [
    deliveries,
    automations,
    parcels,
    imports,
    orderFetcher,
    backfills,
    catchUps,
    claimDecisions,
    teamMails,
    webhookChecks,
  ]

  return {
    deliveries,
    automations,
    parcels,
    imports,
    orderFetcher,
    backfills,
    catchUps,
    claimDecisions,
    teamMails,
    webhookChecks,
    jobs: listJobs({ ...config, ...accounts, engine: database.engine }),
    async recover() {
      // The embedded store has one process at a time. Elsewhere the leases of a dead process end by themselves.
      if (database.engine !== 'embedded') return
      await releaseEverything(context(), context().now)
      await releaseClaimedImports(context())
      await releaseClaimedBackfills(context())
      await releaseClaimedCatchUps(context())
      await releaseClaimedTeamMails(context())
    },
    async start() {
      await database.listen(wakeChannel, (payload) => wakeDeliveries(deliveries, payload))
      for (const worker of inOrder) worker.start()
      database.onReturn(() => {
        for (const worker of inOrder) if (!worker.isStopping) worker.wake()
      })
    },
    stuck: (forMs) => inOrder.filter((worker) => worker.isStuck(forMs)).map(({ name }) => name),
    async stop() {
      for (const worker of inOrder.toReversed()) await worker.stop()
    },
  }
}

/** Another node has enqueued deliveries: for these receivers, or for so many that a sweep is needed. */
function wakeDeliveries(deliveries: DeliveryDispatcher, payload: string): void {
  const receivers = readAnnouncement(deliveries.id, payload)
  if (receivers === undefined) return
  deliveries.wake(receivers.length > 0 ? receivers : undefined)
}
