import type { Failure, FakeRequest, FakeResponse } from '../../fake-server.ts'
import { json } from '../../fakes/check.ts'
import type { FakeProvider } from '../provider-suite.ts'
import { nameOfKey } from './credentials.ts'

/** The time from which the fake allows requests again, in unix time. */
export const aftershipResetAt = Date.parse('2026-11-03T09:00:42Z') / 1_000

export interface FakeAftership extends FakeProvider {
  registered: Record<string, unknown>[]
}

/**
 * The Tracking API of AfterShip, version 2026-07: `as-api-key`, everything in an envelope of `meta` and `data`.
 * https://www.aftership.com/docs/tracking/2026-07/quickstart/api-quick-start
 */
export function createFakeAftership(tracking: Record<string, unknown>): FakeAftership {
  const fake: FakeAftership = {
    entries: [],
    registered: [],
    respond(request, failure) {
      const { method, path, query } = request
      const problem = findProblem(request) ?? failAs(failure)
      if (problem) return problem
      if (path !== '/tracking/2026-07/trackings') return envelope(404, 404, 'The URI requested is invalid.')
      if (method === 'POST') return register(fake, request)
      if (method !== 'GET') return envelope(405, 405, 'Method not allowed.')
      const numbers = query.get('tracking_numbers')?.split(',') ?? []
      if (numbers.length === 0 || numbers.length > 50) return envelope(400, 4001, 'Too many tracking numbers.')
      if (Number(query.get('limit') ?? 100) > 200) return envelope(400, 4001, 'limit is too large.')
      const found = numbers.includes(String(tracking.tracking_number))
      const trackings = found ? [{ ...tracking, checkpoints: fake.entries }] : []
      return json(200, { meta: { code: 200 }, data: { pagination: { total: trackings.length }, trackings } })
    },
  }
  return fake
}

function register(fake: FakeAftership, { headers, body }: FakeRequest): FakeResponse {
  if (headers['content-type'] !== 'application/json') return envelope(400, 4001, 'The request was invalid.')
  const { tracking_number, slug, destination_postal_code, destination_country_region, ...rest } = JSON.parse(body)
  if (typeof tracking_number !== 'string' || Object.keys(rest).length > 0)
    return envelope(400, 4005, 'Value is invalid.')
  if (destination_country_region !== undefined && !/^[A-Z]{3}$/.test(destination_country_region)) {
    return envelope(400, 4001, 'destination_country_region should be ISO Alpha-3.')
  }
  if (fake.registered.some((known) => known.tracking_number === tracking_number)) {
    return envelope(400, 4003, 'Tracking already exists.')
  }
  fake.registered.push({ tracking_number, slug, destination_postal_code, destination_country_region })
  return json(201, { meta: { code: 201 }, data: { id: '0b02015fc7fd4f3c8d5490cece4d124d', tracking_number, slug } })
}

function findProblem({ headers }: FakeRequest): FakeResponse | undefined {
  const key = nameOfKey(headers['as-api-key'])
  if (key === undefined) return envelope(401, 401, 'Invalid API key.')
  return key === 'limited' ? envelope(403, 403, 'The request is understood, but it has been refused.') : undefined
}

function failAs(failure: Failure | undefined): FakeResponse | undefined {
  if (failure === 'badRequest') return envelope(400, 4001, 'The value of `tracking_numbers` is invalid.')
  if (failure === 'serverError') return envelope(500, 500, 'Something went wrong on AfterShip’s end.')
  if (failure === 'malformed') return { status: 200, body: '{"meta":{"code":200},"data":{' }
  if (failure !== 'rateLimited') return undefined
  const response = envelope(429, 429, 'You have exceeded the API call rate limit.')
  const limits = {
    'x-ratelimit-limit': '6',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(aftershipResetAt),
  }
  return { ...response, headers: { ...response.headers, ...limits } }
}

function envelope(status: number, code: number, message: string): FakeResponse {
  return json(status, { meta: { code, message, type: 'Error' }, data: {} })
}
