import { dayMs, secondMs } from '../../foundation/clock.ts'
import { asText, readObject, recordsOf } from '../../foundation/read-json.ts'
import { redactSecrets } from '../../foundation/secrets.ts'
import { checkByTracking } from '../check-account.ts'
import { failureOf, noCredentials } from '../failures.ts'
import type { TrackedParcel, TrackingProvider } from '../provider.ts'
import { bareNumber } from '../scans.ts'
import { readShipment, services } from './shipment.ts'

/** DHL's unified Shipment Tracking API, which covers all its services, one parcel per request. */
export function createDhl(options: { baseUrl?: string | undefined } = {}): TrackingProvider {
  const baseUrl = options.baseUrl ?? 'https://api-eu.dhl.com'
  const provider: TrackingProvider = {
    name: 'dhl',
    system: 'DHL',
    hosts: ['api-eu.dhl.com'],
    carriers: [...new Set(services.values())],
    // The limit of a new key; DHL raises it on request.
    limit: { requests: 250, perMs: dayMs },
    minGapMs: 5 * secondMs,
    parcelsPerRequest: 1,
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
  return { ...provider, checkAccount: checkByTracking(provider.track, sample) }
}

/** An example of DHL's documentation. */
const sample = { carrierReference: 'dhl', trackingNumber: '00340434161094042557' }

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
