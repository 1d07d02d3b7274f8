import { findCarrier, trackingUrl } from '../../adapters/carriers/choose.ts'
import type { ParcelReport, ReportedPickup, Scan } from '../../adapters/carriers/provider.ts'
import type { ProviderName } from '../../adapters/carriers/registry.ts'
import { recordAndPublish } from '../../orders/events/record.ts'
import { inOrderOfTime } from '../../orders/events/rules.ts'
import type { EventOutcome, IncomingEvent } from '../../orders/events/store.ts'
import { filterUnrecorded } from '../../orders/events/unrecorded-store.ts'
import type { Pickup } from '../../orders/shipments/schema.ts'
import { type EventMeaning, getMeaning, isAllowedForDrafts } from '../../platform/catalogue/catalogue.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { cutText } from '../../platform/foundation/storable-text.ts'
import { webAddress } from '../../platform/foundation/web-address.ts'
import { recordProofs } from './proof.ts'
import { isOfThisJourney } from './rules.ts'
import { findShipmentStates } from './shipment-store.ts'
import { recordEventsOfScans, type StoredScan, storeUnknownScans, type UnknownScan } from './unmapped-store.ts'

/** A provider's report about one of our shipments. */
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
  const scans: ReportedScan[] = reports.flatMap((source) =>
    source.report.scans
      .filter((scan) => isOfThisJourney(scan, source.fulfilledAt, source.now))
      .map((scan) => ({ source, scan })),
  )
  const unknown = scans.filter(({ scan }) => scan.eventName === undefined)
  const stored = unknown.map(({ source, scan }) => toUnknown(source, scan))
  const names = await storeUnknownScans(context, stored, unknownEvent)
  await recordProofs(context, reports)
  const fresh = new Map<ReportedScan, StoredScan>()
  for (const [index, scan] of stored.entries()) {
    const [of, eventKey] = [unknown[index], names[index]]
    if (of !== undefined && eventKey !== undefined) fresh.set(of, { ...scan, eventKey, isRecorded: false })
  }
  const events = await filterUnrecorded(
    context,
    inOrderOfTime(
      scans.flatMap((of): ScanEvent[] => {
        const name = of.scan.eventName ?? fresh.get(of)?.eventKey
        return name === undefined ? [] : [{ ...toEvent(of.source, of.scan, name), of }]
      }),
    ),
  )
  const outcomes = events.length === 0 ? [] : await recordAndPublish(context, events)
  for (const [index, { of }] of events.entries()) {
    const scan = fresh.get(of)
    if (scan !== undefined) scan.isRecorded = outcomes[index]?.result === 'recorded'
  }
  // The stored default is unmapped and recorded.
  const others = [...fresh.values()].filter(({ eventKey, isRecorded }) => eventKey !== unknownEvent || !isRecorded)
  await recordEventsOfScans(context, others)
  await recordArrivals(context, reports, events, outcomes)
}

interface ReportedScan {
  source: ShipmentReport
  scan: Scan
}

type ScanEvent = IncomingEvent & { of: ReportedScan }

/** The event of a scan. */
function toEvent(source: ShipmentReport, scan: Scan, eventName: string): IncomingEvent {
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

/** The details of an event beyond its name and place, as in the API. */
interface AdditionalInfo {
  carrier_name?: string
  tracking_company?: string
  tracking_link?: string
  merchant_name?: string
  pickup_point?: string
  pickup_point_url?: string
  /** The last day on which the parcel can be picked up. */
  pickup_time?: string
  pickup_opening_hours?: Record<string, string>
}

const maxInfoLength = 300

/** From what a provider reported about the parcel; null if it reported nothing of the kind. */
function additionalInfoOf(report: ParcelReport, meaning: EventMeaning): AdditionalInfo | null {
  const { carrierReference, carrierName, trackingNumber } = report
  const known = carrierReference === undefined ? undefined : findCarrier(carrierReference)
  const carrierPage = known && trackingUrl(known.reference, trackingNumber)
  const isAboutPickup = meaning.phase === 'collect' || meaning.name === 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR'
  const info: { [Field in keyof AdditionalInfo]: AdditionalInfo[Field] | undefined } = {
    carrier_name: known?.name ?? shortText(carrierName),
    tracking_company: shortText(carrierName),
    tracking_link: webAddress(report.trackingLink) ?? webAddress(carrierPage),
    merchant_name: shortText(report.senderName),
    ...(report.pickup && isAboutPickup ? infoOfPickup(report.pickup) : {}),
  }
  const given = Object.entries(info).filter(([, value]) => value !== undefined)
  // Names and types are those of the interface; only absent values were removed.
  return given.length === 0 ? null : (Object.fromEntries(given) as AdditionalInfo)
}

function shortText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cutText(text, maxInfoLength)
}

function infoOfPickup(pickup: ReportedPickup) {
  // The address of a neighbour is not sent to everyone who is notified.
  const { street, zip_code, city } = (pickup.type === 'neighbor' ? undefined : pickup.address) ?? {}
  const town = [zip_code, city].filter((part) => part).join(' ')
  const point = [pickup.name, street, town].filter((part) => part).join(', ')
  return {
    pickup_point: shortText(point || undefined),
    pickup_point_url: webAddress(pickup.url),
    pickup_time: pickup.date_to,
    pickup_opening_hours: pickup.opening_hours,
  }
}
