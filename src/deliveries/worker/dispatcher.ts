import { randomUUID } from 'node:crypto'
import { after, secondMs } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Span } from '../../foundation/tracing.ts'
import type { Integration, IntegrationName } from '../../marketing/integration.ts'
import { automationsTarget } from '../../notifications/store.ts'
import type { Outgoing } from '../../outgoing/outgoing.ts'
import type { AccountState } from '../../resources/integration-keys/account.ts'
import type { AutomationWorker } from '../../workers/automation-worker.ts'
import { sendToIntegration } from '../../workers/send-integration.ts'
import {
  type AttemptRecord,
  findDueTargets,
  type Hold,
  recordAttempts,
  recordHealth,
  releaseDeliveries,
  releaseHolds,
  renewHolds,
  takeDeliveries,
} from '../claim-store.ts'
import type { DeliveryWorkers, TakenDelivery, WokenTarget } from '../delivery.ts'
import { holdMs, leaseMs } from '../retry.ts'
import { type TimedAttempt, toRecord } from './attempt-record.ts'
import { EndpointHealth } from './endpoint-health.ts'
import { type HeldDelivery, type Lane, Lanes } from './receiver-queues.ts'
import { type Attempt, sendWebhook } from './send-webhook.ts'
import { traceAttempt } from './trace-attempt.ts'

export interface DelivererOptions {
  context: () => Context
  outgoing: Outgoing
  brand: string
  retryBaseMs: number
  integrations: Record<IntegrationName, Integration>
  accountOf: (context: Context, shopId: string, integration: IntegrationName) => Promise<AccountState>
  automations: Pick<AutomationWorker, 'evaluate' | 'isBusy'>
}

const sweepMs = 2 * secondMs
/** Nobody waits for it but later events of the same shipment: what ends within this time is written down together. */
const gatherMs = 10
/** Retries that are due so close to each other are looked for together: many receivers that hang are not many looks. */
const tickMs = 100
/** What waited longer for its turn is given back: the endpoint may have changed since, or be gone. */
const longestHoldMs = 2 * secondMs

/**
 * Carries deliveries out: sends them outside any transaction, and writes each down as it ends. It is given what this
 * process publishes, takes what is due of the rest when it is woken, and looks for itself every few seconds, so that what a
 * dead worker left is found.
 */
export class Deliverer implements DeliveryWorkers {
  readonly id = randomUUID()
  readonly #options: DelivererOptions
  readonly #lanes = new Lanes()
  /** Lanes to be woken, by the tick that they wait for. */
  readonly #wakings = new Map<number, { lanes: Set<Lane>; timer: NodeJS.Timeout }>()
  readonly #health = new EndpointHealth()
  #isGathering = false
  #taking: Promise<void> | undefined
  #records: { attempt: AttemptRecord; lane: Lane }[] = []
  #givenBack: { delivery: TakenDelivery; lane: Lane }[] = []
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

