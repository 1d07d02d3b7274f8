import type { Span } from '../../platform/foundation/tracing.ts'
import type { Delivery, Receiver } from '../queue/delivery.ts'
import type { Capacity } from './capacity.ts'
import { type ReceiverKind, receiverKind } from './metrics.ts'
import { receiverQueuePolicy as policy } from './policy.ts'

/** A fetched delivery that waits to be sent. */
export interface WaitingDelivery {
  delivery: Delivery
  fetchedAt: Date
  /** The span that enqueued it, if that was traced in this process. */
  cause?: Span | undefined
}

/**
 * States of the queue, by what it knows about the store:
 *
 *              wake()                     startFetch()
 *   idle ───────────────────► ready ─────────────────────► fetching
 *    ▲                          ▲                             │ endFetch(): full, or woken meanwhile → ready
 *    │ last one recorded        │ wake(), or one recorded     │ failFetch(): a later sweep wakes it
 *    └────────────────────── draining ◄───────────────────────┘ else → draining, or idle if nothing is left
 *
 * - idle: nothing in memory, nothing known in the store.
 * - ready: the store may have deliveries; waits until it may fetch.
 * - fetching: a fetch is in flight.
 * - draining: works off what it has fetched; the store has nothing more that is due.
 */
export type QueueState = 'idle' | 'ready' | 'fetching' | 'draining'

/**
 * How many deliveries it sends at once:
 *
 * - steady: the usual concurrency, fetches no more than that.
 * - fast: the receiver works quickly through a backlog; higher concurrency, and it reads ahead.
 * - backing off: the last attempt failed; one at a time is enough to find out whether the receiver is back.
 */
export type QueuePace = 'steady' | 'fast' | 'backing off'

/**
 * One receiver's queue in this process. Receivers are independent of each other: one that hangs or fails does not
 * delay others, however much is queued for it. Times are those of performance.now(), unless they are named after the clock.
 */
export class ReceiverQueue implements Receiver {
  readonly shopId: string
  readonly receiverId: string
  /** The kind that its attempts are counted as. */
  readonly kind: ReceiverKind
  readonly #capacity: Capacity<ReceiverQueue>
  #state: QueueState = 'idle'
  #isWokenWhileFetching = false
  #fetchLimit = 0
  #lastFullFetchMs = 0
  /** How many it fetches beyond its concurrency. */
  #readAhead = 0
  readonly #waiting: WaitingDelivery[] = []
  #inFlight = 0
  /** Fetched and not recorded yet: waiting, in flight, or ended. */
  readonly #unrecorded = new Set<string>()
  /** A delivery of the same shipment may be due as soon as one of these is recorded. */
  #isBlocking = false
  /** Deliveries whose end is unknown, and until when (by the clock) they are not fetched again. */
  readonly #quarantined = new Map<string, number>()
  #leasedUntilClockMs = 0
  #lastEndMs = 0
  #averageIntervalMs: number = policy.initialIntervalMs
  #isBackingOff = false
  #nextStartMs = 0

  constructor({ shopId, receiverId }: Receiver, capacity: Capacity<ReceiverQueue>) {
    this.shopId = shopId
    this.receiverId = receiverId
    this.kind = receiverKind(receiverId)
    this.#capacity = capacity
  }

  get state(): QueueState {
    return this.#state
  }

