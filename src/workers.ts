import { answerResetRequest } from './access/sign-in/reset-request.ts'
import type { ProviderName, TrackingProvider } from './adapters/carriers/registry.ts'
import type { Integration, IntegrationName } from './adapters/marketing/registry.ts'
import { AutomationWorker } from './automations/automation-worker.ts'
import { ClaimDecisionWorker } from './claims/claims/claim-decision-worker.ts'
import { BackfillWorker } from './connections/backfills/backfill-worker.ts'
import { releaseLeasedBackfills } from './connections/backfills/store.ts'
import { CatchUpWorker } from './connections/catch-up/catch-up-worker.ts'
import { releaseLeasedCatchUps } from './connections/catch-up/store.ts'
import { OrderFetcher } from './connections/order-fetcher.ts'
import { WebhookCheckWorker } from './connections/overview/webhook-check-worker.ts'
import { findIntegrationAccount } from './credentials/integration-keys/account.ts'
import { mailReceiver } from './delivery/queue/delivery.ts'
import { releaseEverything } from './delivery/queue/fetch-store.ts'
import { readAnnouncement, wakeChannel } from './delivery/queue/wake-store.ts'
import { DeliveryDispatcher } from './delivery/sending/dispatcher.ts'
import { createWebhookSender } from './delivery/sending/send-webhook.ts'
import type { Sender } from './delivery/sending/sender.ts'
import { listJobs } from './jobs.ts'
import { createIntegrationSender } from './messages/send-integration.ts'
import { createMailSender } from './messages/send-mail.ts'
import { releaseLeasedTeamMails } from './messages/team-mail/outbox-store.ts'
import { TeamMailWorker } from './messages/team-mail/team-mail-worker.ts'
import { ImportWorker } from './orders/imports/import-worker.ts'
import { releaseLeasedImports } from './orders/imports/store.ts'
import type { Context } from './platform/foundation/context.ts'
import type { Outgoing } from './platform/outgoing/outgoing.ts'
import type { Database } from './platform/store/database.ts'
import type { Job } from './platform/workers/schedule.ts'
import type { Wakers } from './platform/workers/wake.ts'
import { ParcelPoller } from './tracking/polling/poller.ts'

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
  /** Functions by which the code that queues work wakes them. */
  wakers: Wakers
  /** The scheduled jobs of a node with workers. */
  jobs: Job[]
  /** Releases the leases of an earlier process. To be called before this process leases anything. */
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
    [mailReceiver, createMailSender()],
  ])
  const deliveries = new DeliveryDispatcher({
    context,
    senderFor: ({ receiverId }) => senders.get(receiverId) ?? webhooks,
    retryBaseMs,
    automations,
  })
  const parcels = new ParcelPoller({ context, outgoing, providers })
  const imports = new ImportWorker(context)
  const orderFetcher = new OrderFetcher(context, outgoing)
  const backfills = new BackfillWorker(context, outgoing)
  const catchUps = new CatchUpWorker(context, outgoing)
  const claimDecisions = new ClaimDecisionWorker(context)
  const teamMails = new TeamMailWorker(context, answerResetRequest)
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
    wakers: {
      parcels: (given) => parcels.wake(given),
      imports: () => imports.wake(),
      backfills: () => backfills.wake(),
      catchUps: () => catchUps.wake(),
      claimDecisions: (dueAt) => claimDecisions.wakeAt(dueAt),
      teamMails: () => teamMails.wake(),
      webhookChecks: () => webhookChecks.wake(),
    },
    jobs: listJobs({ ...config, ...accounts, engine: database.engine }),
    async recover() {
      // The embedded store has one process at a time. Elsewhere the leases of a dead process end by themselves.
      if (database.engine !== 'embedded') return
      await releaseEverything(context(), context().now)
      await releaseLeasedImports(context())
      await releaseLeasedBackfills(context())
      await releaseLeasedCatchUps(context())
      await releaseLeasedTeamMails(context())
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