  roomFor(shopId: string, target: string): number {
    // Automations are asked about many events at once.
    if (this.#isStopped || target === automationsTarget) return 0
    return this.#lanes.roomFor(this.#lanes.get(shopId, target), performance.now())
  }

  carryOut(deliveries: TakenDelivery[], takenAt: Date, cause: Span | undefined): void {
    const context = this.#options.context()
    const inFlight = ({ shopId, target }: TakenDelivery) => this.#lanes.get(shopId, target).inFlight
    // Who still owes an answer needs a new connection, which takes as long as several sendings: the others go first.
    const inOrder = deliveries.toSorted((left, right) => inFlight(left) - inFlight(right))
    for (const delivery of inOrder) this.#add(context, { delivery, takenAt, cause })
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
    await this.#renewHolds(context)
    this.wake(await findDueTargets(context, context.now, 5_000))
  }

  /** Until nothing is under way, automations included: what they do may be something to deliver. */
  async idle(): Promise<void> {
    while (
      this.#isGathering ||
      this.#taking ||
      this.#recording ||
      !this.#lanes.areIdle ||
      this.#options.automations.isBusy
    ) {
      await (this.#taking ?? this.#recording ?? new Promise((resolve) => setTimeout(resolve, 2)))
    }
  }

  /** Takes nothing more and finishes what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#sweeper)
    for (const { timer } of this.#wakings.values()) clearTimeout(timer)
    await this.#giveBack(this.#lanes.dropHeld())
    await this.idle()
    // Where it fails, they are free for others by themselves.
    await releaseHolds(this.#options.context(), this.id).catch((err) => this.#complain(err))
  }

  /** What is woken or ends in the same moment is seen to together. */
  #takeNext(): void {
    if (this.#isGathering || this.#isStopped) return
    this.#isGathering = true
    setImmediate(() => {
      this.#isGathering = false
      this.#takeNow()
    })
  }

  #takeNow(): void {
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

  async #take(woken: { lane: Lane; limit: number }[]): Promise<void> {
    const context = this.#options.context()
    const takenAt = context.now
    const hold = this.#newHold(takenAt)
    const wanted = woken.map(({ lane, limit }) => ({
      shopId: lane.shopId,
      target: lane.target,
      limit,
      isHeld: lane.heldUntilMs > takenAt.getTime() + holdMs / 2,
      busy: this.#lanes.busyOf(lane, takenAt.getTime()),
    }))
    const { deliveries, held } = await takeDeliveries(context, wanted, hold)
    for (const [n, { lane }] of woken.entries()) if (!wanted[n]?.isHeld) lane.heldUntilMs = 0
    for (const { shopId, target } of held) {
      const lane = this.#lanes.get(shopId, target)
      if (lane.heldUntilMs === 0) lane.heldUntilMs = hold.until.getTime()
    }
    const counts = new Map<Lane, number>()
    for (const delivery of deliveries) {
      const lane = this.#add(context, { delivery, takenAt })
      counts.set(lane, (counts.get(lane) ?? 0) + 1)
    }
    for (const { lane, limit } of woken) {
      this.#lanes.looked(lane, counts.get(lane) ?? 0, limit, performance.now())
    }
  }

  #newHold(now: Date): Hold {
    return { worker: this.id, now, until: after(now, holdMs) }
  }

