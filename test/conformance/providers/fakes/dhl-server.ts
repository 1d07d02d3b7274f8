import type { Failure, FakeResponse } from '../../fake-server.ts'
import { json } from '../../fakes/check.ts'
import type { FakeProvider } from '../provider-suite.ts'
import { nameOfKey } from './credentials.ts'

/**
 * The Shipment Tracking Unified API of DHL, 1.5: `DHL-API-Key`, errors as problem documents.
 * https://developer.dhl.com/api-reference/shipment-tracking
 */
export function createFakeDhl(shipment: Record<string, unknown>): FakeProvider {
  const fake: FakeProvider = {
    entries: [],
    respond({ method, path, query, headers }, failure) {
      const key = nameOfKey(headers['dhl-api-key'])
      if (key === undefined) return problem(401, 'Unauthorized', 'Unauthorized for given resource.')
      if (key === 'limited') return problem(403, 'Forbidden', 'The key is not approved for this API.')
      const failed = failAs(failure)
      if (failed) return failed
      if (method !== 'GET' || path !== '/track/shipments') return problem(404, 'Not Found', 'No such resource.')
      const known = ['trackingNumber', 'language', 'service', 'recipientPostalCode']
      if ([...query.keys()].some((name) => !known.includes(name))) return problem(400, 'Bad Request', 'Unknown query.')
      if (query.get('language') !== 'en') return problem(400, 'Bad Request', 'language')
      if (query.get('trackingNumber') !== shipment.id) {
        return problem(404, 'No result found', 'No shipment with given tracking number found.')
      }
      return json(200, { shipments: [{ ...shipment, events: fake.entries }] })
    },
  }
  return fake
}

function failAs(failure: Failure | undefined): FakeResponse | undefined {
  if (failure === 'badRequest') return problem(400, 'Bad Request', 'The trackingNumber is not valid.')
  if (failure === 'serverError') return problem(503, 'Service Unavailable', 'A backend does not answer.')
  if (failure === 'malformed') return { status: 200, body: '{"shipments":[{"id":' }
  if (failure !== 'rateLimited') return undefined
  const response = problem(
    429,
    'Too many requests',
    'Too many requests within defined time period, please try again later.',
  )
  return { ...response, headers: { ...response.headers, 'retry-after': '5' } }
}

function problem(status: number, title: string, detail: string): FakeResponse {
  return json(status, { title, detail, status, instance: '/track/shipments' })
}
