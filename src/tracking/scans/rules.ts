import type { ProviderDescription, Scan } from '../../adapters/carriers/provider.ts'
import type { ProviderName, TrackingProvider } from '../../adapters/carriers/registry.ts'
import { pollingPeriodMs } from '../../orders/shipments/schema.ts'
import { after, dayMs, hourMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'

export type ProviderStatus = 'disabled' | 'live' | 'testing'

/** A provider as a shop has set it. */
export interface ProviderState {
  name: ProviderName
  kind: ProviderDescription['kind']
  /** Carriers that it can track. */
  carriers: readonly string[]
  status: ProviderStatus
  /** Empty: all that it can track. */
  enabledCarriers: readonly string[]
  disabledCarriers: readonly string[]
  /** True as well if none are needed. */
  hasCredentials: boolean
  /** Whether what it pushes can be verified. */
  hasWebhookSecret: boolean
}

/**
 * The provider that tracks a carrier's parcels: of those that are switched on, can track it and have credentials, one
 * that is live before one that is tested, one that names the carrier before one for all carriers, and the carrier's own
 * system before an aggregator.
 */
export function chooseProvider(
  carrierReference: string,
  providers: readonly ProviderState[],
): ProviderState | undefined {
  const able = providers.filter(
    ({ status, carriers, enabledCarriers, disabledCarriers, hasCredentials }) =>
      status !== 'disabled' &&
      hasCredentials &&
      carriers.includes(carrierReference) &&
      !disabledCarriers.includes(carrierReference) &&
      (enabledCarriers.length === 0 || enabledCarriers.includes(carrierReference)),
  )
  const rank = ({ kind, status, enabledCarriers }: ProviderState) =>
    (status === 'live' ? 0 : 4) + (enabledCarriers.length > 0 ? 0 : 2) + (kind === 'aggregator' ? 1 : 0)
  return able.sort((left, right) => rank(left) - rank(right))[0]
}

/** The carriers whose parcels this provider tracks for the shop. */
export function carriersOf(name: ProviderName, providers: readonly ProviderState[]): string[] {
  const own = providers.find((provider) => provider.name === name)
  return (own?.carriers ?? []).filter((carrier) => chooseProvider(carrier, providers)?.name === name)
}

export interface PolledParcel {
  /** Of the shipment. */
  phase: string
  fulfilledAt: Date
  /** Since when its journey has been over, as far as was known before this poll. */
  endedAt: Date | null
  /** The provider pushes what happens to it. */
  isPushed: boolean
  /** If the provider knows it, as the sandbox does; null: there will be none. */
  nextScanAt?: Date | null
  now: Date
  /** From 0 to 1. */
  jitter: number
}

export interface NextPoll {
  nextPollAt: Date
  endedAt: Date | null
  isFinished: boolean
}

/** The time to poll a parcel again, after it was polled now. */
export function nextPoll(progress: PolledParcel): NextPoll {
  const { phase, fulfilledAt, now, nextScanAt } = progress
  const finished = { nextPollAt: now, endedAt: progress.endedAt, isFinished: true }
  if (nextScanAt === null) return finished
  if (nextScanAt !== undefined) return { nextPollAt: nextScanAt, endedAt: null, isFinished: false }
  if (now.getTime() - fulfilledAt.getTime() >= pollingPeriodMs) return finished
  if (terminal.has(phase)) {
    // A scan may be late, or revoke the delivery: one more poll, a day later, and no more.
    const isOver = progress.endedAt !== null && now.getTime() - progress.endedAt.getTime() >= dayMs - 2 * minuteMs
    if (isOver) return finished
    const endedAt = progress.endedAt ?? now
    return { nextPollAt: after(endedAt, dayMs + minuteMs * progress.jitter), endedAt, isFinished: false }
  }
  const pause = pauseIn(phase, now.getTime() - fulfilledAt.getTime(), progress.isPushed)
  return { nextPollAt: after(now, pause * (1 + 0.1 * progress.jitter)), endedAt: null, isFinished: false }
}

const terminal: ReadonlySet<string> = new Set(['delivered', 'returned', 'return_received', 'order_cancelled'])

/** Before the first scan there is little to learn, and on the last mile every minute counts. */
function pauseIn(phase: string, ageMs: number, isPushed: boolean): number {
  const isBeforeHandOver = ['order_created', 'order_processed', 'return_created'].includes(phase)
  if (isBeforeHandOver) return ageMs < 2 * dayMs ? 12 * hourMs : dayMs
  if (isPushed) return 12 * hourMs
  if (phase === 'in_delivery') return 10 * minuteMs
  return phase === 'collect' ? 6 * hourMs : 3 * hourMs
}

/** A provider with which a parcel was just registered needs a moment before it has data. */
export const firstPollMs = 10 * minuteMs

const maxParcelPauseMs = 12 * hourMs
const maxAccountPauseMs = hourMs
const maxRejectedPauseMs = 6 * hourMs

/** How long a parcel waits after failures in a row. */
export function parcelPause(failures: number, jitter: number): number {
  return doubled(minuteMs, failures, maxParcelPauseMs) * (1 + 0.1 * jitter)
}

/**
 * How long a provider is not called after consecutive failures, at least as long as it requests. A rejection is about the
 * account: it is repeated until the merchant corrects the credentials.
 */
export function accountPause(
  failures: number,
  options: { jitter: number; isRejected: boolean; retryAfterMs?: number | undefined },
): number {
  const pause = options.isRejected
    ? doubled(15 * minuteMs, failures, maxRejectedPauseMs)
    : doubled(30 * secondMs, failures, maxAccountPauseMs)
  return Math.min(dayMs, Math.max(pause * (1 + 0.1 * options.jitter), options.retryAfterMs ?? 0))
}

function doubled(baseMs: number, times: number, maxMs: number): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(30, times - 1))
}

export interface Pace {
  /** Requests that may be made at once. */
  burst: number
  /** Between requests in the long run. */
  intervalMs: number
  /** Between any two; 0 if they may be made at once. */
  gapMs: number
}

/**
 * Stays within the limit in every sliding window: a fifth of it may be used at once, and the rest sets the pace.
 */
export function paceOf({ limit, minGapMs = 0 }: Pick<TrackingProvider, 'limit' | 'minGapMs'>): Pace {
  // Requests may be delayed differently on the network: a short window reserves one request for that.
  const requests = limit.perMs <= minuteMs && limit.requests > 2 ? limit.requests - 1 : limit.requests
  const burst = 1 + Math.floor(requests / 5)
  return { burst, intervalMs: limit.perMs / (requests - burst + 1), gapMs: minGapMs * 1.1 }
}

/** Carriers reuse numbers, and clocks of scanners may be wrong: such scans are not about this parcel. */
export function isOfThisJourney(scan: Pick<Scan, 'time'>, fulfilledAt: Date, now: Date): boolean {
  return scan.time >= after(fulfilledAt, -30 * dayMs) && scan.time <= after(now, dayMs)
}
