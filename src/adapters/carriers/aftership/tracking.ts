import { asObject, asText, recordsOf } from '../../../platform/foundation/read-json.ts'
import { readCodeMap } from '../code-map.ts'
import { readTime, type TimeWindow, windowOf } from '../local-time.ts'
import { countryCode, locationOf, zoneOf } from '../places.ts'
import { proofFrom } from '../proof.ts'
import type { ParcelReport, ReportedPickup, ReportedProof, Scan, TrackedParcel } from '../provider.ts'
import { inOrder } from '../scans.ts'
import { carriers } from './carriers.ts'

const codes = readCodeMap(new URL('./codes.csv', import.meta.url))

/** A tracking, from a reply or a webhook. The destination comes from AfterShip, else from our parcel. */
export function readTracking(tracking: Record<string, unknown>, parcel: TrackedParcel): ParcelReport {
  const destination = asText(tracking.destination_country_region) ?? parcel.countryCode
  const zone = zoneOf(destination, asText(tracking.destination_state)) ?? 'UTC'
  const scans = recordsOf(tracking.checkpoints).map((checkpoint) => readCheckpoint(checkpoint, zone))
  const carrierReference = carriers.referenceOf(asText(tracking.slug))
  const expectedDelivery = readExpected(tracking, zone)
  const pickup = readPickup(tracking)
  const carrierName = asText(tracking.slug)
  const trackingLink = asText(tracking.courier_tracking_link) ?? asText(tracking.aftership_tracking_url)
  const proof = readProof(tracking, zone)
  return {
    trackingNumber: parcel.trackingNumber,
    scans: inOrder(
      scans.filter((scan) => scan !== undefined),
      'oldest first',
    ),
    ...(carrierReference === undefined ? {} : { carrierReference }),
    ...(expectedDelivery === undefined ? {} : { expectedDelivery }),
    ...(pickup === undefined ? {} : { pickup }),
    ...(carrierName === undefined ? {} : { carrierName }),
    ...(trackingLink === undefined ? {} : { trackingLink }),
    ...(proof === undefined ? {} : { proof }),
  }
}

function readCheckpoint(checkpoint: Record<string, unknown>, destinationZone: string): Scan | undefined {
  const country = asText(checkpoint.country_region)
  const state = asText(checkpoint.state)
  // Couriers give local times. AfterShip adds the offset if it knows the place, and then that is the better guess too.
  const at = readTime(asText(checkpoint.checkpoint_time), zoneOf(country, state) ?? destinationZone)
  const subtag = asText(checkpoint.subtag) ?? asText(checkpoint.tag)
  if (at === undefined || subtag === undefined) return undefined
  const coordinate = asObject(checkpoint.coordinate)
  // Some events are more specific than the subtag, such as who accepted the parcel.
  const event = recordsOf(checkpoint.events)
    .map(({ code }) => asText(code))
    .find((code) => code !== undefined && codes.has(code))
  return {
    code: event ?? subtag,
    text: asText(checkpoint.message) ?? asText(checkpoint.subtag_message) ?? null,
    eventName: codes.get(event ?? subtag),
    time: at.time,
    timezone: at.timezone,
    location: locationOf({
      city: asText(checkpoint.city),
      country: asText(checkpoint.country_region_name),
      country_code: countryCode(country),
      postal_code: asText(checkpoint.postal_code),
      state_or_province: state,
      place: asText(checkpoint.location),
      latitude: numberOf(coordinate?.latitude),
      longitude: numberOf(coordinate?.longitude),
    }),
  }
}

/** The latest estimate, else the carrier's, else AfterShip's own. */
function readExpected(tracking: Record<string, unknown>, zone: string): TimeWindow | undefined {
  const latest = asObject(tracking.latest_estimated_delivery)
  const [courier, own] = [tracking.courier_estimated_delivery_date, tracking.aftership_estimated_delivery_date]
  const estimates = [
    [latest?.datetime_min, latest?.datetime_max, latest?.datetime],
    ...[courier, own].map(asObject).map((estimate) => {
      const { estimated_delivery_date_min: min, estimated_delivery_date_max: max } = estimate ?? {}
      return [min, max, estimate?.estimated_delivery_date]
    }),
  ].map((values) => values.map(asText))
  for (const [min, max, single] of estimates) {
    // A single estimate means a day, whatever its time.
    const window = min && max ? windowOf(zone, min, max) : windowOf(zone, undefined, single?.slice(0, 10))
    if (window) return window
  }
  return undefined
}

/** AfterShip sends only text for pick-up points, not the kind of place. */
function readPickup({ pickup_location, delivery_type, tag }: Record<string, unknown>): ReportedPickup | undefined {
  const name = asText(pickup_location)
  const isPickedUp = tag === 'AvailableForPickup' || asText(delivery_type)?.startsWith('pickup_at_') === true
  return name !== undefined && isPickedUp ? { type: 'shop', name } : undefined
}

/** The signer, the place, and the first of the pictures: AfterShip does not say what they show. */
function readProof(tracking: Record<string, unknown>, zone: string): ReportedProof | undefined {
  const { proof_of_delivery: given } = tracking
  const [picture] = recordsOf(Array.isArray(given) ? given : [given]).map(({ url }) => asText(url))
  const known = proofFrom({
    receivedBy: asText(tracking.signed_by),
    place: asText(tracking.delivery_location_type),
    pictureUrl: picture,
  })
  const at = readTime(asText(tracking.shipment_delivery_date), zone)
  // A day is not when it was handed over; the scan of the delivery has the time.
  return known && (at?.hasTime ? { ...known, time: at.time } : known)
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
