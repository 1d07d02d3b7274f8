import type { Changes } from '../database/changes.ts'
import type { Database } from '../database/database.ts'
import type { Context } from '../foundation/operation.ts'
import type { IntegrationName } from '../marketing/integration.ts'
import { createIntegrations } from '../marketing/registry.ts'
import { releaseTaken } from '../notifications/delivery-store.ts'
import { evaluateEveryMs, evaluateInternalTriggers } from '../notifications/internal-triggers.ts'
import { type WokenTarget, wakeChannel } from '../notifications/store.ts'
import { accountOf } from './account.ts'
import { Deliverer } from './deliverer.ts'
import { createOutgoing } from './outgoing.ts'
import { createRetentionJob } from './retention.ts'
import { AutomationRunner } from './run-automations.ts'
import { type Job, Schedule } from './schedule.ts'
import { createSegmentJob } from './segments.ts'

export interface WorkerConfig {
  brand: string
  webhookAllowPrivate: boolean
  webhookRetryBaseMs: number
  webhookProxyUrl: string | undefined
  retentionDays: number | undefined
  /** Other companies' servers, where they are not at their usual addresses: in tests. */
  integrationUrls?: Partial<Record<IntegrationName, string>> | undefined
}

/** Everything that works behind the requests. */
export interface Workers {
  deliverer: Deliverer
  automations: AutomationRunner
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
  const deliverer = new Deliverer({
    context,
    outgoing,
    brand: config.brand,
    retryBaseMs: config.webhookRetryBaseMs,
    integrations,
    accountOf,
    automations,
  })
  await database.listen(wakeChannel, (payload) => {
    const woken = JSON.parse(payload) as WokenTarget[] // only notifyWorkers writes here
    if (woken.length > 0) deliverer.wake(woken)
    else deliverer.sweep().catch(() => {}) // it runs again by itself in a moment
  })
  // The embedded store has one process at a time: what is taken at its start, the one before it took.
  if (database.engine === 'embedded') await releaseTaken(context(), context().now)
  deliverer.start()
  automations.start()
  const schedule = new Schedule([...jobsOf(config), createSegmentJob({ outgoing, integrations, accountOf })], context)
  schedule.start()
  return {
    deliverer,
    automations,
    schedule,
    async stop() {
      await schedule.stop()
      await automations.stop()
      await deliverer.stop()
      await outgoing.close()
    },
  }
}

function jobsOf(config: WorkerConfig): Job[] {
  return [
    { name: 'internal triggers', everyMs: evaluateEveryMs, run: evaluateInternalTriggers },
    ...(config.retentionDays === undefined ? [] : [createRetentionJob(config.retentionDays)]),
  ]
}
