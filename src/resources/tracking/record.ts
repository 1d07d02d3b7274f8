import type { ParcelReport, ProviderName, ReportedPickup, Scan } from '../../carriers/provider.ts'
import { getMeaning, isAllowedForDrafts } from '../../catalogue/catalogue.ts'
import type { Context } from '../../foundation/context.ts'
import { cutText } from '../../foundation/storable-text.ts'
import { webAddress } from '../../foundation/web-address.ts'
import { recordAndPublish } from '../../journey/events/record.ts'
import type { EventOutcome, IncomingEvent } from '../../journey/events/store.ts'
import { filterUnrecorded } from '../../journey/events/unrecorded-store.ts'
import type { Pickup } from '../../journey/shipments/schema.ts'
import { additionalInfoOf } from './additional-info.ts'
import { isOfThisJourney } from './rules.ts'
import { findShipmentStates } from './shipment-store.ts'
import { recordEventsOfScans, type StoredScan, storeUnknownScans, type UnknownScan } from './unmapped-store.ts'

/** What a provider reports about one of our shipments. */
export interface ShipmentReport {
  shopId: string
  shipmentId: string
  provider: ProviderName
  fulfilledAt: Date
  report: ParcelReport
  /** False while the provider is only tested. */
  isNotified: boolean
  now: Date
}

/** The event of a scan with an unknown code: it is shown, changes no phase and sends no notification. */
export const unknownEvent = 'MORE_INFO_ON_CARRIER_WEBSITE'
const arrivalChanged = 'SHIPMENT_UPDATED_ETA'

/** Longer texts are not codes, and would not fit into an index. */
const maxCodeLength = 200
const maxTextLength = 500

/**
 * Records what providers report, in the caller's transaction. They report all scans each time: those that are recorded
 * already change nothing.
 */
export async function recordReports(context: Context, reports: ShipmentReport[]): Promise<void> {
  const scans = reports.flatMap((source) =>
    source.report.scans
      .filter((scan) => isOfThisJourney(scan, source.fulfilledAt, source.now))
      .map((scan) => ({ source, scan })),
  )
  const known = scans.filter(({ scan }) => scan.eventName !== undefined)
  const unknown = scans.filter(({ scan }) => scan.eventName === undefined)
  const stored = unknown.map(({ source, scan }) => toUnknown(source, scan))
  const names = await storeUnknownScans(context, stored, unknownEvent)
  const newEvents = await filterUnrecorded(
    context,
    known.map(({ source, scan }) => toEvent(source, scan, scan.eventName ?? unknownEvent)),
  )
  const events = [
    ...newEvents,
    ...unknown.flatMap(({ source, scan }, index) => {
      const name = names[index]
      return name === undefined ? [] : [toEvent(source, scan, name)]
    }),
  ]
  const outcomes = events.length === 0 ? [] : await recordAndPublish(context, events)
  const fresh = stored.flatMap((scan, index) => {
    const eventKey = names[index]
    return eventKey === undefined ? [] : [{ ...scan, eventKey }]
  })
  await recordEventsOfScans(context, eventsOfScans(fresh, outcomes.slice(newEvents.length)))
  await recordArrivals(context, reports, events, outcomes)
}

/** The event of a scan. */
export function toEvent(source: ShipmentReport, scan: Scan, eventName: string): IncomingEvent {
  const meaning = getMeaning(eventName)
  const { report } = source
  return {
    shopId: source.shopId,
    shipmentId: source.shipmentId,
    trackingNumber: null,
    eventKey: meaning.name,
    phase: meaning.phase,
    flag: meaning.flag,
    movesPhase: meaning.movesPhase,
    isAllowedForDrafts: isAllowedForDrafts(meaning),
    eventTime: scan.time,
    externalId: cutText(`${source.provider}:${scan.code}`, maxCodeLength),
    timezone: scan.timezone,
    location: scan.location,
    additionalInfo: additionalInfoOf(report, meaning),
    source: 'carrier',
    isNotified: source.isNotified,
    ...(report.expectedDelivery ? { expectedDelivery: report.expectedDelivery } : {}),
    ...(report.pickup ? { pickup: toPickup(report.pickup) } : {}),
    now: source.now,
  }
}

function toUnknown(source: ShipmentReport, scan: Scan): UnknownScan {
  return {
    shopId: source.shopId,
    provider: source.provider,
    code: cutText(scan.code, maxCodeLength),
    text: scan.text === null ? null : cutText(scan.text, maxTextLength),
    shipmentId: source.shipmentId,
    eventTime: scan.time,
    now: source.now,
  }
}

/** Only those that differ from the stored default, which is unmapped and recorded. */
function eventsOfScans(fresh: (UnknownScan & { eventKey: string })[], outcomes: EventOutcome[]): StoredScan[] {
  return fresh
    .map((scan, index) => ({ ...scan, isRecorded: outcomes[index]?.result === 'recorded' }))
    .filter(({ eventKey, isRecorded }) => eventKey !== unknownEvent || !isRecorded)
}

/** A carrier may change the arrival time of a parcel without a scan; that is a separate event. */
async function recordArrivals(
  context: Context,
  reports: ShipmentReport[],
  events: IncomingEvent[],
  outcomes: EventOutcome[],
): Promise<void> {
  const withEvent = new Set(
    events.filter((_, index) => outcomes[index]?.result === 'recorded').map(({ shipmentId }) => shipmentId),
  )
  const withoutEvent = reports.filter(({ shipmentId, report }) => report.expectedDelivery && !withEvent.has(shipmentId))
  if (withoutEvent.length === 0) return
  const states = await findShipmentStates(context, withoutEvent)
  const changed = withoutEvent.filter(({ shipmentId, report }) => {
    const state = states.get(shipmentId)
    return state !== undefined && !isSameWindow(state.expectedDelivery, report.expectedDelivery)
  })
  const scan = (now: Date): Scan => ({
    code: arrivalChanged,
    text: null,
    eventName: arrivalChanged,
    time: now,
    timezone: null,
    location: null,
  })
  if (changed.length === 0) return
  await recordAndPublish(
    context,
    changed.map((source) => toEvent(source, scan(source.now), arrivalChanged)),
  )
}

function isSameWindow(
  left: { start: string; end: string } | null | undefined,
  right: { start: string; end: string } | undefined,
): boolean {
  if (!left || !right) return false
  return Date.parse(left.start) === Date.parse(right.start) && Date.parse(left.end) === Date.parse(right.end)
}

function toPickup(pickup: ReportedPickup): Pickup {
  return {
    type: pickup.type,
    name: pickup.name ?? null,
    address: pickup.address ?? null,
    url: webAddress(pickup.url) ?? null,
    opening_hours: pickup.opening_hours ?? null,
    date_to: pickup.date_to ?? null,
  }
}
