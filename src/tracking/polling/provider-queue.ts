import type { ProviderAccount } from '../../adapters/carriers/provider.ts'
import type { ProviderName, TrackingProvider } from '../../adapters/carriers/registry.ts'
import { openAccount, recordProviderHealth } from '../../credentials/provider-accounts/store.ts'
import { after, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { SendWindow } from '../../platform/foundation/send-window.ts'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import { findNextPollTime, type LeaseResult, leaseParcels } from '../scans/parcel-store.ts'
import { recordPollResult } from '../scans/poll-result.ts'
import { accountPause, carriersOf, paceOf } from '../scans/rules.ts'
import { findAccount, type ShopTracking } from '../scans/shop-tracking.ts'
import { callProvider, isFailure, type ProviderRequest, type ProviderResponse, toRequests } from './provider-request.ts'

/** How often a success is recorded while there are no failures. */
const successEveryMs = minuteMs

/** The health of one shop's account with a provider. Every failure is recorded, successes only now and then. */
class ProviderHealth {
  readonly #shopId: string
  readonly #provider: ProviderName
  #isFailing = false
  #successRecordedMs = 0

  constructor(shopId: string, provider: ProviderName) {
    this.#shopId = shopId
    this.#provider = provider
  }

  /** Whether the last request failed. */
  get isFailing(): boolean {
    return this.#isFailing
  }

  update(response: ProviderResponse): void {
    this.#isFailing = isFailure(response)
  }

  /** Records how a request ended, and how long the provider is not called. `failures` are those before, in a row. */
  async record(context: Context, response: ProviderResponse, failures: number): Promise<void> {
    const base = { shopId: this.#shopId, provider: this.#provider, at: context.now }
    if (!isFailure(response)) {
      const isRecent = Math.abs(context.now.getTime() - this.#successRecordedMs) < successEveryMs
      if (failures === 0 && isRecent) return
      this.#successRecordedMs = context.now.getTime()
      return recordProviderHealth(context, base)
    }
    this.#successRecordedMs = 0
    // A rejected payload concerns one parcel, which is retried later; the others continue.
    const isAboutParcel = response.result === 'rejected' && response.key === 'invalid_payload'
    if (isAboutParcel) this.#isFailing = false
    const pauseMs = accountPause(failures + 1, {
      jitter: Math.random(),
      isRejected: response.result === 'rejected',
      retryAfterMs: response.result === 'failed' ? response.retryAfterMs : undefined,
    })
    const pausedUntil = isAboutParcel ? undefined : after(context.now, pauseMs)
    const { status, detail } = response
    return recordProviderHealth(context, { ...base, failure: { status, detail, failures: failures + 1, pausedUntil } })
  }
}

/** The part of its worker that a queue needs. */
export interface PollingHost {
  outgoing: Outgoing
  context(): Context
  trackingOf(shopId: string): Promise<ShopTracking>
  runTask(task: () => Promise<void>): void
  /** As `runTask`, and counts towards the requests of all queues. */
  runRequest(request: () => Promise<void>): void
  runLater(delayMs: number, action: () => void): () => void
  /** A request has ended. */
  countRequest(shopId: string, provider: ProviderName, at: Date, isFailed: boolean): void
  /** Whether another request may be made by this process. */
  hasCapacity(): boolean
}

export type ProviderQueueState =
  /** Nothing is in flight. A sweep or a new parcel wakes it. */
  | 'idle'
  /** Leases parcels that are due. */
  | 'leasing'
  /** Requests are in flight; each leases more when it ends. */
  | 'polling'
  /** A timer wakes it when the next parcel is due, or when the limit of the account allows the next request. */
  | 'waiting'

/** Requests of one queue that are in flight at once. */
const maxRequestsInFlight = 8
/** Longer than a request with the log-in before it can take, and the time to record its result. */
const leaseMs = 2 * minuteMs
/** Parcels that are due later than this are found by the sweep. */
const maxTimerMs = minuteMs
/** Parcels that are due so soon are included, if one request can query several. */
const gatherMs = minuteMs

/**
 * One shop's parcels with one provider, in this process. Leases parcels that are due, polls the provider outside any
 * transaction, and records each result as it arrives.
 *
 *     idle ──wake──► leasing ──parcels leased──► polling ──request ended──► leasing
 *                       ├──none due yet, or limit used up──► waiting ──timer──► leasing
 *                       └──nothing to poll for now──► idle
 */
export class ProviderQueue {
  readonly #shopId: string
  readonly #provider: TrackingProvider
  readonly #host: PollingHost
  readonly #health: ProviderHealth
  /** Absent if the limit is for so long a time that a delay of requests does not matter. */
  readonly #window: SendWindow | undefined
  #requests = 0
  #isLeasing = false
  /** There may be more to lease than was found by the lease in flight. */
  #isWoken = false
  #hasAccount = false
  #cancelTimer: (() => void) | undefined

  constructor(shopId: string, provider: TrackingProvider, host: PollingHost) {
    this.#shopId = shopId
    this.#provider = provider
    this.#host = host
    this.#health = new ProviderHealth(shopId, provider.name)
    this.#window = provider.limit.perMs <= minuteMs ? new SendWindow(provider.limit) : undefined
  }

  get state(): ProviderQueueState {
    if (this.#isLeasing) return 'leasing'
    if (this.#requests > 0) return 'polling'
    return this.#cancelTimer ? 'waiting' : 'idle'
  }

  /** There may be parcels due. */
  wake(): void {
    this.#isWoken = true
    // While the provider fails, one request at a time is enough to find out whether it is back.
    const capacity = (this.#health.isFailing ? 1 : maxRequestsInFlight) - this.#requests
    if (this.#isLeasing || capacity <= 0 || !this.#host.hasCapacity()) return
    this.#isWoken = false
    this.#isLeasing = true
    this.#host.runTask(() =>
      this.#lease(capacity).finally(() => {
        this.#isLeasing = false
        if (this.#isWoken) this.wake()
      }),
    )
  }

  async #lease(capacity: number): Promise<void> {
    const tracking = await this.#host.trackingOf(this.#shopId)
    const carriers = tracking.isOn ? carriersOf(this.#provider.name, tracking.providers) : []
    if (carriers.length === 0) return
    const context = this.#host.context()
    const account = await this.#findAccount(context)
    if (account === undefined) return
    const lease = await this.#leaseParcels(context, carriers, capacity)
    const requests = toRequests(this.#provider, lease.parcels)
    for (const request of requests) this.#begin(context, { tracking, account, lease, request })
    if (requests.length > 0) return
    if (lease.granted > 0) await this.#wakeWhenDue(carriers)
    else this.#wakeAt(lease.freeAt)
  }

  async #findAccount(context: Context): Promise<ProviderAccount | undefined> {
    const account = await findAccount(context, this.#shopId, this.#provider.name)
    if (account === undefined) return undefined
    if (!this.#hasAccount) await openAccount(context, this.#shopId, this.#provider.name, context.now)
    this.#hasAccount = true
    return account
  }

  #leaseParcels(context: Context, carriers: string[], capacity: number): Promise<LeaseResult> {
    const { now } = context
    const provider = this.#provider
    return leaseParcels(context, {
      shopId: this.#shopId,
      provider: provider.name,
      carriers,
      pace: paceOf(provider),
      maxRequests: provider.minGapMs ? 1 : capacity,
      parcelsPerRequest: provider.parcelsPerRequest,
      isRegistering: provider.register !== undefined,
      now,
      dueUntil: after(now, isGathering(provider) ? gatherMs : 0),
      leaseUntil: after(now, leaseMs),
    })
  }

  #begin(context: Context, poll: Poll): void {
    this.#requests += 1
    this.#host.runRequest(() =>
      this.#poll(context, poll).finally(() => {
        this.#requests -= 1
        this.wake()
      }),
    )
  }

  async #poll(context: Context, { tracking, account, lease, request }: Poll): Promise<void> {
    await this.#waitForLimit()
    const polledAt = context.now
    const called = { provider: this.#provider, account }
    const response = await callProvider(context, this.#host.outgoing, called, request)
    const recording = this.#host.context()
    this.#health.update(response)
    this.#host.countRequest(this.#shopId, this.#provider.name, recording.now, isFailure(response))
    await recordPollResult(recording, {
      shopId: this.#shopId,
      provider: this.#provider,
      parcels: request.parcels,
      outcome: isFailure(response) ? { result: 'failed' } : response,
      hasWebhookSecret: tracking.providers.some((each) => each.name === this.#provider.name && each.hasWebhookSecret),
      polledAt,
      now: recording.now,
    })
    await this.#health.record(recording, response, lease.failures)
  }

  async #waitForLimit(): Promise<void> {
    const waitMs = this.#window?.reserve(this.#host.context().now.getTime()) ?? 0
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  }

  async #wakeWhenDue(carriers: string[]): Promise<void> {
    const at = await findNextPollTime(this.#host.context(), this.#shopId, carriers)
    if (at) this.#wakeAt(at)
  }

  #wakeAt(at: Date): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const delayMs = at.getTime() - this.#host.context().now.getTime()
    if (delayMs > maxTimerMs) return
    this.#cancelTimer = this.#host.runLater(Math.max(10, delayMs + 1), () => {
      this.#cancelTimer = undefined
      this.wake()
    })
  }
}

/** One request, with the state in which it was planned. */
interface Poll {
  tracking: ShopTracking
  account: ProviderAccount
  lease: LeaseResult
  request: ProviderRequest
}

/** A provider that knows when the next scan comes is polled exactly then. */
function isGathering({ parcelsPerRequest, nextScanAt }: TrackingProvider): boolean {
  return parcelsPerRequest > 1 && nextScanAt === undefined
}
