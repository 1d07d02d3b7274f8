import { Type } from '../../../src/platform/foundation/schema.ts'
import type { Failure, FakeApi, FakeRequest, FakeResponse } from '../integration-suite.ts'
import { json, readBody } from './check.ts'

/**
 * HubSpot as its API reference describes it: a private app's token with scopes, custom events that were defined
 * beforehand, lists of a contact by number.
 * https://developers.hubspot.com/docs/api-reference/2026-03/events/send-event-data/send-event-occurrence
 */
export function createHubspotFake(): FakeApi {
  const events: FakeApi['events'] = []
  return {
    events,
    respond(request, failure) {
      const problem = findProblem(request) ?? failAs(failure)
      if (problem !== undefined) return problem
      if (request.path === '/events/2026-03/send' && request.method === 'POST') return acceptEvent(request, events)
      if (request.method !== 'GET') return errorResponse(405, 'METHOD_NOT_ALLOWED', 'Method not allowed')
      if (request.path === '/account-info/v3/details') {
        const portalId = Number(hubspotPortalId)
        return json(200, { portalId, accountType: 'STANDARD', companyCurrency: 'EUR', timeZone: 'Europe/Berlin' })
      }
      if (request.path === '/crm/v3/lists/') return nameLists(request)
      if (request.path === '/crm/v3/lists/records/0-1/151/memberships') return listMemberships(request)
      return findContact(request)
    },
  }
}

export const hubspotKey = 'pat-eu1-01234567-89ab-cdef-0123-456789abcdef'
export const hubspotLimitedKey = 'pat-eu1-11111111-89ab-cdef-0123-456789abcdef'
export const hubspotPortalId = '1234567'

const definedEvents = ['shipment_out_for_delivery', 'claim_created'].map((name) => `pe${hubspotPortalId}_${name}`)

const Event = Type.Object(
  {
    eventName: Type.String({ pattern: '^pe\\d+_[a-z][a-z0-9_-]*$' }),
    email: Type.Optional(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$' })),
    utk: Type.Optional(Type.String()),
    objectId: Type.Optional(Type.String()),
    uuid: Type.String({ minLength: 1 }),
    occurredAt: Type.String({ format: 'date-time' }),
    properties: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' }), Type.String({ maxLength: 256 }), {
      maxProperties: 50,
      additionalProperties: false,
    }),
  },
  { additionalProperties: false },
)

function findProblem({ headers }: FakeRequest): FakeResponse | undefined {
  const key = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
  if (key === hubspotLimitedKey) {
    return errorResponse(403, 'MISSING_SCOPES', "This app hasn't been granted all required scopes to make this call.")
  }
  if (key === hubspotKey) return undefined
  return errorResponse(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.')
}

function failAs(failure: Failure | undefined): FakeResponse | undefined {
  if (failure === 'badRequest') return errorResponse(400, 'VALIDATION_ERROR', 'Invalid input JSON')
  if (failure === 'rateLimited') {
    return json(
      429,
      {
        status: 'error',
        message: 'You have reached your ten_secondly_rolling limit.',
        errorType: 'RATE_LIMIT',
        correlationId,
        policyName: 'TEN_SECONDLY_ROLLING',
      },
      { 'x-hubspot-ratelimit-interval-milliseconds': '10000', 'x-hubspot-ratelimit-max': '190' },
    )
  }
  if (failure === 'serverError') return errorResponse(500, 'INTERNAL_ERROR', 'internal error')
  if (failure === 'malformed')
    return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"id":"15' }
  return undefined
}

function acceptEvent(request: FakeRequest, events: FakeApi['events']): FakeResponse {
  const read = readBody(request, 'application/json', Event)
  if (typeof read === 'string') return errorResponse(400, 'VALIDATION_ERROR', read)
  const { eventName, uuid, occurredAt, properties, ...identifiers } = read.body as EventBody // as the schema has it
  if (!definedEvents.includes(eventName))
    return errorResponse(400, 'VALIDATION_ERROR', `No event definition for ${eventName}`)
  if (Object.keys(identifiers).length === 0) return errorResponse(400, 'VALIDATION_ERROR', 'An identifier is required')
  if (events.some(({ id }) => id === uuid)) return errorResponse(409, 'CONFLICT', `An event with the id ${uuid} exists`)
  events.push({ id: uuid, name: eventName, time: new Date(occurredAt).toISOString(), identifiers, properties })
  return { status: 204 }
}

type EventBody = {
  eventName: string
  uuid: string
  occurredAt: string
  properties: Record<string, string>
} & Record<'email' | 'utk' | 'objectId', string>

function findContact({ path, query }: FakeRequest): FakeResponse {
  const email = decodeURIComponent(/^\/crm\/v3\/objects\/contacts\/([^/]+)$/.exec(path)?.[1] ?? '')
  if (query.get('idProperty') !== 'email') return errorResponse(400, 'VALIDATION_ERROR', 'Invalid idProperty')
  if (email !== 'jane.doe+parcels@example.com') return errorResponse(404, 'OBJECT_NOT_FOUND', 'resource not found')
  return json(200, { id: '151', properties: { email }, createdAt: '2026-01-01T00:00:00Z', archived: false })
}

/** Two pages of memberships. */
function listMemberships({ query }: FakeRequest): FakeResponse {
  const membership = (listId: string) => ({ listId, listVersion: 1, firstAddedTimestamp: '2026-01-01T00:00:00Z' })
  if (query.get('after') === 'page2') return json(200, { results: [membership('12')], total: 3 })
  const paging = { next: { after: 'page2', link: '?after=page2' } }
  return json(200, { results: [membership('9'), membership('10')], paging, total: 3 })
}

function nameLists({ query }: FakeRequest): FakeResponse {
  const names: Record<string, string> = { 9: 'VIP', 10: 'Newsletter', 11: 'Somebody else', 12: 'Repeat buyers' }
  const wanted = query.getAll('listIds')
  return json(200, { lists: wanted.reverse().map((listId) => ({ listId, name: names[listId], objectTypeId: '0-1' })) })
}

const correlationId = 'aeb5f871-7f07-4993-9211-075dc63e7cbf'

function errorResponse(status: number, category: string, message: string): FakeResponse {
  return json(status, { status: 'error', message, correlationId, category })
}
