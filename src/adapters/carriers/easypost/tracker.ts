import { asObject, asText, recordsOf } from '../../../platform/foundation/read-json.ts'
import { readCodeMap } from '../code-map.ts'
import { readTime, windowOf } from '../local-time.ts'
import { countryCode, locationOf, zoneOf } from '../places.ts'
import { proofFrom } from '../proof.ts'
import type { ParcelReport, Scan, TrackedParcel } from '../provider.ts'
import { inOrder } from '../scans.ts'
import { carriers } from './carriers.ts'

const codes = readCodeMap(new URL('./codes.csv', import.meta.url))

/** A tracker, from a reply or a webhook. The destination comes from EasyPost, else from our parcel. */
export function readTracker(tracker: Record<string, unknown>, parcel: TrackedParcel): ParcelReport {
  const carrierName = asText(tracker.carrier)
  const carrierReference = carriers.referenceOf(carrierName)
  const trackingLink = asText(tracker.public_url)
  const destination = asObject(asObject(tracker.carrier_detail)?.destination_tracking_location)
  const zone = zoneOf(asText(destination?.country) ?? parcel.countryCode, asText(destination?.state)) ?? 'UTC'
  // The estimate is a day, written as midnight.
  const expectedDelivery = windowOf(zone, undefined, asText(tracker.est_delivery_date)?.slice(0, 10))
  const proof = proofFrom({ receivedBy: asText(tracker.signed_by) })
  return {
    trackingNumber: parcel.trackingNumber,
    scans: inOrder(
      recordsOf(tracker.tracking_details)
        .map(readDetail)
        .filter((scan) => scan !== undefined),
      'oldest first',
    ),
    ...(carrierReference === undefined ? {} : { carrierReference }),
    ...(expectedDelivery === undefined ? {} : { expectedDelivery }),
    ...(carrierName === undefined ? {} : { carrierName }),
    ...(trackingLink === undefined ? {} : { trackingLink }),
    ...(proof === undefined ? {} : { proof }),
  }
}

function readDetail(detail: Record<string, unknown>): Scan | undefined {
  const at = readTime(asText(detail.datetime), 'UTC')
  const status = asText(detail.status)
  if (at === undefined || status === undefined) return undefined
  const statusDetail = asText(detail.status_detail)
  const code = statusDetail === undefined ? status : `${status}/${statusDetail}`
  const place = asObject(detail.tracking_location)
  return {
    code,
    text: asText(detail.message) ?? asText(detail.description) ?? null,
    eventName: codes.get(code),
    time: at.time,
    timezone: null,
    location: locationOf({
      city: asText(place?.city),
      country_code: countryCode(asText(place?.country)),
      postal_code: asText(place?.zip),
      state_or_province: asText(place?.state),
    }),
  }
}