  get pace(): QueuePace {
    if (this.#isBackingOff) return 'backing off'
    return this.#readAhead > 0 ? 'fast' : 'steady'
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Nothing in memory that would be lost with the queue. */
  get isRemovable(): boolean {
    return this.#state === 'idle' && this.#unrecorded.size + this.#quarantined.size === 0
  }

  /** The store may have deliveries for this receiver. */
  wake(): void {
    if (this.#state === 'fetching') this.#isWokenWhileFetching = true
    else this.#state = 'ready'
  }

  /** How many it would fetch now, at most as many as the worker can still fetch; 0 if it should not fetch. */
  fetchLimit(available: number): number {
    if (this.#state !== 'ready') return 0
    const readAhead = this.#isBackingOff ? 0 : this.#readAhead
    // A fetch should be worth its statement: half of what was read ahead is sent first.
    if (this.#waiting.length > readAhead / 2) return 0
    return Math.min(available, this.#concurrency + readAhead - this.#inFlight - this.#waiting.length)
  }

  startFetch(limit: number): void {
    this.#state = 'fetching'
    this.#fetchLimit = limit
  }

  /** The fetched deliveries have been added. After a full fetch there may be more. */
  endFetch(count: number, nowMs: number): void {
    const isFull = count >= this.#fetchLimit
    if (isFull) this.#adaptReadAhead(nowMs)
    this.#isBlocking = this.#unrecorded.size > 0
    this.#leaveFetching(isFull)
  }

  failFetch(): void {
    this.#leaveFetching(false)
  }

  #leaveFetching(mayHaveMore: boolean): void {
    this.#state = mayHaveMore || this.#isWokenWhileFetching ? 'ready' : 'draining'
    this.#isWokenWhileFetching = false
    this.#becomeIdle()
  }

  #becomeIdle(): void {
    if (this.#state === 'draining' && this.#unrecorded.size === 0) this.#state = 'idle'
  }

  #adaptReadAhead(nowMs: number): void {
    const passedMs = nowMs - this.#lastFullFetchMs
    if (passedMs < policy.fastFetchMs) {
      this.#readAhead = Math.min(policy.maxWaiting, Math.max(policy.concurrency, this.#readAhead * 2))
    } else if (passedMs > policy.slowFetchMs) {
      this.#readAhead = this.#readAhead > policy.concurrency ? Math.floor(this.#readAhead / 2) : 0
    }
    this.#lastFullFetchMs = nowMs
  }

  get #concurrency(): number {
    if (this.#isBackingOff) return 1
    return this.#readAhead > 0 ? policy.fastConcurrency : policy.concurrency
  }

  /** How many deliveries it accepts straight from the code that enqueues: none while older ones wait in the store. */
  handOverCapacity(nowMs: number): number {
    if (this.#state === 'ready' || this.#isWokenWhileFetching || this.#isBackingOff || this.#capacity.isExhausted)
      return 0
    const accepted = policy.concurrency + this.#sentWithin(policy.handOverMs, nowMs)
    return Math.min(accepted - this.#inFlight - this.#waiting.length, this.#capacity.waitingLeft)
  }

  #sentWithin(ms: number, nowMs: number): number {
    // A receiver that completes none of those in flight is not fast any more, however fast it was.
    const silentMs = this.#inFlight === 0 ? 0 : nowMs - this.#lastEndMs
    const sent = Math.floor(ms / Math.max(this.#averageIntervalMs, silentMs))
    return Math.min(policy.maxWaiting, Math.max(policy.concurrency, sent))
  }

  add(waiting: WaitingDelivery): void {
    this.#waiting.push(waiting)
    this.#unrecorded.add(waiting.delivery.id)
    this.#capacity.added()
    if (this.#state === 'idle') this.#state = 'draining'
  }

  /** Dequeues the next delivery to send, if there is capacity for it. */
  startNext(nowMs: number): WaitingDelivery | undefined {
    if (this.#waiting.length === 0 || this.#inFlight >= this.#concurrency) return undefined
    if (this.#capacity.isExhausted) {
      this.#capacity.stall(this)
      return undefined
    }
    if (this.#inFlight === 0) this.#lastEndMs = nowMs
    this.#inFlight += 1
    this.#capacity.started()
    return this.#waiting.shift()
  }

  end(isSuccess: boolean, nowMs: number): void {
    this.#inFlight -= 1
    this.#capacity.ended()
    this.#isBackingOff = !isSuccess
    const intervalMs = nowMs - this.#lastEndMs
    this.#averageIntervalMs += policy.intervalWeight * (intervalMs - this.#averageIntervalMs)
    this.#lastEndMs = nowMs
  }

  /** A delivery must not be sent yet: that says nothing about the receiver. */
  endPostponed(nowMs: number): void {
    this.#inFlight -= 1
    this.#capacity.ended()
    this.#lastEndMs = nowMs
  }

  /** A delivery waited too long and was not sent: from now on the queue does not read ahead, until it is fast again. */
  endUnsent(): void {
    this.#inFlight -= 1
    this.#capacity.ended()
    this.#readAhead = 0
  }

  /** Removes the deliveries that were not started. */
  removeWaiting(): Delivery[] {
    const removed = this.#waiting.splice(0).map(({ delivery }) => delivery)
    this.#capacity.removed(removed.length)
    for (const { id } of removed) this.recorded(id)
    return removed
  }

  /** The store knows how it ended. Later deliveries that waited for it may be due now. */
  recorded(id: string): void {
    this.#unrecorded.delete(id)
    this.#capacity.recorded()
    if (this.#isBlocking) this.wake()
    this.#becomeIdle()
  }

  /** Its end is unknown or could not be recorded. It is still due, and would be fetched again and again. */
  quarantine(id: string, untilClockMs: number): void {
    this.#quarantined.set(id, untilClockMs)
    this.recorded(id)
  }

  /** The deliveries that a fetch must skip. */
  excluded(clockMs: number): string[] {
    for (const [id, untilMs] of this.#quarantined) if (untilMs <= clockMs) this.#quarantined.delete(id)
    return [...this.#unrecorded, ...this.#quarantined.keys()]
  }

  leasedUntil(clockMs: number): void {
    this.#leasedUntilClockMs = clockMs
  }

  loseLease(): void {
    this.#leasedUntilClockMs = 0
  }

  isLeasedUntil(clockMs: number): boolean {
    return this.#leasedUntilClockMs > clockMs
  }

  /** Whether it has a lease and nothing that the lease is for. */
  isLeasedInVain(clockMs: number): boolean {
    return this.#leasedUntilClockMs > clockMs && this.#unrecorded.size + this.#quarantined.size === 0
  }

  /** Whether it has to renew its lease: it ends before then, and something remains to be recorded. */
  needsRenewal(beforeClockMs: number): boolean {
    const isEnding = this.#leasedUntilClockMs > 0 && this.#leasedUntilClockMs < beforeClockMs
    return isEnding && this.#unrecorded.size + this.#quarantined.size > 0
  }

  /** Books the next start for a receiver with a rate limit; returns how long to wait for it. */
  reserveStart(requestsPerSecond: number | undefined, nowMs: number): number {
    if (requestsPerSecond === undefined) return 0
    const startMs = Math.max(nowMs, this.#nextStartMs)
    this.#nextStartMs = startMs + 1_000 / requestsPerSecond
    return startMs - nowMs
  }
}
