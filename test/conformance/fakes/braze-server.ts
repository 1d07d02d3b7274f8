import { Type } from '../../../src/platform/foundation/schema.ts'
import type { Failure, FakeApi, FakeRequest, FakeResponse } from '../integration-suite.ts'
import { json, readBody } from './check.ts'

/**
 * Braze as its API reference describes it: a key of the workspace, 201 with a message, the rate limit's reset as time.
 * https://www.braze.com/docs/api/endpoints/user_data/post_user_track
 */
export function createBrazeFake(): FakeApi {
  const events: FakeApi['events'] = []
  return {
    events,
    respond(request, failure) {
      if (request.path === '/events/list' && request.method === 'GET') {
        return findProblem(request) ?? failAs(failure) ?? json(200, { message: 'success', events: ['Delivered'] })
      }
      if (request.path !== '/users/track' || request.method !== 'POST') return json(404, { message: 'Not found' })
      return findProblem(request) ?? failAs(failure) ?? acceptEvents(request, events)
    },
  }
}

export const brazeKey = '01234567-89ab-cdef-0123-456789abcdef'
export const brazeLimitedKey = '11111111-89ab-cdef-0123-456789abcdef'

const Value = Type.Union([
  Type.String({ maxLength: 255 }),
  Type.Number(),
  Type.Boolean(),
  Type.Object({}, { additionalProperties: true }),
  Type.Array(Type.Unknown()),
])
const Events = Type.Object(
  {
    events: Type.Array(
      Type.Object(
        {
          external_id: Type.Optional(Type.String({ minLength: 1 })),
          email: Type.Optional(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$' })),
          phone: Type.Optional(Type.String({ pattern: '^\\+[1-9]\\d{6,14}$' })),
          name: Type.String({ minLength: 1, maxLength: 255 }),
          time: Type.String({ format: 'date-time' }),
          properties: Type.Record(Type.String({ pattern: '^[^$].{0,254}$' }), Value, { additionalProperties: false }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 75 },
    ),
  },
  { additionalProperties: false },
)

function findProblem({ headers }: FakeRequest): FakeResponse | undefined {
  const key = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
  if (key === brazeLimitedKey) return json(403, { message: 'API key does not have the users.track permission' })
  return key === brazeKey ? undefined : json(401, { message: 'Invalid API Key' })
}

function failAs(failure: Failure | undefined): FakeResponse | undefined {
  if (failure === 'badRequest')
    return json(400, { message: "Valid data must be provided in the 'events' fields.", errors: [] })
  if (failure === 'rateLimited') {
    return json(
      429,
      { message: 'Too many requests' },
      {
        date: 'Tue, 03 Nov 2026 08:15:30 GMT',
        'x-ratelimit-limit': '3000',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Date.parse('2026-11-03T08:15:33Z') / 1_000),
      },
    )
  }
  if (failure === 'serverError') return json(500, { message: 'Internal Server Error' })
  if (failure === 'malformed')
    return { status: 201, headers: { 'content-type': 'application/json' }, body: '{"message":' }
  return undefined
}

/** An invalid event does not fail the request: it is listed in `errors` of a successful response. */
function acceptEvents(request: FakeRequest, events: FakeApi['events']): FakeResponse {
  const read = readBody(request, 'application/json', Events)
  if (typeof read === 'string') return json(400, { message: read, errors: [] })
  const given = (read.body as { events: EventObject[] }).events // as the schema has it
  const errors: unknown[] = []
  given.forEach(({ name, time, properties, ...identifiers }, index) => {
    const { event_id, ...others } = properties
    if (Object.keys(identifiers).length !== 1) {
      errors.push({ type: "'external_id', 'user_alias', 'braze_id', 'email' or 'phone' is required", index })
    } else if (identifiers.external_id === 'blocked') {
      errors.push({ type: 'provided external_id is blacklisted and disallowed', input_array: 'events', index })
    } else {
      events.push({ id: String(event_id), name, time: new Date(time).toISOString(), identifiers, properties: others })
    }
  })
  const processed = given.length - errors.length
  return json(201, {
    message: 'success',
    ...(processed > 0 ? { events_processed: processed } : {}),
    ...(errors.length > 0 ? { errors } : {}),
  })
}

type EventObject = { name: string; time: string; properties: Record<string, unknown> } & Record<
  'external_id' | 'email' | 'phone',
  string
>
