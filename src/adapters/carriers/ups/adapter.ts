import { randomUUID } from 'node:crypto'
import type { CallResponse } from '../../../platform/foundation/call.ts'
import { asObject, asText, readObject, recordsOf } from '../../../platform/foundation/read-json.ts'
import { basicOf } from '../../../platform/foundation/secrets.ts'
import { createCallWithToken } from '../bearer.ts'
import { readCodeMap } from '../code-map.ts'
import { failureOf } from '../failures.ts'
import { joinLegs } from '../legs.ts'
import { readTime, type TimeWindow, windowOf } from '../local-time.ts'
import { countryCode, locationOf, zoneOf } from '../places.ts'
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

/** UPS error codes that mean "unknown parcel". */
const unknownNumber = new Set(['TW0001', 'TV1002', 'TV1003', 'TV1004', '151018', '151044', '151045'])

/** UPS's Track API, one parcel per request. */
export function create(options: AdapterOptions = {}): AdapterWith {
  const baseUrl = options.baseUrl ?? 'https://onlinetools.ups.com'
  const sendRequest = createCallWithToken({
    provider: 'UPS',
    tokenRequest: (clientId, clientSecret) => ({
      method: 'POST',
      url: `${baseUrl}/security/v1/oauth/token`,
      headers: {
        authorization: `Basic ${basicOf(clientId, clientSecret)}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
    }),
    now: options.now,
  })
  return {
    async track(call, account, [parcel]) {
      if (parcel === undefined) return { result: 'found', reports: [] }
      const number = encodeURIComponent(bareNumber(parcel.trackingNumber))
      const response = await sendRequest(call, account, {
        method: 'GET',
        url: `${baseUrl}/api/track/v1/details/${number}?locale=en_US&returnSignature=false`,
        headers: { accept: 'application/json', transid: randomUUID(), transactionsrc: 'doorstep' },
      })
      return 'result' in response ? response : read(response, parcel)
    },
  }
}

function read(response: CallResponse, parcel: TrackedParcel): TrackResult {
  const content = readObject(response.body)
  const errors = recordsOf(asObject(content?.response)?.errors).map(({ code }) => asText(code) ?? '')
  const isUnknown =
    response.status === 404 || (response.status === 400 && errors.some((code) => unknownNumber.has(code)))
  if (isUnknown && content !== undefined) return { result: 'found', reports: [] }
  const shipments = response.status === 200 ? asObject(content?.trackResponse)?.shipment : undefined
  if (!Array.isArray(shipments)) return failureOf('UPS', response)
  const packages = recordsOf(shipments).flatMap((shipment) => recordsOf(shipment.package))
  const wanted = packages.filter(
    (one) => bareNumber(asText(one.trackingNumber) ?? '') === bareNumber(parcel.trackingNumber),
  )
  // For a reference number UPS returns all parcels of the shipment.
  const found = wanted.length === 0 ? packages.slice(0, 1) : wanted
  const journey = joinLegs(found.map((one) => readPackage(one, parcel)))
  return { result: 'found', reports: journey ? [journey] : [] }
}

const codes = readCodeMap(new URL('./codes.csv', import.meta.url))

function readPackage(content: Record<string, unknown>, parcel: TrackedParcel): ParcelReport {
  const addressOfType = (wanted: string) =>
    recordsOf(content.packageAddress).find(({ type }) => asText(type) === wanted)
  const destination = addressOfType('DESTINATION')
  const goesTo = asObject(destination?.address)
  const zone = zoneOf(countryOf(goesTo) ?? parcel.countryCode, asText(goesTo?.stateProvince)) ?? 'UTC'
  const leftAt = asText(asObject(content.deliveryInformation)?.location)?.toUpperCase()
  const scans = inOrder(
    recordsOf(content.activity)
      .map((activity) => readActivity(activity, zone))
      .filter((scan) => scan !== undefined),
    'newest first',
  )
  const expectedDelivery = readExpected(content, zone)
  const pickup = readPickup(content)
  const delivery = asObject(content.deliveryInformation)
  // Signature and photo come as bytes, if at all; UPS has no public address of them.
  const proof = proofFrom({ receivedBy: asText(delivery?.receivedBy), place: asText(delivery?.location) })
  const senderName = asText(addressOfType('ORIGIN')?.name)
  return {
    trackingNumber: parcel.trackingNumber,
    carrierReference: 'ups',
    scans: withPlace(scans, leftAt),
    ...(expectedDelivery === undefined ? {} : { expectedDelivery }),
    ...(pickup === undefined ? {} : { pickup }),
    ...(senderName === undefined ? {} : { senderName }),
    ...(proof === undefined ? {} : { proof }),
  }
}

function readActivity(activity: Record<string, unknown>, destinationZone: string): Scan | undefined {
  const address = asObject(asObject(activity.location)?.address)
  const state = asText(address?.stateProvince)
  const zone = zoneOf(countryOf(address), state) ?? destinationZone
  const at = readActivityTime(activity, zone)
  const status = asObject(activity.status)
  const [type, code, statusCode] = [status?.type, status?.code, status?.statusCode].map(asText)
  const known = [type, code, statusCode].filter((part) => part !== undefined)
  if (at === undefined || known.length === 0) return undefined
  return {
    code: known.join(' '),
    text: asText(status?.description) ?? null,
    eventName: eventNameOf(type, code, statusCode, asText(status?.description)),
    time: at.time,
    timezone: at.timezone,
    location: locationOf({
      city: asText(address?.city),
      country_code: countryCode(countryOf(address)),
      postal_code: asText(address?.postalCode),
      state_or_province: state,
    }),
  }
}

/** From specific to general: the activity's code, its status, and the type if it is unambiguous. */
function eventNameOf(
  type: string | undefined,
  code: string | undefined,
  statusCode: string | undefined,
  text: string | undefined,
): string | undefined {
  const known = codes.get(`${type} ${code}`) ?? codes.get(`* ${code}`)
  const name = known ?? codes.get(statusCode ?? '') ?? codes.get(type ?? '')
  // UPS files what arrives at an Access Point under "delivered", too.
  const isAtAccessPoint = type === 'D' && known === undefined && name === delivered && accessPoint.test(text ?? '')
  return isAtAccessPoint ? 'ARRIVED_AT_PARCEL_SHOP' : name
}

const delivered = 'SUCCESSFULLY_DELIVERED'
const accessPoint = /^delivered to (?:a |the )?ups access point/i

/** The place where a parcel was left belongs to its last delivery, and only if it went to the recipient. */
function withPlace(scans: Scan[], leftAt: string | undefined): Scan[] {
  const last = scans.findLastIndex(({ code }) => code.split(' ')[0] === 'D')
  const scan = scans[last]
  const eventName = codes.get(`D ${leftAt}`)
  return scan?.eventName === delivered && eventName !== undefined ? scans.with(last, { ...scan, eventName }) : scans
}

/** UPS sends local time, and GMT with an offset; older activities have only local time. */
function readActivityTime(activity: Record<string, unknown>, zone: string) {
  const offset = asText(activity.gmtOffset)
  const local = isoOf(asText(activity.date), asText(activity.time) ?? '000000')
  if (local === undefined) return undefined
  return readTime(offset !== undefined && /^[+-]\d{2}:\d{2}$/.test(offset) ? `${local}${offset}` : local, zone)
}

/** The rescheduled date before the scheduled one, with the delivery window if UPS has one. */
function readExpected(content: Record<string, unknown>, zone: string): TimeWindow | undefined {
  const days = new Map(recordsOf(content.deliveryDate).map(({ type, date }) => [asText(type), asText(date)]))
  const date = days.get('RDD') ?? days.get('SDD')
  const times = asObject(content.deliveryTime)
  const [start, end] = [times?.startTime, times?.endTime].map(asText)
  const day = isoOf(date, '000000')?.slice(0, 10)
  const type = asText(times?.type)
  if (type === 'EDW' || type === 'CDW' || type === 'IDW') {
    const window = start && end ? windowOf(zone, isoOf(date, start), isoOf(date, end)) : undefined
    if (window) return window
  }
  return windowOf(zone, undefined, (type === 'CMT' && end ? isoOf(date, end) : undefined) ?? day)
}

/** For a parcel held at an Access Point UPS sends the deadline but not the address. */
function readPickup(content: Record<string, unknown>): ReportedPickup | undefined {
  const until = isoOf(asText(asObject(content.accessPointInformation)?.pickupByDate), '000000')
  return until === undefined ? undefined : { type: 'shop', date_to: until.slice(0, 10) }
}

/** 20261103 and 81530 as an ISO time: UPS omits leading zeros of times. */
function isoOf(date: string | undefined, time: string): string | undefined {
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(date ?? '')
  const clock = /^(\d{2})(\d{2})(\d{2})$/.exec(time.padStart(6, '0'))
  return day && clock ? `${day.slice(1).join('-')}T${clock.slice(1).join(':')}` : undefined
}

function countryOf(address: Record<string, unknown> | undefined): string | undefined {
  return asText(address?.countryCode) ?? asText(address?.country)
}
