import { Type } from '../../../src/platform/foundation/schema.ts'
import type { Failure, FakeApi, FakeRequest, FakeResponse } from '../integration-suite.ts'
import { json, readBody } from './check.ts'

/**
 * Klaviyo as its API reference of revision 2026-07-15 describes it: JSON:API, a key with scopes, `Retry-After` with 429.
 * https://developers.klaviyo.com/en/reference/create_event
 */
export function createKlaviyoFake(): FakeApi {
  const events: FakeApi['events'] = []
  return {
    events,
    respond(request, failure) {
      const problem = findProblem(request) ?? failAs(failure)
      if (problem !== undefined) return problem
      if (request.path === '/api/events') return acceptEvent(request, events)
      if (request.method !== 'GET') return errorResponse(405, 'method_not_allowed', 'Method not allowed.')
      if (request.path === '/api/profiles') return findProfiles(request)
      if (request.path === '/api/accounts') return json(200, { data: [account] })
      const [, kind] = /^\/api\/profiles\/01PROFILE\/(segments|lists)$/.exec(request.path) ?? []
      return kind === undefined ? errorResponse(404, 'not_found', 'Not found.') : listMemberships(request, kind)
    },
  }
}

const account = {
  type: 'account',
  id: 'AbC123',
  attributes: {
    contact_information: { organization_name: 'River & Pine' },
    timezone: 'Europe/Berlin',
    preferred_currency: 'EUR',
  },
}

export const klaviyoKey = 'pk_0123456789abcdef0123456789abcdef01'
export const klaviyoLimitedKey = 'pk_limited89abcdef0123456789abcdef01'

const Event = Type.Object(
  {
    data: Type.Object(
      {
        type: Type.Literal('event'),
        attributes: Type.Object(
          {
            unique_id: Type.String({ minLength: 1 }),
            time: Type.String({ format: 'date-time' }),
            value: Type.Optional(Type.Number()),
            value_currency: Type.Optional(Type.String()),
            properties: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 400 }),
            metric: Type.Object(
              {
                data: Type.Object(
                  {
                    type: Type.Literal('metric'),
                    attributes: Type.Object(
                      { name: Type.String({ minLength: 1, maxLength: 127 }) },
                      { additionalProperties: false },
                    ),
                  },
                  { additionalProperties: false },
                ),
              },
              { additionalProperties: false },
            ),
            profile: Type.Object(
              {
                data: Type.Object(
                  {
                    type: Type.Literal('profile'),
                    attributes: Type.Object(
                      {
                        email: Type.Optional(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$' })),
                        external_id: Type.Optional(Type.String({ minLength: 1 })),
                        phone_number: Type.Optional(Type.String({ pattern: '^\\+[1-9]\\d{6,14}$' })),
                        first_name: Type.Optional(Type.String()),
                        last_name: Type.Optional(Type.String()),
                      },
                      { additionalProperties: false },
                    ),
                  },
                  { additionalProperties: false },
                ),
              },
              { additionalProperties: false },
            ),
          },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

function findProblem({ headers }: FakeRequest): FakeResponse | undefined {
  const key = /^Klaviyo-API-Key (\S+)$/.exec(headers.authorization ?? '')?.[1]
  if (key === undefined) return errorResponse(401, 'not_authenticated', 'Authentication credentials were not provided.')
  if (key === klaviyoLimitedKey) {
    return errorResponse(403, 'permission_denied', 'You do not have permission to perform this action.')
  }
  if (key !== klaviyoKey) return errorResponse(401, 'authentication_failed', 'Incorrect authentication credentials.')
  if (headers.revision !== '2026-07-15') return errorResponse(400, 'invalid', 'The newest revision is required here.')
  return undefined
}

function failAs(failure: Failure | undefined): FakeResponse | undefined {
  if (failure === 'badRequest')
    return errorResponse(400, 'invalid', 'Invalid email address', '/data/attributes/profile')
  if (failure === 'rateLimited') {
    const refusal = errorResponse(429, 'throttled', 'Request was throttled. Expected available in 7 seconds.')
    return { ...refusal, headers: { ...refusal.headers, 'retry-after': '7' } }
  }
  if (failure === 'serverError') return errorResponse(500, 'error', 'A server error occurred.')
  if (failure === 'malformed') return { status: 200, headers: { 'content-type': mediaType }, body: '{"data":[' }
  return undefined
}

function acceptEvent(request: FakeRequest, events: FakeApi['events']): FakeResponse {
  if (request.method !== 'POST') return errorResponse(405, 'method_not_allowed', 'Method not allowed.')
  const read = readBody(request, mediaType, Event)
  if (typeof read === 'string') return errorResponse(400, 'invalid', read, '/data')
  const { attributes } = (read.body as { data: { attributes: EventAttributes } }).data // as the schema has it
  const { first_name: _, last_name: __, ...identifiers } = attributes.profile.data.attributes
  if (Object.keys(identifiers).length === 0) return errorResponse(400, 'invalid', 'A profile identifier is required.')
  events.push({
    id: attributes.unique_id,
    name: attributes.metric.data.attributes.name,
    time: new Date(attributes.time).toISOString(),
    identifiers,
    properties: attributes.properties,
  })
  return { status: 202 }
}

interface EventAttributes {
  unique_id: string
  time: string
  properties: Record<string, unknown>
  metric: { data: { attributes: { name: string } } }
  profile: { data: { attributes: Record<string, string> } }
}

function findProfiles({ query, baseUrl }: FakeRequest): FakeResponse {
  const known = /^equals\((email|phone_number|external_id),"([^"]*)"\)$/.exec(query.get('filter') ?? '')
  if (known === null) return errorResponse(400, 'invalid', 'Invalid filter')
  const isFound = known[1] === 'email' && known[2] === 'jane.doe+parcels@example.com'
  const profile = { type: 'profile', id: '01PROFILE', attributes: { email: known[2] }, links: { self: baseUrl } }
  return success({ data: isFound ? [profile] : [], links: { self: baseUrl, next: null } })
}

/** Two pages, the second one by a link. */
function listMemberships({ path, query, baseUrl }: FakeRequest, kind: string): FakeResponse {
  const isSecond = query.get('page[cursor]') === 'second'
  const names = (kind === 'segments' ? [['VIP', 'Repeat buyers'], ['Win-back']] : [['Newsletter'], ['VIP']])[
    isSecond ? 1 : 0
  ]
  const type = kind.slice(0, -1)
  if (query.get(`fields[${type}]`) !== 'name') return errorResponse(400, 'invalid', 'Invalid sparse fieldset')
  const further = new URLSearchParams({ [`fields[${type}]`]: 'name', 'page[cursor]': 'second' })
  return success({
    data: names?.map((name, index) => ({ type, id: `X${index}`, attributes: { name }, links: { self: baseUrl } })),
    links: { self: `${baseUrl}${path}`, next: isSecond ? null : `${baseUrl}${path}?${further}` },
  })
}

const mediaType = 'application/vnd.api+json'

function success(body: unknown): FakeResponse {
  return json(200, body, { 'content-type': mediaType })
}

function errorResponse(status: number, code: string, detail: string, pointer = '/data/'): FakeResponse {
  const error = { id: '8f145b8b-43ae-401f-9cee-15983ceaa522', status, code, title: code, detail, source: { pointer } }
  return json(status, { errors: [error] }, { 'content-type': mediaType })
}
