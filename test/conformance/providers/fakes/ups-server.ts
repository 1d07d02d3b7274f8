import type { Failure, FakeRequest, FakeResponse } from '../../fake-server.ts'
import { json } from '../../fakes/check.ts'
import type { FakeProvider } from '../provider-suite.ts'
import { createFakeTokens, type FakeTokens } from './token-server.ts'

export interface FakeUps extends FakeProvider {
  tokens: FakeTokens
}

/**
 * The token endpoint and the Track API of UPS, as its OpenAPI document has them.
 * https://github.com/UPS-API/api-documentation
 */
export function createFakeUps(parcel: Record<string, unknown>): FakeUps {
  const transactions = new Set<string>()
  const fake: FakeUps = {
    entries: [],
    tokens: createFakeTokens(14_399),
    respond(request, failure) {
      const { method, path, headers } = request
      if (path === '/security/v1/oauth/token') return grant(fake.tokens, request)
      const owner = fake.tokens.ownerOf(request)
      if (owner === undefined) return errorResponse(401, '250002', 'Invalid Authentication Information.')
      if (owner === 'limited') return errorResponse(403, '250005', 'Blocked Merchant.')
      const failed = failAs(failure)
      if (failed) return failed
      const number = /^\/api\/track\/v1\/details\/([^/]+)$/.exec(path)?.[1] ?? ''
      const { transid = '', transactionsrc = '' } = headers
      if (method !== 'GET' || transid === '' || transactionsrc === '')
        return errorResponse(400, 'TV0000', 'Header is missing.')
      if (transactions.has(transid)) return errorResponse(400, 'TV0001', 'transId is not unique.')
      transactions.add(transid)
      if (number.length < 7 || number.length > 34) return errorResponse(400, 'TV1002', 'Invalid inquiry number')
      if (number !== parcel.trackingNumber) {
        const warnings = [{ code: 'TW0001', message: 'Tracking Information Not Found' }]
        return json(200, { trackResponse: { shipment: [{ inquiryNumber: number, warnings }] } })
      }
      const others = { trackingNumber: '1Z00000000000000OT', activity: [] }
      const found = { ...parcel, activity: fake.entries }
      return json(200, { trackResponse: { shipment: [{ inquiryNumber: number, package: [others, found] }] } })
    },
  }
  return fake
}

function grant(tokens: FakeTokens, { method, headers, body }: FakeRequest): FakeResponse {
  if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded')
    return errorResponse(400, '10400', 'x')
  if (body !== 'grant_type=client_credentials') return errorResponse(400, '10400', 'Invalid/Missing grant_type')
  const basic = /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const [client_id, client_secret] = Buffer.from(basic, 'base64').toString('utf8').split(/:(.*)/s)
  const token = tokens.grant({ client_id, client_secret })
  if (token === undefined) return errorResponse(401, '10401', 'ClientId is Invalid')
  return json(200, {
    token_type: 'Bearer',
    access_token: token,
    expires_in: String(tokens.lifetime),
    status: 'approved',
  })
}

function failAs(failure: Failure | undefined): FakeResponse | undefined {
  if (failure === 'badRequest') return errorResponse(400, 'TV0003', 'Invalid request')
  if (failure === 'serverError') return errorResponse(503, 'TV9999', 'Resource is not available')
  if (failure === 'malformed') return { status: 200, body: '{"trackResponse":{"shipment":[' }
  if (failure !== 'rateLimited') return undefined
  const reply = errorResponse(429, '10429', 'Too Many Requests')
  return { ...reply, headers: { ...reply.headers, 'retry-after': '3' } }
}

function errorResponse(status: number, code: string, message: string): FakeResponse {
  return json(status, { response: { errors: [{ code, message }] } })
}
