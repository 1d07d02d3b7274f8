import { asObject, asText, readObject, recordsOf } from '../../../platform/foundation/read-json.ts'
import { redactSecrets } from '../../../platform/foundation/secrets.ts'
import { cutText } from '../../../platform/foundation/storable-text.ts'
import { failureOf, noCredentials } from '../failures.ts'
import { readTime, type TimeWindow, windowOf } from '../local-time.ts'
import { addressOf, countryCode, locationOf, zoneOf } from '../places.ts'
import { proofFrom } from '../proof.ts'
import type {
  AdapterOptions,
  AdapterWith,
  ParcelReport,
  ReportedPickup,
  ReportedProof,
  Scan,
  TrackedParcel,
} from '../provider.ts'
import { bareNumber, inOrder, withLatest } from '../scans.ts'
import { type DhlStatus, eventNameOf, serviceCodeOf } from './event-name.ts'
import { services } from './services.ts'

/** DHL's unified Shipment Tracking API, which covers all its services, one parcel per request. */
export function create(options: AdapterOptions = {}): AdapterWith {
  const baseUrl = options.baseUrl ?? 'https://api-eu.dhl.com'
  return {
    async track(call, { credentials }, [parcel]) {
      if (parcel === undefined) return { result: 'found', reports: [] }
      const key = credentials.api_key
      if (!key) return noCredentials('DHL', 'api_key')
      const response = await redactSecrets(call, [key])({
        method: 'GET',
        url: `${baseUrl}/track/shipments?${queryOf(parcel)}`,
        headers: { accept: 'application/json', 'dhl-api-key': key },
      })
      const content = readObject(response.body)
      if (response.status === 404 && content !== undefined) return { result: 'found', reports: [] }
      if (response.status !== 200 || !Array.isArray(content?.shipments)) return failureOf('DHL', response)
      const shipments = recordsOf(content.shipments)
      // Two services may use the same number; the parcel's own carrier wins.
      const isOwn = ({ service }: Record<string, unknown>) => {
        return services.get(asText(service) ?? '') === parcel.carrierReference
      }
      const shipment = shipments.find(isOwn) ?? shipments[0]
      return { result: 'found', reports: shipment ? [readShipment(shipment, parcel)] : [] }
    },
  }
}

function queryOf({ trackingNumber, zipCode, carrierReference }: TrackedParcel): URLSearchParams {
  const query = new URLSearchParams({ trackingNumber: bareNumber(trackingNumber), language: 'en' })
  const service = hints.get(carrierReference)
  if (service !== undefined) query.set('service', service)
  // DHL returns more details if the request contains the destination.
  if (zipCode) query.set('recipientPostalCode', zipCode)
  return query
}

/** The DHL service of each carrier that is a single service; for the others DHL finds the parcel itself. */
const hints = new Map([
  ['dhl', 'parcel-de'],
  ['dhl-express', 'express'],
  ['deutsche-post', 'post-de'],
])

/** The country of services whose entries have no location, such as most of parcel-de. */
const home = 'Europe/Berlin'
const maxCodeLength = 150

function readShipment(shipment: Record<string, unknown>, parcel: TrackedParcel): ParcelReport {
  const carrierReference = services.get(asText(shipment.service) ?? '')
  const isGerman = carrierReference === 'dhl' || carrierReference === 'deutsche-post'
  const destination = asText(placeOf(shipment.destination)?.countryCode) ?? parcel.countryCode
  const zone = zoneOf(destination) ?? home
  const service = asText(shipment.service) ?? ''
  const latest = asObject(shipment.status)
  const events = recordsOf(shipment.events)
  // Most services list the latest status among the events; for some it is the only entry.
  const isListed = latest !== undefined && events.some((event) => isSameEntry(event, latest))
  const scansOf = (entries: Record<string, unknown>[]) =>
    entries.map((entry) => readEvent(entry, service, isGerman ? home : zone)).filter((scan) => scan !== undefined)
  const listed = inOrder(scansOf(events), 'newest first')
  const scans = latest === undefined || isListed ? listed : withLatest(listed, scansOf([latest]))
  const expectedDelivery = readExpected(shipment, zone)
  const pickup = latest === undefined ? undefined : readPickup(latest, service)
  const details = asObject(shipment.details)
  const carrierName = nameOf(details?.carrier)
  const trackingLink = asText(shipment.serviceUrl)
  const senderName = nameOf(details?.sender)
  const proof = readProof(asObject(details?.proofOfDelivery), isGerman ? home : zone)
  return {
    trackingNumber: parcel.trackingNumber,
    scans,
    ...(carrierReference === undefined ? {} : { carrierReference }),
    ...(expectedDelivery === undefined ? {} : { expectedDelivery }),
    ...(pickup === undefined ? {} : { pickup }),
    ...(carrierName === undefined ? {} : { carrierName }),
    ...(trackingLink === undefined ? {} : { trackingLink }),
    ...(senderName === undefined ? {} : { senderName }),
    ...(proof === undefined ? {} : { proof }),
  }
}

