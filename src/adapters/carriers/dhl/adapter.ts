import { asText, readObject, recordsOf } from '../../../platform/foundation/read-json.ts'
import { redactSecrets } from '../../../platform/foundation/secrets.ts'
import { failureOf, noCredentials } from '../failures.ts'
import type { AdapterOptions, AdapterWith, TrackedParcel } from '../provider.ts'
import { bareNumber } from '../scans.ts'
import { services } from './services.ts'
import { readShipment } from './shipment.ts'

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