  /** Holds on to the queues that something was taken from, as long as it is not written down. */
  async #renewHolds(context: Context): Promise<void> {
    const lanes = this.#lanes.listHeld(context.now.getTime() + holdMs * 0.6)
    if (lanes.length === 0) return
    const hold = this.#newHold(context.now)
    const held = await renewHolds(context, lanes, hold)
    for (const lane of lanes) lane.heldUntilMs = 0
    for (const { shopId, target } of held) this.#lanes.get(shopId, target).heldUntilMs = hold.until.getTime()
  }

  #add(context: Context, held: HeldDelivery): Lane {
    const lane = this.#lanes.get(held.delivery.shopId, held.delivery.target)
    this.#lanes.add(lane, held)
    this.#beginNext(context, lane)
    return lane
  }

  #beginNext(context: Context, lane: Lane): void {
    const nowMs = performance.now()
    for (let next = this.#lanes.begin(lane, nowMs); next !== undefined; next = this.#lanes.begin(lane, nowMs)) {
      this.#carryOut(context, lane, next).catch((err) => this.#complain(err))
    }
  }

  /** The lane has room again as soon as there is an answer; writing it down holds up nobody. */
  async #carryOut(context: Context, lane: Lane, { delivery, takenAt, cause }: HeldDelivery): Promise<void> {
    if (context.services.clock.now().getTime() - takenAt.getTime() > longestHoldMs) {
      this.#lanes.giveBack(lane)
      this.#givenBack.push({ delivery, lane })
      this.#recordNext()
      return
    }
    let attempt: TimedAttempt | undefined
    try {
      attempt = await this.#attempt(context, lane, delivery, cause)
    } finally {
      this.#lanes.end(lane, attempt !== undefined && attempt.attempt.verdict !== 'retry', performance.now())
      if (attempt) {
        const wakeIn = (ms: number) => this.#wakeLater(lane, ms)
        this.#records.push({ attempt: toRecord(delivery, attempt, this.#options.retryBaseMs, wakeIn), lane })
        this.#recordNext()
      } else this.#leave(context, lane, delivery.id)
      this.#beginNext(context, lane)
      const stalled = this.#lanes.takeStalled()
      if (stalled) this.#beginNext(context, stalled)
      this.#takeNext()
    }
  }

  async #attempt(
    context: Context,
    lane: Lane,
    delivery: TakenDelivery,
    cause: Span | undefined,
  ): Promise<TimedAttempt> {
    const { integrations } = this.#options
    const integration = integrations[delivery.target as IntegrationName] as Integration | undefined // or an endpoint's id
    if (integration) {
      lane.requestsPerSecond = integration.requestsPerSecond
      const waitMs = this.#lanes.reserveStart(lane, performance.now())
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
    const startedAt = context.services.clock.now()
    const startMs = performance.now()
    const { tracing } = context.services
    const attempt = tracing
      ? await traceAttempt(tracing, delivery, integration?.name, cause, (span) =>
          this.#send(context, delivery, integration, span),
        )
      : await this.#send(context, delivery, integration)
    return { attempt, startedAt, durationMs: Math.round(performance.now() - startMs) }
  }

  #send(
    context: Context,
    delivery: TakenDelivery,
    integration: Integration | undefined,
    span?: Span,
  ): Promise<Attempt> {
    const { outgoing, brand, accountOf } = this.#options
    if (integration === undefined) return sendWebhook(context, outgoing, brand, delivery, span)
    return accountOf(context, delivery.shopId, integration.name).then((account) =>
      sendToIntegration(context, outgoing, integration, account, delivery, span),
    )
  }

  #wakeLater(lane: Lane, ms: number): void {
    // The sweep finds what is due later; a timer only for what comes soon.
    if (ms > 60 * secondMs || this.#isStopped) return
    const tick = Math.ceil((performance.now() + ms) / tickMs)
    const waking = this.#wakings.get(tick) ?? this.#wakeAt(tick)
    waking.lanes.add(lane)
  }

  #wakeAt(tick: number): { lanes: Set<Lane>; timer: NodeJS.Timeout } {
    const lanes = new Set<Lane>()
    const timer = setTimeout(
      () => {
        this.#wakings.delete(tick)
        this.wake([...lanes])
      },
      tick * tickMs - performance.now(),
    )
    timer.unref()
    const waking = { lanes, timer }
    this.#wakings.set(tick, waking)
    return waking
  }

  #recordNext(): void {
    if (this.#recording || this.#records.length + this.#givenBack.length === 0) return
    this.#recording = new Promise((resolve) => setTimeout(resolve, gatherMs))
      .then(() => this.#recordSome())
      .finally(() => {
        this.#recording = undefined
        this.#recordNext()
        this.#takeNext()
      })
  }

  async #recordSome(): Promise<void> {
    const batch = this.#records.splice(0, 500)
    if (batch.length > 0) {
      const context = this.#options.context()
      const isWritten = await this.#write(
        context,
        batch.map(({ attempt }) => attempt),
      )
      for (const { attempt, lane } of batch) {
        if (isWritten) this.#lanes.written(lane, attempt.deliveryId)
        else this.#leave(context, lane, attempt.deliveryId)
      }
    }
    const givenBack = this.#givenBack.splice(0)
    if (givenBack.length > 0) await this.#giveBack(givenBack.map(({ delivery }) => delivery))
    for (const { delivery, lane } of givenBack) {
      lane.isWoken = true
      this.#lanes.written(lane, delivery.id)
    }
  }

  async #giveBack(deliveries: TakenDelivery[]): Promise<void> {
    const context = this.#options.context()
    // Where it fails, the lease ends by itself.
    await releaseDeliveries(context, deliveries, context.now).catch((err) => this.#complain(err))
  }

  async #write(context: Context, attempts: AttemptRecord[]): Promise<boolean> {
    try {
      await recordAttempts(context, attempts)
    } catch (err) {
      // The deliveries are tried again: at least once, never lost.
      this.#complain(err)
      return false
    }
    const changed = this.#health.newsOf(attempts)
    if (changed.length > 0) await recordHealth(context, changed).catch((err) => this.#complain(err))
    return true
  }

  /** Nobody knows what became of it: it is tried again when its time is over, as that of a worker that died is. */
  #leave(context: Context, lane: Lane, id: string): void {
    this.#lanes.leave(lane, id, context.services.clock.now().getTime() + leaseMs)
  }

  #complain(err: unknown): void {
    this.#options.context().log.error({ err }, 'deliveries: a step failed and will be tried again')
  }
}
