import type { ProviderName, TrackingProvider } from '../../adapters/carriers/registry.ts'
import { addRequests, type HourOfRequests } from '../../credentials/provider-accounts/usage-store.ts'
import { type EnrolledParcel, enrolNextBatch } from '../../orders/shipments/enrol-store.ts'
import { hourMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { findDueCarriers } from '../scans/parcel-store.ts'
import { chooseProvider } from '../scans/rules.ts'
import { cachedShopTracking } from '../scans/shop-tracking-cache.ts'
import { replaySome } from '../unmapped/replay.ts'
import { type PollingHost, ProviderQueue } from './provider-queue.ts'

/** How many requests were made to each provider, collected in memory until they are stored. */
class RequestCounts {
  #hours = new Map<string, HourOfRequests>()

  add(shopId: string, provider: ProviderName, at: Date, isFailed: boolean): void {
    const hour = this.#hourOf(shopId, provider, at)
    hour.requests += 1
    if (isFailed) hour.failures += 1
  }

  /** Everything since the last call. */
  take(): HourOfRequests[] {
    const hours = [...this.#hours.values()]
    this.#hours = new Map()
    return hours
  }

  /** Adds hours that could not be stored to those counted since. */
  giveBack(hours: readonly HourOfRequests[]): void {
    for (const { shopId, provider, hour, requests, failures } of hours) {
      const counted = this.#hourOf(shopId, provider, hour)
      counted.requests += requests
      counted.failures += failures
    }
  }

  #hourOf(shopId: string, provider: ProviderName, at: Date): HourOfRequests {
    const startMs = at.getTime() - (at.getTime() % hourMs)
    const key = `${shopId} ${provider} ${startMs}`
    const known = this.#hours.get(key)
    if (known) return known
    const created = { shopId, provider, hour: new Date(startMs), requests: 0, failures: 0 }
    this.#hours.set(key, created)
    return created
  }
}

export interface ParcelPollerOptions {
  context: () => Context
  outgoing: Outgoing
  providers: Record<ProviderName, TrackingProvider>
}

const sweepMs = 3 * secondMs
/** Requests of all queues that are in flight at once. */
const maxRequestsInFlight = 400
/** Beyond this many queues, idle ones are removed. */
const maxQueues = 20_000
const carriersAtOnce = 1_000
const shipmentsAtOnce = 1_000
const scansAtOnce = 500

/**
 * Polls tracking providers about parcels. It finds the carriers of shops that have parcels due, and wakes the queue of the
 * provider that the shop has chosen for each carrier; the queue does the rest.
 */
export class ParcelPoller extends Worker {
  readonly #options: ParcelPollerOptions
  readonly #queues = new Map<string, ProviderQueue>()
  readonly #host: PollingHost
  readonly #counts = new RequestCounts()
  #requests = 0

  constructor(options: ParcelPollerOptions) {
    super({ name: 'parcels', context: options.context, sweepMs })
    this.#options = options
    this.#host = this.#createHost()
  }

  /** These parcels may be due; without any, there is other work about parcels. */
  override wake(parcels: EnrolledParcel[] = []): void {
    if (parcels.length === 0) super.wake()
    else if (!this.isStopping) this.runTask(() => this.#wakeQueues(parcels))
  }

  protected override async findWork(): Promise<void> {
    await this.#storeCounts()
    await this.#runBatches()
    let last: EnrolledParcel | undefined
    while (!this.isStopping) {
      const { context } = this
      const page = await findDueCarriers(context, context.now, last, carriersAtOnce)
      await this.#wakeQueues(page.filter(({ isDue }) => isDue))
      if (page.length < carriersAtOnce) return
      last = page.at(-1)
    }
  }

  protected override async onDrained(): Promise<void> {
    await this.#storeCounts()
  }

  /** With each sweep, for all requests since the last one. A process that is killed loses a few seconds of counts. */
  async #storeCounts(): Promise<void> {
    const counts = this.#counts.take()
    try {
      await addRequests(this.context, counts)
    } catch (error) {
      this.#counts.giveBack(counts)
      throw error
    }
  }

  /** Enrols existing shipments and applies new mappings of codes, a batch at a time: any node may do the next one. */
  async #runBatches(): Promise<void> {
    const enrol = (context: Context) =>
      inTransaction(context, (context) => enrolNextBatch(context, context.now, shipmentsAtOnce))
    while (!this.isStopping && (await enrol(this.context)));
    while (!this.isStopping && (await replaySome(this.context, scansAtOnce)));
  }

  async #wakeQueues(parcels: EnrolledParcel[]): Promise<void> {
    for (const [shopId, carriers] of carriersByShop(parcels)) {
      const tracking = await cachedShopTracking(this.context, shopId)
      if (!tracking.isOn) continue
      const names = new Set([...carriers].map((carrier) => chooseProvider(carrier, tracking.providers)?.name))
      for (const name of names) if (name) this.#queueOf(shopId, name).wake()
    }
  }

  #queueOf(shopId: string, name: ProviderName): ProviderQueue {
    const key = `${shopId} ${name}`
    const known = this.#queues.get(key)
    if (known) return known
    if (this.#queues.size > maxQueues) this.#removeIdleQueues()
    const queue = new ProviderQueue(shopId, this.#options.providers[name], this.#host)
    this.#queues.set(key, queue)
    return queue
  }

  #removeIdleQueues(): void {
    for (const [key, { state }] of this.#queues) if (state === 'idle') this.#queues.delete(key)
  }

  #createHost(): PollingHost {
    return {
      outgoing: this.#options.outgoing,
      context: () => this.context,
      trackingOf: (shopId) => cachedShopTracking(this.context, shopId),
      runTask: (task) => this.runTask(task),
      runLater: (delayMs, action) => this.runLater(delayMs, action),
      countRequest: (shopId, provider, at, isFailed) => this.#counts.add(shopId, provider, at, isFailed),
      hasCapacity: () => !this.isStopping && this.#requests < maxRequestsInFlight,
      runRequest: (request) => {
        this.#requests += 1
        this.runTask(() =>
          request().finally(() => {
            this.#requests -= 1
          }),
        )
      },
    }
  }
}

function carriersByShop(parcels: EnrolledParcel[]): Map<string, Set<string>> {
  const carriers = new Map<string, Set<string>>()
  for (const { shopId, carrierReference } of parcels) {
    carriers.set(shopId, (carriers.get(shopId) ?? new Set()).add(carrierReference))
  }
  return carriers
}
