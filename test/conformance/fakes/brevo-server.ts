import { Type } from '../../../src/platform/foundation/schema.ts'
import type { Failure, FakeApi, FakeRequest, FakeResponse } from '../integration-suite.ts'
import { json, readBody } from './check.ts'

/**
 * Brevo as its API reference describes it: `api-key`, errors as code and message, its own headers for the rate limit.
 * https://developers.brevo.com/reference/create-event
 */
export function createBrevoFake(): FakeApi {
  const events: FakeApi['events'] = []
  return {
    events,
    respond(request, failure) {
      const problem = findProblem(request) ?? failAs(failure)
      if (problem !== undefined) return problem
      if (request.path === '/v3/events' && request.method === 'POST') return acceptEvent(request, events)
      if (request.method !== 'GET') return errorResponse(405, 'method_not_allowed', 'Method not allowed')
      if (request.path === '/v3/account') {
        return json(200, { companyName: 'River & Pine', email: 'ada@example.com', plan: [{ type: 'free' }] })
      }
      if (request.path === '/v3/contacts/lists') return listLists(request)
      return findContact(request)
    },
  }
}

export const brevoKey = 'xkeysib-0123456789abcdef0123456789abcdef-AbCdEfGh'
export const brevoLimitedKey = 'xkeysib-limited-89abcdef0123456789abcdef-AbCdEfGh'

const name = '^[A-Za-z0-9_-]{1,255}$'
const Event = Type.Object(
  {
    event_name: Type.String({ pattern: name }),
    event_date: Type.String({ format: 'date-time' }),
    identifiers: Type.Object(
      {
        email_id: Type.Optional(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$' })),
        ext_id: Type.Optional(Type.String({ minLength: 1 })),
        phone_id: Type.Optional(Type.String({ pattern: '^\\+?\\d+$' })),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    contact_properties: Type.Object(
      { FIRSTNAME: Type.Optional(Type.String()), LASTNAME: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
    event_properties: Type.Record(
      Type.String({ pattern: name }),
      Type.Union([
        Type.String(),
        Type.Number(),
        Type.Boolean(),
        Type.Object({}, { additionalProperties: true }),
        Type.Array(Type.Unknown()),
      ]),
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

function findProblem({ headers }: FakeRequest): FakeResponse | undefined {
  const key = headers['api-key']
  if (key === undefined) return errorResponse(401, 'unauthorized', 'authentication not found in headers')
  if (key === brevoLimitedKey)
    return errorResponse(403, 'permission_denied', 'API key has no permission for this resource')
  return key === brevoKey ? undefined : errorResponse(401, 'unauthorized', 'Key not found')
}

function failAs(failure: Failure | undefined): FakeResponse | undefined {
  if (failure === 'badRequest') return errorResponse(400, 'invalid_parameter', 'event_date is not valid')
  if (failure === 'rateLimited') {
    const headers = { 'x-sib-ratelimit-limit': '10', 'x-sib-ratelimit-remaining': '0', 'x-sib-ratelimit-reset': '4' }
    return json(429, { code: 'too_many_requests', message: 'Too many requests' }, headers)
  }
  if (failure === 'serverError') return errorResponse(500, 'internal_error', 'Something went wrong')
  if (failure === 'malformed')
    return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"listIds":' }
  return undefined
}

function acceptEvent(request: FakeRequest, events: FakeApi['events']): FakeResponse {
  const read = readBody(request, 'application/json', Event)
  if (typeof read === 'string') return errorResponse(400, 'invalid_parameter', read)
  const event = read.body as EventBody // as the schema has it
  const { event_id, ...properties } = event.event_properties
  if (typeof event_id !== 'string') return errorResponse(400, 'missing_parameter', 'event_id is missing')
  events.push({
    id: event_id,
    name: event.event_name,
    time: new Date(event.event_date).toISOString(),
    identifiers: event.identifiers,
    properties: { ...properties, contact_properties: event.contact_properties },
  })
  return { status: 204 }
}

interface EventBody {
  event_name: string
  event_date: string
  identifiers: Record<string, string>
  contact_properties: Record<string, string>
  event_properties: Record<string, unknown>
}

function findContact({ path, query }: FakeRequest): FakeResponse {
  const identifier = decodeURIComponent(/^\/v3\/contacts\/([^/]+)$/.exec(path)?.[1] ?? '')
  if (!['email_id', 'ext_id', 'phone_id'].includes(query.get('identifierType') ?? '')) {
    return errorResponse(400, 'invalid_parameter', 'Invalid identifierType')
  }
  if (identifier !== 'jane.doe+parcels@example.com')
    return errorResponse(404, 'document_not_found', 'Contact does not exist')
  return json(200, { id: 42, email: identifier, emailBlacklisted: false, listIds: [7, 58], attributes: {} })
}

/** Sixty lists: the second one that contains the contact is on the second page. */
function listLists({ query }: FakeRequest): FakeResponse {
  const limit = Number(query.get('limit') ?? 10)
  const offset = Number(query.get('offset') ?? 0)
  if (!(limit >= 1 && limit <= 50)) return errorResponse(400, 'out_of_range', 'limit exceeds max value')
  const lists = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, name: `List ${index + 1}`, folderId: 1 }))
  return json(200, { lists: lists.slice(offset, offset + limit), count: lists.length })
}

function errorResponse(status: number, code: string, message: string): FakeResponse {
  return json(status, { code, message })
}
