import type { Database } from '../database/database.ts'
import type { Context } from '../foundation/operation.ts'
import { createIntegrations } from '../marketing/registry.ts'
import { evaluateEveryMs, evaluateInternalTriggers } from '../notifications/internal-triggers.ts'
import { type WokenTarget, wakeChannel } from '../notifications/store.ts'
import { accountOf } from './account.ts'
import { Deliverer } from './deliverer.ts'
import { createOutgoing } from './outgoing.ts'
import { createRetentionJob } from './retention.ts'
import { type Job, Schedule } from './schedule.ts'

export interface WorkerConfig {
  brand: string
  webhookAllowPrivate: boolean
  webhookRetryBaseMs: number
  webhookProxyUrl: string | undefined
  retentionDays: number | undefined
}

/** Everything that works behind the requests. */
export interface Workers {
  deliverer: Deliverer
  schedule: Schedule
  stop(): Promise<void>
}

export async function startWorkers(database: Database, context: () => Context, config: WorkerConfig): Promise<Workers> {
  const outgoing = createOutgoing({ allowPrivate: config.webhookAllowPrivate, proxyUrl: config.webhookProxyUrl })
  const deliverer = new Deliverer({
    context,
    outgoing,
    brand: config.brand,
    retryBaseMs: config.webhookRetryBaseMs,
    integrations: createIntegrations(),
    accountOf,
  })
  await database.listen(wakeChannel, (payload) => {
    const woken = JSON.parse(payload) as WokenTarget[] // only notifyWorkers writes here
    if (woken.length > 0) deliverer.wake(woken)
    else deliverer.sweep().catch(() => {}) // it runs again by itself in a moment
  })
  deliverer.start()
  const schedule = new Schedule(jobsOf(config), context)
  schedule.start()
  return {
    deliverer,
    schedule,
    async stop() {
      await schedule.stop()
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
