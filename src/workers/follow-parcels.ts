import type { ProviderName, TrackingProvider } from '../carriers/provider.ts'
import { AnswerCache, type Changes } from '../database/changes.ts'
import { after, minuteMs, secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction } from '../foundation/transaction.ts'
import { type EnrolledParcel, enrolNextBatch } from '../journey/shipments/enrol-store.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { openAccount, recordProviderHealth } from '../resources/provider-accounts/store.ts'
import { type Look, recordLook } from '../resources/tracking/follow.ts'
import { type Following, findAccount, readFollowing } from '../resources/tracking/following.ts'
import { claimParcels, findDueCarriers, findNextLook } from '../resources/tracking/parcel-store.ts'
import { replaySome } from '../resources/tracking/replay.ts'
import { accountPause, carriersOf, chooseProvider, paceOf } from '../resources/tracking/rules.ts'
import { askProvider, type ProviderAnswer, type ProviderRequest, toRequests } from './ask-provider.ts'
import { SendWindow } from './send-window.ts'

export interface ParcelFollowerOptions {
  context: () => Context
  changes: Pick<Changes, 'onChange' | 'trustedSince'>
  outgoing: Outgoing
  providers: Record<ProviderName, TrackingProvider>
}

/** One shop's parcels with one provider, in this process. */
interface Lane {
  shopId: string
  provider: TrackingProvider
  /** Absent where the limit is of so long a time that what is held up does not matter. */
  window: SendWindow | undefined
  inFlight: number
  /** There may be parcels to take. */
  isWoken: boolean
  isTaking: boolean
  hasAccount: boolean
  /** The last request failed: then one at a time is enough to find out whether it is back. */
  isFailing: boolean
  /** When a success was last written down. */
  wellAt: number
  timer: NodeJS.Timeout | undefined
}

/** Requests of one lane that are under way at once. */
const laneWidth = 8
const totalWidth = 400
/** Longer than a request with the log-in before it can take, and the time to write it down. */
const leaseMs = 2 * minuteMs
const sweepMs = 3 * secondMs
/** What is due later than this is left to the sweep. */
const timerMs = minuteMs
/** Parcels that are due so soon go along with those that are due, where one request asks for several. */
const gatherMs = minuteMs
const carriersAtOnce = 1_000
const shipmentsAtOnce = 1_000
const scansAtOnce = 500

/**
 * Follows parcels: takes those that are due, asks their provider outside any transaction, and records each answer as it
 * comes. It is woken when a parcel is sent, and looks for itself every few seconds, so that what a dead worker left is
 * found. Which provider follows whom is asked anew whenever a shop changes it.
 */
