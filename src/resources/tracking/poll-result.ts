import type { ParcelReport, TrackingProvider } from '../../carriers/provider.ts'
import { bareNumber } from '../../carriers/scans.ts'
import { isReturn } from '../../catalogue/catalogue.ts'
import { after } from '../../foundation/clock.ts'
import { coalesced } from '../../foundation/coalesce.ts'
import type { Context } from '../../foundation/context.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { type ClaimedParcel, type ParcelUpdate, updateParcels } from './parcel-store.ts'
import { recordReports, type ShipmentReport } from './record.ts'
import { firstPollMs, nextPoll, parcelPause } from './rules.ts'
import { findShipmentStates } from './shipment-store.ts'
import { lockProviderStatuses } from './shop-tracking.ts'

/** How one request about taken parcels ended. */
export interface Look {
  shopId: string
  provider: TrackingProvider
  parcels: ClaimedParcel[]
  outcome:
    | { result: 'found'; reports: ParcelReport[] }
    /** The provider will tell us of it, or cannot. */
    | { result: 'registered'; follows: boolean }
    | { result: 'failed' }
  /** Whether what the provider pushes can be verified. */
  hasWebhookSecret: boolean
  /** The instant that the question was about. */
  askedAt: Date
  now: Date
}

/** Records one look; those that end at the same moment are recorded together, in one transaction. */
export const recordPollResult = coalesced(recordPollResults)

/**
 * Records what looks have brought, and decides when to look again. What a shop has switched off while it was being asked
 * for is dropped: its parcels stay taken until the lease ends.
 */
export async function recordPollResults(context: Context, looks: Look[]): Promise<boolean[]> {
  return inTransaction(context, async (context) => {
    const statuses = await lockProviderStatuses(
      context,
      looks.map(({ shopId, provider }) => ({ shopId, provider: provider.name })),
    )
    const wanted = looks.flatMap((look, index) =>
      statuses[index] === 'disabled' ? [] : [{ look, isNotified: statuses[index] === 'live' }],
    )
    await recordReports(
      context,
      wanted.flatMap(({ look, isNotified }) => reportsOf(look, isNotified)),
    )
    const states = await findShipmentStates(
      context,
      wanted.flatMap(({ look }) => look.parcels),
    )
    const settled = wanted.flatMap(({ look }) =>
      look.parcels.map((parcel) => settle(look, parcel, states.get(parcel.shipmentId)?.phase ?? 'order_processed')),
    )
    await updateParcels(context, settled)
    return statuses.map((status) => status !== 'disabled')
  })
}

/** Pairs each report with the parcels that were asked for by its number. */
function reportsOf(look: Look, isNotified: boolean): ShipmentReport[] {
  if (look.outcome.result !== 'found') return []
  const byNumber = new Map<string, ParcelReport>()
  for (const report of look.outcome.reports) byNumber.set(bareNumber(report.trackingNumber), report)
  return look.parcels.flatMap((parcel) => {
    const report = byNumber.get(bareNumber(parcel.trackingNumber))
    if (report === undefined) return []
    const { shopId, shipmentId, fulfilledAt } = parcel
    return [{ shopId, shipmentId, provider: look.provider.name, fulfilledAt, report, isNotified, now: look.now }]
  })
}

function settle(look: Look, parcel: ClaimedParcel, phase: string): ParcelUpdate {
  const { now, outcome, provider } = look
  const base = { shopId: parcel.shopId, shipmentId: parcel.shipmentId, polls: parcel.polls, now }
  const waiting = { ...base, endedAt: parcel.endedAt, isFinished: false }
  if (outcome.result === 'failed') {
    const failures = Math.min(parcel.failures + 1, 1_000)
    return { ...waiting, failures, nextPollAt: after(now, parcelPause(failures, Math.random())) }
  }
  const isRegistered = outcome.result === 'registered'
  const isPushed = (isRegistered ? outcome.follows : parcel.isPushed) && look.hasWebhookSecret
  const registration = isRegistered ? { provider: provider.name, isPushed: outcome.follows } : undefined
  if (registration && !isPushed) {
    return { ...waiting, failures: 0, registration, nextPollAt: after(now, firstPollMs) }
  }
  const next = nextPoll({
    phase,
    fulfilledAt: parcel.fulfilledAt,
    endedAt: parcel.endedAt,
    isPushed,
    ...nextScan(provider, parcel, look.askedAt),
    now,
    jitter: Math.random(),
  })
  return { ...base, failures: 0, ...(registration ? { registration } : {}), ...next }
}

/** Only the sandbox knows what comes: it is asked exactly then. */
function nextScan(provider: TrackingProvider, parcel: ClaimedParcel, askedAt: Date): { nextScanAt?: Date | null } {
  if (provider.nextScanAt === undefined) return {}
  return { nextScanAt: provider.nextScanAt(toParcel(parcel, askedAt)) ?? null }
}

/** A parcel as a provider is asked for it. */
export function toParcel(parcel: ClaimedParcel, now: Date) {
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