function isSameEntry(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  return asText(left.timestamp) === asText(right.timestamp) && asText(left.statusCode) === asText(right.statusCode)
}

function readEvent(event: Record<string, unknown>, service: string, usualZone: string): Scan | undefined {
  const address = placeOf(event.location)
  const country = asText(address?.countryCode)
  const at = readTime(asText(event.timestamp), zoneOf(country) ?? usualZone)
  const status = statusOf(event, service)
  if (at === undefined || status === undefined) return undefined
  const [text] = status.texts
  const own = serviceCodeOf(status)
  const said = text === undefined ? '' : `: ${text}`
  return {
    code: own === undefined ? cutText(`${status.statusCode}${said}`, maxCodeLength) : `${service} ${own}`,
    text: asText(event.description) ?? text ?? null,
    eventName: eventNameOf(status),
    time: at.time,
    timezone: at.timezone,
    location: locationOf({
      city: asText(address?.addressLocality),
      country_code: countryCode(country),
      postal_code: asText(address?.postalCode),
      place: asText(asObject(asObject(event.location)?.servicePoint)?.label),
    }),
  }
}

function statusOf(event: Record<string, unknown>, service: string): DhlStatus | undefined {
  const statusCode = asText(event.statusCode)
  if (statusCode === undefined) return undefined
  const texts = [event.status, event.statusDetailed, event.description, event.remark].map(asText)
  return {
    service,
    statusCode,
    codeFields: [event.statusDetailed, event.status].map(asText).filter((text) => text !== undefined),
    texts: [...new Set(texts.filter((text) => text !== undefined))],
  }
}

function readExpected(shipment: Record<string, unknown>, zone: string): TimeWindow | undefined {
  const frame = asObject(shipment.estimatedDeliveryTimeFrame)
  const [from, through] = [frame?.estimatedFrom, frame?.estimatedThrough].map(asText)
  const known = through === undefined ? undefined : windowOf(zone, from, through)
  // Without a time frame only the day counts: the time is midnight, whatever the hour of delivery.
  return known ?? windowOf(zone, undefined, asText(shipment.estimatedTimeOfDelivery)?.slice(0, 10))
}

const placeTypes = new Map<string | undefined, ReportedPickup['type']>([
  ['ARRIVED_AT_PARCEL_LOCKER', 'locker'],
  ['ARRIVED_AT_PARCEL_SHOP', 'shop'],
  ['ARRIVED_AT_POST_OFFICE', 'shop'],
  ['PARCEL_READY_FOR_PICKUP', 'shop'],
])

/** The pick-up point, as far as DHL describes it. */
function readPickup(latest: Record<string, unknown>, service: string): ReportedPickup | undefined {
  const status = statusOf(latest, service)
  const type = placeTypes.get(status && eventNameOf(status))
  const point = asObject(asObject(latest.location)?.servicePoint)
  const [name, url] = [point?.label, point?.url].map(asText)
  if (type === undefined) return undefined
  const place = placeOf(latest.location)
  const address = addressOf({
    street: asText(place?.streetAddress),
    zip_code: asText(place?.postalCode),
    city: asText(place?.addressLocality),
    country_code: asText(place?.countryCode),
  })
  return {
    type,
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(address === undefined ? {} : { address }),
  }
}

function readProof(given: Record<string, unknown> | undefined, zone: string): ReportedProof | undefined {
  const signed = asObject(given?.signed)
  const fullName = [signed?.givenName, signed?.familyName].map(asText).filter((part) => part !== undefined)
  return proofFrom({
    receivedBy: asText(signed?.name) ?? asText(fullName.join(' ')),
    time: readTime(asText(given?.timestamp), zone)?.time,
    pictureUrl: asText(given?.documentUrl),
    signatureUrl: asText(given?.signatureUrl),
  })
}

/** Only organisations: a private sender is not a shop. */
function nameOf(party: unknown): string | undefined {
  return asText(asObject(party)?.organizationName)
}

function placeOf(place: unknown): Record<string, unknown> | undefined {
  return asObject(asObject(place)?.address)
}