export class ParcelFollower {
  readonly #options: ParcelFollowerOptions
  readonly #following: AnswerCache<Following>
  readonly #lanes = new Map<string, Lane>()
  #inFlight = 0
  #taking = 0
  #sweeping: Promise<void> | undefined
  #sweeper: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: ParcelFollowerOptions) {
    this.#options = options
    this.#following = new AnswerCache(options.changes.trustedSince)
    options.changes.onChange((change) => {
      if (change.kind === 'tracking') this.#following.forget(({ shopId }) => shopId === change.shopId)
      if (change.kind === 'shop') this.#following.forget(({ shopId }) => shopId === change.id)
    })
  }

  start(): void {
    this.#sweeper = setInterval(() => void this.sweep(), sweepMs)
    this.#sweeper.unref()
    void this.sweep()
  }

  /** There are parcels of these carriers to be looked at, or, without any, other work. */
  wake(parcels: EnrolledParcel[]): void {
    if (this.#isStopped) return
    if (parcels.length === 0) void this.sweep()
    else void this.#wakeCarriers(parcels).catch((err) => this.#complain(err))
  }

  /** Looks for whatever is to be done; while it is looking, once more afterwards. */
  sweep(): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    const before = this.#sweeping ?? Promise.resolve()
    const sweeping = before
      .then(() => this.#sweep())
      .catch((err) => this.#complain(err))
      .finally(() => {
        if (this.#sweeping === sweeping) this.#sweeping = undefined
      })
    this.#sweeping = sweeping
    return sweeping
  }

  /** Until nothing is under way. */
  async idle(): Promise<void> {
    while (this.#sweeping || this.#inFlight > 0 || this.#taking > 0) {
      await (this.#sweeping ?? new Promise((resolve) => setTimeout(resolve, 2)))
    }
  }

  /** Takes nothing more and finishes what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#sweeper)
    for (const lane of this.#lanes.values()) clearTimeout(lane.timer)
    await this.idle()
  }

  async #sweep(): Promise<void> {
    await this.#doChores()
    let last: EnrolledParcel | undefined
    for (;;) {
      if (this.#isStopped) return
      const context = this.#options.context()
      const page = await findDueCarriers(context, context.now, last, carriersAtOnce)
      await this.#wakeCarriers(page.filter(({ isDue }) => isDue))
      if (page.length < carriersAtOnce) return
      last = page.at(-1)
    }
  }

  /** Shipments to be taken up and mappings to be applied, a batch at a time: any node may do the next one. */
  async #doChores(): Promise<void> {
    const enrol = (context: Context) =>
      inTransaction(context, (context) => enrolNextBatch(context, context.now, shipmentsAtOnce))
    while (!this.#isStopped && (await enrol(this.#options.context())));
    while (!this.#isStopped && (await replaySome(this.#options.context(), scansAtOnce)));
  }

  async #wakeCarriers(parcels: EnrolledParcel[]): Promise<void> {
    const carriers = new Map<string, Set<string>>()
    for (const { shopId, carrierReference } of parcels) {
      carriers.set(shopId, (carriers.get(shopId) ?? new Set()).add(carrierReference))
    }
    for (const [shopId, references] of carriers) {
      const following = await this.#followingOf(shopId)
      if (!following.isOn) continue
      const names = new Set([...references].map((reference) => chooseProvider(reference, following.providers)?.name))
      for (const name of names) if (name) this.#wakeLane(this.#receiverKey(shopId, name))
    }
  }

  #followingOf(shopId: string): Promise<Following> {
    const known = this.#following.get(shopId)
    return known
      ? Promise.resolve(known)
      : this.#following.ask(shopId, () => readFollowing(this.#options.context(), shopId))
  }

  #receiverKey(shopId: string, name: ProviderName): Lane {
    const key = `${shopId} ${name}`
    const known = this.#lanes.get(key)
    if (known) return known
    if (this.#lanes.size > 20_000) this.#forgetIdle()
    const provider = this.#options.providers[name]
    const lane: Lane = {
      shopId,
      provider,
      window: provider.limit.perMs <= minuteMs ? new SendWindow(provider.limit) : undefined,
      inFlight: 0,
      isWoken: false,
      isTaking: false,
      hasAccount: false,
      isFailing: false,
      wellAt: 0,
      timer: undefined,
    }
    this.#lanes.set(key, lane)
    return lane
  }

  #forgetIdle(): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.inFlight === 0 && !lane.isTaking && lane.timer === undefined) this.#lanes.delete(key)
    }
  }

  #wakeLane(lane: Lane): void {
    lane.isWoken = true
    const width = lane.isFailing ? 1 : laneWidth
    if (lane.isTaking || this.#isStopped || lane.inFlight >= width || this.#inFlight >= totalWidth) return
    lane.isWoken = false
    lane.isTaking = true
    this.#taking += 1
    this.#take(lane, width - lane.inFlight)
      .catch((err) => this.#complain(err))
      .finally(() => {
        lane.isTaking = false
        this.#taking -= 1
        if (lane.isWoken) this.#wakeLane(lane)
      })
  }

  async #take(lane: Lane, maxRequests: number): Promise<void> {
    const { shopId, provider } = lane
    const following = await this.#followingOf(shopId)
    const carriers = following.isOn ? carriersOf(provider.name, following.providers) : []
    if (carriers.length === 0) return
    const context = this.#options.context()
    const account = await findAccount(context, shopId, provider.name)
    if (account === undefined) return
    if (!lane.hasAccount) await openAccount(context, shopId, provider.name, context.now)
    lane.hasAccount = true
    const { now } = context
    const claimed = await claimParcels(context, {
      shopId,
      provider: provider.name,
      carriers,
      pace: paceOf(provider),
      maxRequests: provider.leastGapMs ? 1 : maxRequests,
      parcelsPerRequest: provider.parcelsPerRequest,
      isRegistering: provider.register !== undefined,
      now,
      dueUntil: after(now, isGathering(provider) ? gatherMs : 0),
      leaseUntil: after(now, leaseMs),
    })
    const requests = toRequests(provider, claimed.parcels)
    const hasWebhookSecret = following.providers.some((each) => each.name === provider.name && each.hasWebhookSecret)
    for (const request of requests) {
      lane.inFlight += 1
      this.#inFlight += 1
      void this.#untilItMayLeave(lane)
        .then(() => askProvider(context, this.#options.outgoing, provider, account, request, now))
        .then((answer) => this.#record(lane, request, answer, { askedAt: now, hasWebhookSecret }, claimed.failures))
        .catch((err) => this.#complain(err))
        .finally(() => {
          lane.inFlight -= 1
          this.#inFlight -= 1
          this.#wakeLane(lane)
        })
    }
    if (requests.length > 0) return
    if (claimed.granted > 0) await this.#sleepUntilDue(lane, carriers)
    else this.#wakeAt(lane, claimed.freeAt)
  }

  async #untilItMayLeave({ window }: Lane): Promise<void> {
    const waitMs = window?.reserve(this.#options.context().now.getTime()) ?? 0
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  }

  async #record(
    lane: Lane,
    request: ProviderRequest,
    answer: ProviderAnswer,
    asked: Pick<Look, 'askedAt' | 'hasWebhookSecret'>,
    failures: number,
  ): Promise<void> {
    const context = this.#options.context()
    const { shopId, provider } = lane
    const isFailure = answer.result === 'failed' || answer.result === 'refused'
    const outcome: Look['outcome'] = isFailure ? { result: 'failed' } : answer
    lane.isFailing = isFailure
    await recordLook(context, {
      shopId,
      provider,
      parcels: request.parcels,
      outcome,
      ...asked,
      now: context.now,
    })
    await this.#recordHealth(context, lane, answer, failures)
  }

  /** What goes well is written down now and then; what does not, each time, and how long the provider is left alone. */
  async #recordHealth(context: Context, lane: Lane, answer: ProviderAnswer, failures: number): Promise<void> {
    const base = { shopId: lane.shopId, provider: lane.provider.name, at: context.now }
    if (answer.result !== 'failed' && answer.result !== 'refused') {
      const isNews = failures > 0 || Math.abs(context.now.getTime() - lane.wellAt) >= minuteMs
      if (!isNews) return
      lane.wellAt = context.now.getTime()
      return recordProviderHealth(context, base)
    }
    lane.wellAt = 0
    // What the provider cannot read is about the parcel; it waits by itself, and the others go on.
    const isAboutParcel = answer.result === 'refused' && answer.key === 'invalid_payload'
    const pauseMs = accountPause(failures + 1, {
      jitter: Math.random(),
      isRefused: answer.result === 'refused',
      retryAfterMs: answer.result === 'failed' ? answer.retryAfterMs : undefined,
    })
    const { status, detail } = answer
    const pausedUntil = isAboutParcel ? undefined : after(context.now, pauseMs)
    if (isAboutParcel) lane.isFailing = false
    return recordProviderHealth(context, { ...base, failure: { status, detail, failures: failures + 1, pausedUntil } })
  }

  async #sleepUntilDue(lane: Lane, carriers: string[]): Promise<void> {
    const at = await findNextLook(this.#options.context(), lane.shopId, carriers)
    if (at) this.#wakeAt(lane, at)
  }

  #wakeAt(lane: Lane, at: Date): void {
    clearTimeout(lane.timer)
    lane.timer = undefined
    const ms = at.getTime() - this.#options.context().now.getTime()
    if (ms > timerMs || this.#isStopped) return
    lane.timer = setTimeout(
      () => {
        lane.timer = undefined
        this.#wakeLane(lane)
      },
      Math.max(10, ms + 1),
    )
    lane.timer.unref()
  }

  #complain(err: unknown): void {
    this.#options.context().log.error({ err }, 'parcels: a step failed and will be tried again')
  }
}

/** Who knows when the next scan comes is asked exactly then. */
function isGathering({ parcelsPerRequest, nextScanAt }: TrackingProvider): boolean {
  return parcelsPerRequest > 1 && nextScanAt === undefined
}
