import { Type } from '../../../../src/platform/foundation/schema.ts'
import type { Failure, FakeRequest, FakeResponse } from '../../fake-server.ts'
import { json, readBody } from '../../fakes/check.ts'
import type { FakeProvider } from '../provider-suite.ts'
import { createFakeTokens, type FakeTokens } from './token-server.ts'

export interface FakeFedex extends FakeProvider {
  tokens: FakeTokens
  /** Error codes to return for single numbers. */
  errors: Map<string, string>
  /** Other parcels that had the number before. */
  earlier: Record<string, unknown>[]
}

const Asked = Type.Object(
  {
    includeDetailedScans: Type.Boolean(),
    trackingInfo: Type.Array(
      Type.Object(
        { trackingNumberInfo: Type.Object({ trackingNumber: Type.String() }, { additionalProperties: false }) },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 30 },
    ),
  },
  { additionalProperties: false },
)

/**
 * The token endpoint and Track by Tracking Number of FedEx.
 * https://developer.fedex.com/api/en-us/catalog/track/v1/docs.html
 */
export function createFakeFedex(trackingNumber: string, result: Record<string, unknown>): FakeFedex {
  const fake: FakeFedex = {
    entries: [],
    tokens: createFakeTokens(3_599),
    errors: new Map(),
    earlier: [],
    respond(request, failure) {
      if (request.path === '/oauth/token') return grant(fake.tokens, request)
      const owner = fake.tokens.ownerOf(request)
      if (owner === undefined) return errorResponse(401, 'NOT.AUTHORIZED.ERROR', 'Access token expired.')
      if (owner === 'limited') return errorResponse(403, 'FORBIDDEN.ERROR', 'We could not authorize your credentials.')
      const failed = failAs(failure)
      if (failed) return failed
      if (request.method !== 'POST' || request.path !== '/track/v1/trackingnumbers') {
        return errorResponse(404, 'NOT.FOUND.ERROR', 'The resource you requested is no longer available.')
      }
      const read = readBody(request, 'application/json', Asked)
      if (typeof read === 'string') return errorResponse(400, 'TRACKING.INPUT.INVALID', read)
      const query = read.body as { trackingInfo: { trackingNumberInfo: { trackingNumber: string } }[] } // as the schema has it
      const numbers = query.trackingInfo.map(({ trackingNumberInfo }) => trackingNumberInfo.trackingNumber)
      const completeTrackResults = numbers.map((number) => ({
        trackingNumber: number,
        trackResults: resultsOf(number),
      }))
      return json(200, { transactionId: '624deea6-b709-470c-8c39-4b5511281492', output: { completeTrackResults } })
    },
  }

  function resultsOf(number: string): unknown[] {
    const error =
      fake.errors.get(number) ?? (number === trackingNumber ? undefined : 'TRACKING.TRACKINGNUMBER.NOTFOUND')
    const trackingNumberInfo = { trackingNumber: number, trackingNumberUniqueId: '', carrierCode: 'FDXE' }
    if (error) return [{ trackingNumberInfo, error: { code: error, message: 'Tracking number cannot be found.' } }]
    return [...fake.earlier, { trackingNumberInfo, ...result, scanEvents: fake.entries }]
  }

  return fake
}

function grant(tokens: FakeTokens, { method, headers, body }: FakeRequest): FakeResponse {
  if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded') {
    return errorResponse(400, 'BAD.REQUEST.ERROR', 'x')
  }
  const { grant_type, ...client } = Object.fromEntries(new URLSearchParams(body))
  if (grant_type !== 'client_credentials')
    return errorResponse(400, 'BAD.REQUEST.ERROR', 'Missing or duplicate parameters.')
  const token = tokens.grant({ client_id: client.client_id, client_secret: client.client_secret })
  if (token === undefined)
    return errorResponse(401, 'NOT.AUTHORIZED.ERROR', 'The given client credentials were not valid.')
  return json(200, { access_token: token, token_type: 'bearer', expires_in: tokens.lifetime, scope: 'CXS' })
}

function failAs(failure: Failure | undefined): FakeResponse | undefined {
  if (failure === 'badRequest') return errorResponse(422, 'INVALID.INPUT.EXCEPTION', 'Validation failed for object.')
  if (failure === 'serverError')
    return errorResponse(500, 'INTERNAL.SERVER.ERROR', 'We encountered an unexpected error.')
  if (failure === 'malformed') return { status: 200, body: '{"output":{"completeTrackResults":[' }
  if (failure !== 'rateLimited') return undefined
  const response = errorResponse(429, 'TOO.MANY.REQUESTS', 'We have received too many requests in a short duration.')
  return { ...response, headers: { ...response.headers, 'retry-after': '10' } }
}

function errorResponse(status: number, code: string, message: string): FakeResponse {
  return json(status, { transactionId: '624deea6-b709-470c-8c39-4b5511281492', errors: [{ code, message }] })
}
