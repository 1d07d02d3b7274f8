import { after, secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/operation.ts'
import type { Account, Integration, IntegrationName } from '../marketing/integration.ts'
import {
  type AttemptRecord,
  findDueTargets,
  recordAttempts,
  recordHealth,
  type TakenDelivery,
  takeDeliveries,
} from '../notifications/delivery-store.ts'
import { attemptLimitMs, pauseAfter } from '../notifications/retry.ts'
import { automationsTarget, type WokenTarget } from '../notifications/store.ts'
import { type Lane, Lanes } from './lanes.ts'
import type { Outgoing } from './outgoing.ts'
import type { AutomationRunner } from './run-automations.ts'
import { sendToIntegration } from './send-integration.ts'
import { type Attempt, sendWebhook } from './send-webhook.ts'

export interface DelivererOptions {
  context: () => Context
  outgoing: Outgoing
  brand: string
  retryBaseMs: number
  integrations: Record<IntegrationName, Integration>
  accountOf: (context: Context, shopId: string, integration: IntegrationName) => Promise<Account | undefined>
  automations: Pick<AutomationRunner, 'evaluate' | 'isBusy'>
}

/** Longer than an attempt can take, with the time to write it down: a lease that ends early would send twice. */
const leaseMs = attemptLimitMs + 20 * secondMs
const sweepMs = 2 * secondMs

/**
 * Carries deliveries out: takes what is due, sends it outside any transaction, and writes each down as it ends. It is
 * woken by what is published, and looks for itself every few seconds, so that what a dead worker left is found.
 */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #lanes = new Lanes()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #endpoints = new Map<string, boolean>()
  #taking: Promise<void> | undefined
  #records: { attempt: AttemptRecord; done: () => void }[] = []
  #recording: Promise<void> | undefined
  #sweeper: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: DelivererOptions) {
    this.#options = options
  }

  start(): void {
    this.#sweeper = setInterval(() => this.sweep().catch((err) => this.#complain(err)), sweepMs)
    this.#sweeper.unref()
    this.sweep().catch((err) => this.#complain(err))
  }

  wake(targets: WokenTarget[]): void {
    for (const { shopId, target } of targets) {
      if (target === automationsTarget) this.#options.automations.evaluate(shopId)
      else this.#lanes.get(shopId, target).isWoken = true
    }
    this.#takeNext()
  }

  /** Looks for targets with something due. */
  async sweep(): Promise<void> {
    if (this.#isStopped) return
    const context = this.#options.context()
    this.wake(await findDueTargets(context, context.now, 5_000))
  }

  /** Until nothing is under way, automations included: what they do may be something to deliver. */
  async idle(): Promise<void> {
    while (this.#taking || this.#recording || this.#lanes.inFlight > 0 || this.#options.automations.isBusy) {
      await (this.#taking ?? this.#recording ?? new Promise((resolve) => setTimeout(resolve, 2)))
    }
  }

  /** Takes nothing more and finishes what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#sweeper)
    for (const timer of this.#timers) clearTimeout(timer)
    await this.idle()
  }

  #takeNext(): void {
    if (this.#taking || this.#isStopped) return
    const lanes = this.#lanes.takeWoken()
    if (lanes.length === 0) return
    this.#taking = this.#take(lanes)
      .catch((err) => this.#complain(err))
      .finally(() => {
        this.#taking = undefined
        this.#takeNext()
      })
  }

  async #take(lanes: (Lane & { limit: number })[]): Promise<void> {
    const context = this.#options.context()
    const taken = await takeDeliveries(context, lanes, context.now, after(context.now, leaseMs))
    const counts = new Map<Lane, number>()
    for (const delivery of taken) {
      const lane = this.#lanes.get(delivery.shopId, delivery.target)
      counts.set(lane, (counts.get(lane) ?? 0) + 1)
      this.#lanes.begin(lane)
      this.#carryOut(context, lane, delivery).catch((err) => this.#complain(err))
    }
    // A lane that gave all it was asked for may have more.
    for (const { shopId, target, limit } of lanes) {
      const lane = this.#lanes.get(shopId, target)
      if ((counts.get(lane) ?? 0) >= limit) lane.isWoken = true
    }
  }

  async #carryOut(context: Context, lane: Lane, delivery: TakenDelivery): Promise<void> {
    let isSuccess = false
    try {
      const attempt = await this.#attempt(context, lane, delivery)
      isSuccess = attempt.attempt.verdict !== 'retry'
      await this.#record(toRecord(delivery, attempt, this.#options.retryBaseMs, (ms) => this.#wakeLater(lane, ms)))
    } finally {
      this.#lanes.end(lane, isSuccess)
      this.#takeNext()
    }
  }

  async #attempt(context: Context, lane: Lane, delivery: TakenDelivery): Promise<TimedAttempt> {
    const { integrations, outgoing, brand } = this.#options
    const integration = integrations[delivery.target as IntegrationName] as Integration | undefined // or an endpoint's id
    if (integration) {
      lane.requestsPerSecond = integration.requestsPerSecond
      const waitMs = this.#lanes.reserveStart(lane, performance.now())
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
    const startedAt = context.services.clock.now()
    const startMs = performance.now()
    const attempt = integration
      ? await sendToIntegration(
          context,
          outgoing,
          integration,
          await this.#options.accountOf(context, delivery.shopId, integration.name),
          delivery,
        )
      : await sendWebhook(context, outgoing, brand, delivery)
    return { attempt, startedAt, durationMs: Math.round(performance.now() - startMs) }
  }

  #wakeLater(lane: Lane, ms: number): void {
    // The sweep finds what is due later; a timer only for what comes soon.
    if (ms > 60 * secondMs || this.#isStopped) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.wake([lane])
    }, ms)
    timer.unref()
    this.#timers.add(timer)
  }

  /** Attempts that end at the same moment are written down together. */
  #record(attempt: AttemptRecord): Promise<void> {
    return new Promise((done) => {
      this.#records.push({ attempt, done })
      this.#recordNext()
    })
  }

  #recordNext(): void {
    if (this.#recording || this.#records.length === 0) return
    const batch = this.#records.splice(0, 500)
    this.#recording = this.#write(batch.map(({ attempt }) => attempt)).finally(() => {
      this.#recording = undefined
      for (const { done } of batch) done()
      this.#recordNext()
    })
  }

  async #write(attempts: AttemptRecord[]): Promise<void> {
    const context = this.#options.context()
    try {
      await recordAttempts(context, attempts)
      const changed = this.#changedHealth(attempts)
      if (changed.length > 0) await recordHealth(context, changed)
    } catch (err) {
      // The lease ends by itself and the delivery is tried again: at least once, never lost.
      this.#complain(err)
    }
  }

  /** An endpoint's health is written when it changes, and now and then while it is well. */
  #changedHealth(attempts: AttemptRecord[]) {
    const latest = new Map<string, { shopId: string; endpointId: string; isSuccess: boolean; at: Date }>()
    for (const { endpointId, shopId, status, startedAt } of attempts) {
      if (endpointId === null || status === 'skipped') continue
      latest.set(endpointId, { shopId, endpointId, isSuccess: status === 'delivered', at: startedAt })
    }
    return [...latest.values()].filter(({ endpointId, isSuccess }) => {
      const isNews = this.#endpoints.get(endpointId) !== isSuccess || Math.random() < 0.05
      if (this.#endpoints.size > 20_000) this.#endpoints.clear()
      this.#endpoints.set(endpointId, isSuccess)
      return isNews
    })
  }

  #complain(err: unknown): void {
    this.#options.context().log.error({ err }, 'deliveries: a step failed and will be tried again')
  }
}

