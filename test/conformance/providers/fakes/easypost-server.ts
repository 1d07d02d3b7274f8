import { Type } from '../../../../src/platform/foundation/schema.ts'
import type { Failure, FakeRequest, FakeResponse } from '../../fake-server.ts'
import { json, readBody } from '../../fakes/check.ts'
import type { FakeProvider } from '../provider-suite.ts'
import { nameOfKey } from './credentials.ts'

export interface FakeEasypost extends FakeProvider {
  registered: { tracking_code: string; carrier?: string }[]
}

const Creation = Type.Object(
  {
    tracker: Type.Object(
      { tracking_code: Type.String({ minLength: 1 }), carrier: Type.Optional(Type.String({ minLength: 1 })) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

/**
 * The trackers of EasyPost, API version 2: HTTP Basic with the key as the name.
 * https://docs.easypost.com/docs/trackers
 */
export function createFakeEasypost(tracker: Record<string, unknown>): FakeEasypost {
  const fake: FakeEasypost = {
    entries: [],
    registered: [],
    respond(request, failure) {
      const { method, path, query, headers } = request
      const basic = /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      const [name, password] = Buffer.from(basic, 'base64').toString('utf8').split(':')
      const key = password === '' ? nameOfKey(name) : undefined
      if (key === undefined) return errorResponse(401, 'APIKEY.INACTIVE', 'This api key is no longer active.')
      if (key === 'limited') return errorResponse(403, 'FORBIDDEN', 'The key may not do this.')
      const failed = failAs(failure)
      if (failed) return failed
      if (path !== '/v2/trackers') return errorResponse(404, 'NOT_FOUND', 'The requested resource could not be found.')
      if (method === 'POST') return register(fake, request)
      const isFound = query.get('tracking_code') === tracker.tracking_code
      const other = { ...tracker, carrier: 'Elsewhere', tracking_details: [] }
      const trackers = isFound ? [other, { ...tracker, tracking_details: fake.entries }] : []
      return json(200, { trackers, has_more: false })
    },
  }
  return fake
}

function register(fake: FakeEasypost, request: FakeRequest): FakeResponse {
  const read = readBody(request, 'application/json', Creation)
  if (typeof read === 'string') return errorResponse(422, 'PARAMETER.INVALID', read)
  const { tracker } = read.body as { tracker: FakeEasypost['registered'][number] } // as the schema has it
  fake.registered.push(tracker)
  return json(201, { id: 'trk_c8e0edb5bb284caa934a0d3db23a148z', object: 'Tracker', ...tracker, status: 'unknown' })
}

function failAs(failure: Failure | undefined): FakeResponse | undefined {
  if (failure === 'badRequest') return errorResponse(422, 'TRACKER.CREATE.ERROR', 'Unable to create tracker.')
  if (failure === 'serverError') return errorResponse(503, 'SERVICE.UNAVAILABLE', 'Please try again later.')
  if (failure === 'malformed') return { status: 200, body: '{"trackers":[' }
  if (failure !== 'rateLimited') return undefined
  const response = errorResponse(429, 'RATE_LIMITED', 'You have been rate limited.')
  return { ...response, headers: { ...response.headers, 'retry-after': '2' } }
}

function errorResponse(status: number, code: string, message: string): FakeResponse {
  return json(status, { error: { code, message, errors: [] } })
}
