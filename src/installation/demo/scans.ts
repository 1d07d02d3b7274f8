import { type IncomingEvent, recordEvents } from '../../orders/events/store.ts'
import type { ShipmentEvent } from '../../orders/events/to-recorded-event.ts'
import { getMeaning, isAllowedForDrafts } from '../../platform/catalogue/catalogue.ts'
import { after, secondMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { addWorkingDays, atTime } from './calendar.ts'
import type { Customer } from './customers.ts'
import type { Scan } from './journeys.ts'
import { type CountryCode, countries, warehouse } from './places.ts'

export interface ScannedParcel {
  trackingNumber: string
  customer: Customer
  sentOn: Date
  scans: readonly Scan[]
  pickup?: Record<string, unknown> | undefined
}

/** A scan that was recorded, with its parcel. */
export interface RecordedScan extends ShipmentEvent {
  trackingNumber: string
}

/** Records carrier scans directly, because the API's event body has no places or pick-up points. */
export async function recordScans(context: ShopContext, parcels: ScannedParcel[]): Promise<RecordedScan[]> {
  const events = parcels.flatMap((parcel) => parcel.scans.map((scan) => toEvent(context, parcel, scan)))
  const outcomes = await recordEvents(context, events)
  return events.map(({ shopId, trackingNumber, eventKey: eventName, eventTime, now }, index) => {
    const outcome = outcomes[index]
    if (outcome?.result !== 'recorded') throw new Error(`${trackingNumber} ${eventName}: ${outcome?.result}`)
    const { shipmentId, orderId, direction } = outcome
    return { shopId, trackingNumber: trackingNumber ?? '', shipmentId, orderId, direction, eventName, eventTime, now }
  })
}

function toEvent(context: ShopContext, parcel: ScannedParcel, scan: Scan): IncomingEvent {
  const meaning = getMeaning(scan.event)
  const location = locationOf(scan, parcel.customer)
  const eventTime = timeOf(parcel, scan)
  return {
    shopId: context.shop.id,
    shipmentId: null,
    trackingNumber: parcel.trackingNumber,
    eventKey: meaning.name,
    phase: meaning.phase,
    flag: meaning.flag,
    movesPhase: meaning.movesPhase,
    isAllowedForDrafts: isAllowedForDrafts(meaning),
    eventTime,
    externalId: null,
    timezone: location.timezone,
    location,
    additionalInfo: (scan.hasPickup && parcel.pickup) || null,
    source: 'demo',
    // These lie in the past: an integration that is switched on later must not be notified about them.
    isNotified: false,
    now: eventTime,
  }
}

export function timeOf({ sentOn, trackingNumber, customer }: ScannedParcel, scan: Scan): Date {
  const { utcOffsetHours } = countries[countryOf(scan, customer)]
  return after(atTime(addWorkingDays(sentOn, scan.day), scan.time, utcOffsetHours), unevennessMs(trackingNumber))
}

/** Up to half an hour, the same for all scans of a parcel, so that scans do not all fall on the same second. */
export function unevennessMs(trackingNumber: string): number {
  return [...trackingNumber].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_800, 0) * secondMs
}

function locationOf(scan: Scan, customer: Customer) {
  const code = countryOf(scan, customer)
  const country = countries[code]
  const place = { warehouse: warehouse.city, hub: country.hub, depot: customer.city, door: customer.city }[scan.at]
  return {
    city: place.name,
    country: country.name,
    country_code: code,
    latitude: place.latitude,
    longitude: place.longitude,
    timezone: country.timezone,
    ...(scan.at === 'door' ? { postal_code: customer.zipCode } : {}),
  }
}

function countryOf({ at }: Scan, customer: Customer): CountryCode {
  return at === 'warehouse' ? warehouse.country : customer.country
}
