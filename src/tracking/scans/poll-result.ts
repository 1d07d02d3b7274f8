import type { ParcelReport, TrackedParcel } from '../../adapters/carriers/provider.ts'
import type { TrackingProvider } from '../../adapters/carriers/registry.ts'
import { bareNumber } from '../../adapters/carriers/scans.ts'
import { isReturn } from '../../platform/catalogue/catalogue.ts'
import { after } from '../../platform/foundation/clock.ts'
import { coalesced } from '../../platform/foundation/coalesce.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { type LeasedParcel, type ParcelUpdate, updateParcels } from './parcel-store.ts'
import { recordReports, type ShipmentReport } from './record.ts'
import { firstPollMs, nextPoll, parcelPause } from './rules.ts'
import { findShipmentStates } from './shipment-store.ts'
import { lockProviderStatuses } from './shop-tracking.ts'

/** How one request about leased parcels ended. */
export interface PollResult {
  shopId: string
  provider: TrackingProvider
  parcels: LeasedParcel[]
  outcome:
    | { result: 'found'; reports: ParcelReport[] }
    /** Whether the provider will push what happens to it. */
    | { result: 'registered'; follows: boolean }
    | { result: 'failed' }
  /** Whether what the provider pushes can be verified. */
  hasWebhookSecret: boolean
  /** The time that the request was made for. */
  polledAt: Date
  now: Date
}

/** Records one result; those that arrive at the same moment are recorded together, in one transaction. */
export const recordPollResult = coalesced(recordPollResults)

/**
 * Records the results of polls, and decides when to poll again. If a shop has switched the provider off meanwhile, the
 * result is dropped: its parcels stay leased until the lease ends.
 */
export async function recordPollResults(context: Context, results: PollResult[]): Promise<boolean[]> {
  return inTransaction(context, async (context) => {
    const statuses = await lockProviderStatuses(
      context,
      results.map(({ shopId, provider }) => ({ shopId, provider: provider.name })),
    )
    const wanted = results.flatMap((result, index) =>
      statuses[index] === 'disabled' ? [] : [{ result, isNotified: statuses[index] === 'live' }],
    )
    await recordReports(
      context,
      wanted.flatMap(({ result, isNotified }) => reportsOf(result, isNotified)),
    )
    const states = await findShipmentStates(
      context,
      wanted.flatMap(({ result }) => result.parcels),
    )
    const updates = wanted.flatMap(({ result }) =>
      result.parcels.map((parcel) =>
        toUpdate(result, parcel, states.get(parcel.shipmentId)?.phase ?? 'order_processed'),
      ),
    )
    await updateParcels(context, updates)
    return statuses.map((status) => status !== 'disabled')
  })
}

/** Pairs each parcel with its report; of several with one number, each was read with its own destination. */
function reportsOf(result: PollResult, isNotified: boolean): ShipmentReport[] {
  if (result.outcome.result !== 'found') return []
  const byNumber = new Map<string, ParcelReport[]>()
  for (const report of result.outcome.reports) {
    const number = bareNumber(report.trackingNumber)
    byNumber.set(number, [...(byNumber.get(number) ?? []), report])
  }
  return result.parcels.flatMap((parcel) => {
    const report = byNumber.get(bareNumber(parcel.trackingNumber))?.shift()
    if (report === undefined) return []
    const { shopId, shipmentId, fulfilledAt } = parcel
    return [{ shopId, shipmentId, provider: result.provider.name, fulfilledAt, report, isNotified, now: result.now }]
  })
}

function toUpdate(result: PollResult, parcel: LeasedParcel, phase: string): ParcelUpdate {
  const { now, outcome, provider } = result
  const base = { shopId: parcel.shopId, shipmentId: parcel.shipmentId, polls: parcel.polls, now }
  const waiting = { ...base, endedAt: parcel.endedAt, isFinished: false }
  if (outcome.result === 'failed') {
    const failures = Math.min(parcel.failures + 1, 1_000)
    return { ...waiting, failures, nextPollAt: after(now, parcelPause(failures, Math.random())) }
  }
  const isRegistered = outcome.result === 'registered'
  const isPushed = (isRegistered ? outcome.follows : parcel.isPushed) && result.hasWebhookSecret
  const registration = isRegistered ? { provider: provider.name, isPushed: outcome.follows } : undefined
  if (registration && !isPushed) {
    return { ...waiting, failures: 0, registration, nextPollAt: after(now, firstPollMs) }
  }
  const next = nextPoll({
    phase,
    fulfilledAt: parcel.fulfilledAt,
    endedAt: parcel.endedAt,
    isPushed,
    ...nextScan(provider, parcel, result.polledAt),
    now,
    jitter: Math.random(),
  })
  return { ...base, failures: 0, ...(registration ? { registration } : {}), ...next }
}

/** Only the sandbox knows when the next scan comes: it is polled exactly then. */
function nextScan(provider: TrackingProvider, parcel: LeasedParcel, polledAt: Date): { nextScanAt?: Date | null } {
  if (provider.nextScanAt === undefined) return {}
  return { nextScanAt: provider.nextScanAt(toParcel(parcel, polledAt)) ?? null }
}

/** The parcel as a provider is sent it, and as its report is read with it. */
export function toParcel(
  parcel: Omit<TrackedParcel, 'now'> & Pick<LeasedParcel, 'direction'>,
  now: Date,
): TrackedParcel {
  // A return goes to the shop, whose zip code is not known here.
  const isBound = !isReturn(parcel.direction)
  return {
    carrierReference: parcel.carrierReference,
    trackingNumber: parcel.trackingNumber,
    zipCode: isBound ? parcel.zipCode : null,
    countryCode: isBound ? parcel.countryCode : null,
    fulfilledAt: parcel.fulfilledAt,
    now,
  }
}
