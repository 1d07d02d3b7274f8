import type { CallResponse } from '../../../platform/foundation/call.ts'
import { asObject, asText, readObject, recordsOf } from '../../../platform/foundation/read-json.ts'
import { createCallWithToken } from '../bearer.ts'
import { readCodeMap } from '../code-map.ts'
import { failureOf } from '../failures.ts'
import { joinLegs } from '../legs.ts'
import { readTime, type TimeWindow, windowOf } from '../local-time.ts'
import { addressOf, countryCode, locationOf, zoneOf } from '../places.ts'
import { proofFrom } from '../proof.ts'
import type {
  AdapterOptions,
  AdapterWith,
  ParcelReport,
  ReportedPickup,
  Scan,
  TrackedParcel,
  TrackResult,
} from '../provider.ts'
import { bareNumber, inOrder } from '../scans.ts'

/** FedEx's Track API, up to 30 parcels per request. */
export function create(options: AdapterOptions = {}): AdapterWith {
  const baseUrl = options.baseUrl ?? 'https://apis.fedex.com'
  const sendRequest = createCallWithToken({
    provider: 'FedEx',
    tokenRequest: (client_id, client_secret) => ({
      method: 'POST',
      url: `${baseUrl}/oauth/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
    }),
    now: options.now,
  })
  return {
    async track(call, account, parcels) {
      const trackingInfo = parcels.map(({ trackingNumber }) => ({
        trackingNumberInfo: { trackingNumber: bareNumber(trackingNumber) },
      }))
      const response = await sendRequest(call, account, {
        method: 'POST',
        url: `${baseUrl}/track/v1/trackingnumbers`,
        headers: { 'content-type': 'application/json', accept: 'application/json', 'x-locale': 'en_US' },
        body: JSON.stringify({ includeDetailedScans: true, trackingInfo }),
      })
      return 'result' in response ? response : read(response, parcels)
    },
  }
}

function read(response: CallResponse, parcels: readonly TrackedParcel[]): TrackResult {
  const output = response.status === 200 ? asObject(readObject(response.body)?.output) : undefined
  if (!Array.isArray(output?.completeTrackResults)) return failureOf('FedEx', response)
  const complete = recordsOf(output.completeTrackResults)
  const reports: ParcelReport[] = []
  let isUnclear = false
  for (const parcel of parcels) {
    const results = complete
      .filter(({ trackingNumber }) => bareNumber(asText(trackingNumber) ?? '') === bareNumber(parcel.trackingNumber))
      .flatMap(({ trackResults }) => recordsOf(trackResults))
    const problems = results.map(({ error }) => asText(asObject(error)?.code)).filter((code) => code !== undefined)
    isUnclear ||= problems.some((code) => !isUnknownNumber(code))
    const found = results
      .filter(({ error }) => asObject(error) === undefined)
      .map((result) => readResult(result, parcel))
    const journey = joinLegs(found)
    if (journey) reports.push(journey)
  }
  // A failed number does not affect the others. If all failed, it is FedEx's failure.
  if (reports.length === 0 && isUnclear) return failureOf('FedEx', { ...response, status: 502 })
  return { result: 'found', reports }
}

function isUnknownNumber(code: string): boolean {
  return /^TRACKING\.(TRACKINGNUMBER|REFERENCENUMBER|DATA)\.(NOTFOUND|INVALID|EMPTY)$/.test(code)
}

const codes = readCodeMap(new URL('./codes.csv', import.meta.url))

/** Derived statuses that are specific enough to replace an unknown event. */
const plainStatuses = new Set(['IN', 'PU', 'IT', 'OD', 'DL', 'CA', 'HL'])

function readResult(result: Record<string, unknown>, parcel: TrackedParcel): ParcelReport {
  const address = asObject(asObject(result.recipientInformation)?.address)
  const state = asText(address?.stateOrProvinceCode)
  const zone = zoneOf(asText(address?.countryCode) ?? parcel.countryCode, state) ?? 'UTC'
  const scans = recordsOf(result.scanEvents).map((event) => readScan(event, zone))
  const expectedDelivery = readExpected(result, zone)
  const pickup = readPickup(result)
  const delivery = asObject(result.deliveryDetails)
  const proof = proofFrom({
    receivedBy: asText(delivery?.receivedByName) ?? asText(delivery?.signedByName),
    place: asText(delivery?.locationDescription),
  })
  const senderName = asText(asObject(asObject(result.shipperInformation)?.contact)?.companyName)
  return {
    trackingNumber: parcel.trackingNumber,
    carrierReference: 'fedex',
    scans: inOrder(
      scans.filter((scan) => scan !== undefined),
      'newest first',
    ),
    ...(expectedDelivery === undefined ? {} : { expectedDelivery }),
    ...(pickup === undefined ? {} : { pickup }),
    ...(senderName === undefined ? {} : { senderName }),
    ...(proof === undefined ? {} : { proof }),
  }
}

function readScan(event: Record<string, unknown>, destinationZone: string): Scan | undefined {
  const place = asObject(event.scanLocation)
  const state = asText(place?.stateOrProvinceCode)
  const country = asText(place?.countryCode)
  const at = readTime(asText(event.date), zoneOf(country, state) ?? destinationZone)
  const [type, exception, derived] = [event.eventType, event.exceptionCode, event.derivedStatusCode].map(asText)
  if (at === undefined || type === undefined) return undefined
  const code = exception === undefined ? type : `${type} ${exception}`
  const derivedName = derived !== undefined && plainStatuses.has(derived) ? codes.get(derived) : undefined
  const texts = [asText(event.eventDescription), asText(event.exceptionDescription)]
  return {
    code,
    text: texts.filter((text) => text !== undefined).join(': ') || null,
    // The reference writes one code with a small letter, Ow.
    eventName: codes.get(code.toUpperCase()) ?? codes.get(type.toUpperCase()) ?? derivedName,
    time: at.time,
    timezone: at.timezone,
    location: locationOf({
      city: asText(place?.city),
      country: asText(place?.countryName),
      country_code: countryCode(country),
      postal_code: asText(place?.postalCode),
      state_or_province: state,
    }),
  }
}

/** The delivery window if FedEx has one, else the estimated time of arrival. */
function readExpected(result: Record<string, unknown>, zone: string): TimeWindow | undefined {
  const window = asObject(asObject(result.estimatedDeliveryTimeWindow)?.window)
  const [begins, ends] = [window?.begins, window?.ends].map(asText)
  const estimate = recordsOf(result.dateAndTimes).find(({ type }) => asText(type) === 'ESTIMATED_DELIVERY')
  const known = ends === undefined ? undefined : windowOf(zone, begins, ends)
  return known ?? windowOf(zone, undefined, asText(estimate?.dateTime))
}

/** The pick-up point, once the parcel is ready there. */
function readPickup(result: Record<string, unknown>): ReportedPickup | undefined {
  const status = asText(asObject(result.latestStatusDetail)?.code)
  const place = asObject(asObject(result.holdAtLocation)?.locationContactAndAddress)
  const address = asObject(place?.address)
  if (address === undefined || (status !== 'HL' && status !== 'HP')) return undefined
  const streets = Array.isArray(address.streetLines) ? address.streetLines.map(asText) : []
  const known = addressOf({
    street: streets.filter((line) => line !== undefined).join(', ') || undefined,
    zip_code: asText(address.postalCode),
    city: asText(address.city),
    country_code: asText(address.countryCode),
  })
  const name = asText(asObject(place?.contact)?.companyName)
  return { type: 'shop', ...(name === undefined ? {} : { name }), ...(known === undefined ? {} : { address: known }) }
}
