import { randomUUID } from 'node:crypto'
import { after, secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { Span } from '../../platform/foundation/tracing.ts'
import { isPaused } from '../../platform/store/paused-shops.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { type Attempt, judgeAttempt, type Postponement, type SendResult } from '../queue/attempt.ts'
import { automationsReceiver, type Delivery, type DeliveryWorkers, type Receiver } from '../queue/delivery.ts'
import {
  fetchDeliveries,
  findDueReceivers,
  type Lease,
  releaseDeliveries,
  releaseLeases,
  releaseLeasesOn,
  renewLeases,
} from '../queue/fetch-store.ts'
import { fetchReserved, findReservedEvents } from '../queue/reserved-store.ts'
import { deliveryLeaseMs, queueLeaseMs } from '../queue/retry.ts'
import { AttemptRecorder } from './attempt-recorder.ts'
import { attemptsMetric, attemptTimesMetric, outcomeOf } from './metrics.ts'
import { receiverQueuePolicy } from './policy.ts'
import type { ReceiverQueue, WaitingDelivery } from './receiver-queue.ts'
import { ReceiverQueues } from './receiver-queues.ts'
import type { Sender } from './sender.ts'
import { traceAttempt } from './trace-attempt.ts'
import { WakeTimers } from './wake-timers.ts'

export interface DispatcherOptions {
  context: () => Context
  /** The sender for a receiver: the webhook sender, or the one of an integration. */
  senderFor(delivery: Delivery): Sender
  retryBaseMs: number
  /** Nothing is sent to automations: their events stay in the queue until they are evaluated. */
  automations: { evaluate(shopId: string): void; readonly isBusy: boolean }
}

/** Attempts that end within this time are recorded together. Only later events of the same shipment wait for it. */
const gatherMs = 10
/** Receivers with something due that one sweep finds. */
const receiversPerSweep = 5_000
/** During an upgrade, and of one group: few. */
const reservedPerSweep = 100

/**
 * Sends deliveries, outside any transaction, and records each attempt as it ends. Deliveries reach it in three ways:
 * handed over in memory by the code that enqueued them in this process, fetched from the store when it is woken, and
 * found by a sweep every few seconds, which finds what a dead worker had fetched and what other nodes enqueued.
 */
export class DeliveryDispatcher extends Worker implements DeliveryWorkers {
  readonly id = randomUUID()
  readonly #options: DispatcherOptions
  readonly #queues = new ReceiverQueues()
  readonly #fetches = this.createLoop(() => this.#fetch())
  readonly #recorder = new AttemptRecorder()
  readonly #records = this.createLoop(() => this.#record(), { gatherMs, finishesOnStop: true })
  readonly #wakeTimers = new WakeTimers((delayMs, wake) => this.runLater(delayMs, wake))

  constructor(options: DispatcherOptions) {
    super({ name: 'deliveries', context: options.context, sweepMs: 2 * secondMs })
    this.#options = options
  }

  override get isBusy(): boolean {
    return super.isBusy || !this.#queues.capacity.isIdle || this.#options.automations.isBusy
  }

  capacityFor(receiver: Receiver): number {
    // Automations evaluate many events at once, from the store.
    if (this.isStopping || this.#recorder.isBlocked || receiver.receiverId === automationsReceiver) return 0
    return this.#queues.get(receiver).handOverCapacity(performance.now())
  }

  dispatch(deliveries: Delivery[], fetchedAt: Date, cause: Span | undefined): void {
    const { context } = this
    const inFlight = (delivery: Delivery) => this.#queues.get(delivery).inFlight
    // A receiver with requests in flight needs a new connection, which takes as long as several attempts: others go first.
    const ordered = deliveries.toSorted((left, right) => inFlight(left) - inFlight(right))
    for (const delivery of ordered) this.#add(context, { delivery, fetchedAt, cause })
  }

  override wake(receivers?: Receiver[]): void {
    if (receivers === undefined) {
      super.wake()
      return
    }
    for (const receiver of receivers) {
      if (receiver.receiverId === automationsReceiver) this.#options.automations.evaluate(receiver.shopId)
      else this.#queues.get(receiver).wake()
    }
    this.#fetchSoon()
  }

  protected override async findWork(): Promise<void> {
    const { context } = this
    await this.#renewLeases(context)
    await this.#releaseOfPaused(context)
    await this.#recorder.writeHealth(context)
    this.wake(await findDueReceivers(context, context.now, receiversPerSweep))
    await this.#fetchReserved(context)
  }

  /** Deliveries that older nodes must not send are fetched without a receiver's lease: an older node may have it. */
  async #fetchReserved(context: Context): Promise<void> {
    for (const { shopId } of await findReservedEvents(context)) this.#options.automations.evaluate(shopId)
    const fetchedAt = context.services.clock.now()
    const limit = Math.min(reservedPerSweep, this.#queues.capacity.fetchable)
    if (limit <= 0 || this.isStopping || this.#recorder.isBlocked) return
    const until = after(fetchedAt, deliveryLeaseMs)
    for (const delivery of await fetchReserved(context, { now: fetchedAt, until, limit })) {
      this.#add(context, { delivery, fetchedAt })
    }
  }

  protected override async onStopping(): Promise<void> {
    const removed = [...this.#queues.all()].flatMap((queue) => queue.removeWaiting())
    await this.#release(this.context, removed)
  }

  protected override async onDrained(): Promise<void> {
    await this.#recorder.writeHealth(this.context)
    await releaseLeases(this.context, this.id)
  }

  #fetchSoon(): void {
    void this.#fetches.run()
  }

  async #fetch(): Promise<void> {
    if (this.#recorder.isBlocked) return
    const started = this.#queues.startFetches()
    if (started.length === 0) return
    try {
      const counts = await this.#fetchFor(started)
      for (const { queue } of started) queue.endFetch(counts.get(queue) ?? 0, performance.now())
    } catch (error) {
      for (const { queue } of started) queue.failFetch()
      throw error
    }
    this.#fetchSoon()
  }

  /** Fetches from the store; returns how many deliveries each queue got. */
  async #fetchFor(started: { queue: ReceiverQueue; limit: number }[]): Promise<Map<ReceiverQueue, number>> {
    const { context } = this
    const fetchedAt = context.now
    const clockMs = fetchedAt.getTime()
    const lease = this.#newLease(fetchedAt)
    const requests = started.map(({ queue, limit }) => ({
      shopId: queue.shopId,
      receiverId: queue.receiverId,
      limit,
      isLeased: queue.isLeasedUntil(clockMs + queueLeaseMs / 2),
      exclude: queue.excluded(clockMs),
    }))
    const { deliveries, leased } = await fetchDeliveries(context, requests, lease)
    for (const [n, { queue }] of started.entries()) if (!requests[n]?.isLeased) queue.loseLease()
    for (const receiver of leased) {
      const queue = this.#queues.get(receiver)
      if (!queue.isLeasedUntil(0)) queue.leasedUntil(lease.until.getTime())
    }
    const counts = new Map<ReceiverQueue, number>()
    for (const delivery of deliveries) {
      const queue = this.#add(context, { delivery, fetchedAt })
      counts.set(queue, (counts.get(queue) ?? 0) + 1)
    }
    return counts
  }

  #newLease(now: Date): Lease {
    return { worker: this.id, now, until: after(now, queueLeaseMs) }
  }

  /** Renews the leases of queues with unrecorded deliveries. */
  async #renewLeases(context: Context): Promise<void> {
    const dueMs = context.now.getTime() + queueLeaseMs * 0.6
    const ending = [...this.#queues.all()].filter((queue) => queue.needsRenewal(dueMs))
    if (ending.length === 0) return
    const lease = this.#newLease(context.now)
    const renewed = await renewLeases(context, ending, lease)
    for (const queue of ending) queue.loseLease()
    for (const receiver of renewed) this.#queues.get(receiver).leasedUntil(lease.until.getTime())
  }

  /** Without a lease on its queues, a paused shop has no delivery in flight: that is what an export waits for. */
  async #releaseOfPaused(context: Context): Promise<void> {
    const clockMs = context.now.getTime()
    const idle: ReceiverQueue[] = []
    for (const queue of this.#queues.all()) {
      if (queue.isLeasedInVain(clockMs) && (await isPaused(context, queue.shopId))) idle.push(queue)
    }
    if (idle.length === 0) return
    for (const queue of idle) queue.loseLease()
    await releaseLeasesOn(context, this.id, idle)
  }

  #add(context: Context, waiting: WaitingDelivery): ReceiverQueue {
    const queue = this.#queues.get(waiting.delivery)
    queue.add(waiting)
    this.#startNext(context, queue)
    return queue
  }

  #startNext(context: Context, queue: ReceiverQueue): void {
    const nowMs = performance.now()
    for (let next = queue.startNext(nowMs); next !== undefined; next = queue.startNext(nowMs)) {
      this.#process(context, queue, next).catch((error) => this.logFailure(error))
    }
  }

  /** Sends one delivery. The queue has capacity again as soon as there is a response: recording does not delay the next one. */
  async #process(
    context: Context,
    queue: ReceiverQueue,
    { delivery, fetchedAt, cause }: WaitingDelivery,
  ): Promise<void> {
    const waitedMs = context.services.clock.now().getTime() - fetchedAt.getTime()
    if (waitedMs > receiverQueuePolicy.maxWaitMs || (await isPaused(context, delivery.shopId))) {
      queue.endUnsent()
      this.#recorder.release(queue, delivery)
      void this.#records.run()
      return
    }
    let result: Attempt | Postponement | undefined
    try {
      result = await this.#attempt(context, queue, delivery, cause)
    } finally {
      if (result === undefined) this.#failed(context, queue, delivery)
      else if ('until' in result) this.#postponed(context, queue, delivery, result.until)
      else this.#ended(context, queue, result)
      this.#startNext(context, queue)
      const stalled = this.#queues.capacity.takeStalled()
      if (stalled) this.#startNext(context, stalled)
      // Other queues that wait for capacity are considered with the next recording.
      if (queue.fetchLimit(1) > 0) this.#fetchSoon()
    }
  }

  async #attempt(
    context: Context,
    queue: ReceiverQueue,
    delivery: Delivery,
    cause: Span | undefined,
  ): Promise<Attempt | Postponement> {
    const sender = this.#options.senderFor(delivery)
    const waitMs = queue.reserveStart(sender.requestsPerSecond, performance.now())
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const { clock, tracing } = context.services
    const startedAt = clock.now()
    const startMs = performance.now()
    const send = (span?: Span): Promise<SendResult | Postponement> => sender.send(context, delivery, startedAt, span)
    const { integration } = sender
    const outcome = tracing ? await traceAttempt(tracing, delivery, { integration, cause }, send) : await send()
    if (outcome.verdict === 'wait') return outcome
    const durationMs = Math.round(performance.now() - startMs)
    return judgeAttempt({ delivery, startedAt, durationMs, outcome }, this.#options.retryBaseMs)
  }

  #ended({ services: { metrics } }: Context, queue: ReceiverQueue, attempt: Attempt): void {
    const receiver = queue.kind
    metrics.count(attemptsMetric, { receiver, outcome: outcomeOf(attempt) })
    metrics.time(attemptTimesMetric, { receiver }, attempt.durationMs / 1_000)
    queue.end(attempt.outcome.verdict !== 'retry', performance.now())
    if (attempt.status === 'pending') {
      const endedMs = attempt.startedAt.getTime() + attempt.durationMs
      this.#wakeTimers.add(queue, attempt.nextAttemptAt.getTime() - endedMs, (queues) => this.wake(queues))
    }
    this.#recorder.add(queue, attempt)
    void this.#records.run()
  }

  /** The sender threw. */
  #failed(context: Context, queue: ReceiverQueue, delivery: Delivery): void {
    queue.end(false, performance.now())
    queue.quarantine(delivery.id, this.#quarantineEnd(context))
  }

  #postponed(context: Context, queue: ReceiverQueue, delivery: Delivery, until: Date): void {
    queue.endPostponed(performance.now())
    const delayMs = until.getTime() - context.services.clock.now().getTime()
    this.#wakeTimers.add(queue, Math.max(0, delayMs), (queues) => this.wake(queues))
    this.#recorder.postpone(queue, delivery, until)
    void this.#records.run()
  }

  /** Records ended attempts. What cannot be recorded while the store is gone is recorded later, so that none is lost. */
  async #record(): Promise<void> {
    const { context } = this
    const { written, rejected, error } = await this.#recorder.write(context, !this.isStopping)
    for (const { queue, delivery } of written) queue.recorded(delivery.id)
    for (const { queue, delivery } of rejected) queue.quarantine(delivery.id, this.#quarantineEnd(context))
    await this.#releaseUnsent(context)
    if (this.#recorder.hasMore) void this.#records.run()
    this.#fetchSoon()
    if (error !== undefined) throw error
  }

  async #releaseUnsent(context: Context): Promise<void> {
    const released = this.#recorder.takeReleased()
    await this.#release(
      context,
      released.map(({ delivery }) => delivery),
    )
    for (const { queue, delivery } of released) {
      queue.wake()
      queue.recorded(delivery.id)
    }
  }

  /** If it fails, the lease ends by itself. */
  async #release(context: Context, deliveries: Delivery[]): Promise<void> {
    await releaseDeliveries(context, deliveries, context.now).catch((error) => this.logFailure(error))
  }

  /** Until then, an attempt with an unknown end is not repeated, like one of a worker that died. */
  #quarantineEnd(context: Context): number {
    return context.services.clock.now().getTime() + deliveryLeaseMs
  }
}