interface TimedAttempt {
  attempt: Attempt
  startedAt: Date
  durationMs: number
}

/** What an attempt makes of its delivery. */
function toRecord(
  delivery: TakenDelivery,
  { attempt, startedAt, durationMs }: TimedAttempt,
  retryBaseMs: number,
  wakeIn: (ms: number) => void,
): AttemptRecord {
  const pauseMs =
    attempt.verdict === 'retry'
      ? pauseAfter(delivery.attemptsOfSchedule, retryBaseMs, {
          jitter: Math.random(),
          retryAfterMs: attempt.retryAfterMs,
        })
      : undefined
  const endedAt = after(startedAt, durationMs)
  if (pauseMs !== undefined) wakeIn(pauseMs)
  return {
    shopId: delivery.shopId,
    deliveryId: delivery.id,
    number: delivery.attempts,
    startedAt,
    durationMs,
    statusCode: attempt.statusCode,
    answer: attempt.answer,
    stage: attempt.stage,
    error: attempt.error,
    status: statusAfter(attempt, pauseMs),
    nextAttemptAt: pauseMs === undefined ? endedAt : after(endedAt, pauseMs),
    endpointId: delivery.endpoint === null ? null : delivery.target,
  }
}

function statusAfter(attempt: Attempt, pauseMs: number | undefined): AttemptRecord['status'] {
  if (attempt.verdict === 'delivered') return 'delivered'
  if (attempt.verdict === 'skipped') return 'skipped'
  return pauseMs === undefined ? 'dead' : 'pending'
}
