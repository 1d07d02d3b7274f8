import type { Failure, FakeApi, FakeRequest, FakeResponse } from '../integration-suite.ts'

export interface FakeEmarsys extends FakeApi {
  /** The external events of the account: number by name. */
  externalEvents: Map<string, number>
  /** Method and path of all calls in the order of arrival. */
  calls: string[]
  /** Revokes the tokens granted so far. */
  revokeTokens(): void
  /** Responses to the next triggers, instead of the usual ones. */
  triggerResponses: FakeResponse[]
  tokenLifetime: number
}

export const emarsysClients = {
  right: { client_id: 'client-1', client_secret: 'a-secret-of-emarsys' },
  wrong: { client_id: 'client-1', client_secret: 'another-secret-than-that' },
  limited: { client_id: 'client-2', client_secret: 'a-secret-without-rights' },
}

const triggerFields = new Set(['key_id', 'external_id', 'trigger_id', 'event_time', 'data'])

/** The token endpoint and the external events of the Emarsys Core API v3, with one contact. */
export function createFakeEmarsys(contact: string, resetAt: number): FakeEmarsys {
  const tokens = new Map<string, 'right' | 'limited'>()
  const known = Object.entries(emarsysClients).filter(([name]) => name !== 'wrong')

  function grant({ headers, body }: FakeRequest): FakeResponse {
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') return json(400, { error: 'invalid_request' })
    if (body !== 'grant_type=client_credentials') return json(400, { error: 'unsupported_grant_type' })
    const client = known.find(([, { client_id, client_secret }]) => {
      return headers.authorization === `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
    })
    if (client === undefined) return json(401, { error: 'invalid_client' })
    fake.tokensGranted += 1
    const token = `token-${fake.tokensGranted}-for-${client[0]}`
    tokens.set(token, client[0] === 'limited' ? 'limited' : 'right')
    return json(200, { access_token: token, expires_in: fake.tokenLifetime, scope: '', token_type: 'bearer' })
  }

  function createEvent(body: string): FakeResponse {
    const { name, ...rest } = JSON.parse(body)
    if (typeof name !== 'string' || name === '' || Object.keys(rest).length > 0) {
      return reply(400, 5002, 'Parameter name is required.')
    }
    if (fake.externalEvents.has(name)) return reply(400, 5003, 'An external event with this name already exists.')
    const id = 4_000 + fake.calls.length
    fake.externalEvents.set(name, id)
    return reply(200, 0, 'OK', { id, name, created: '2026-11-03 08:15:30' })
  }

  function trigger(id: number, body: string): FakeResponse {
    const planned = fake.triggerResponses.shift()
    if (planned !== undefined) return planned
    const given = JSON.parse(body)
    if (Object.keys(given).some((field) => !triggerFields.has(field)))
      return reply(400, 1010, 'Invalid request payload.')
    const name = [...fake.externalEvents].find(([, number]) => number === id)?.[0]
    if (name === undefined) return reply(400, 5001, 'No event found with the specified ID.')
    if (given.key_id !== 3) return reply(400, 2004, `Invalid key field id: ${given.key_id}`)
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(given.event_time)) {
      return reply(400, 5010, 'Invalid event time format.')
    }
    if (typeof given.data !== 'object' || given.data === null) return reply(400, 5011, 'Event data is not an object.')
    if (given.external_id !== contact)
      return reply(400, 2008, `No contact found with the external id: 3 - ${given.external_id}`)
    fake.events.push({
      id: given.trigger_id,
      name,
      time: new Date(given.event_time).toISOString(),
      identifiers: { email: given.external_id },
      properties: given.data,
    })
    return reply(200, 0, 'OK', {})
  }

  const fake: FakeEmarsys & { tokensGranted: number } = {
    events: [],
    externalEvents: new Map([['Newsletter Welcome', 4_000]]),
    calls: [],
    triggerResponses: [],
    tokenLifetime: 3_600,
    tokensGranted: 0,
    revokeTokens: () => tokens.clear(),
    respond(request, failure) {
      const { method, path, headers, body } = request
      fake.calls.push(`${method} ${path}`)
      if (method === 'POST' && path === '/oauth2/token') return grant(request)
      const client = tokens.get(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
      if (client === undefined) return reply(401, 1, 'Credentials are invalid')
      if (client === 'limited') return reply(403, undefined, 'Forbidden')
      if (failure !== undefined) return fail(failure, resetAt)
      if (method === 'POST' && headers['content-type'] !== 'application/json') {
        return reply(400, 1010, 'Invalid request payload.')
      }
      if (method === 'GET' && path === '/api/v3/event') {
        return reply(
          200,
          0,
          'OK',
          [...fake.externalEvents].map(([name, id]) => ({ id: String(id), name, created: '' })),
        )
      }
      if (method === 'POST' && path === '/api/v3/event') return createEvent(body)
      const id = /^\/api\/v3\/event\/(\d+)\/trigger$/.exec(path)?.[1]
      return method === 'POST' && id !== undefined ? trigger(Number(id), body) : json(404, {})
    },
  }
  return fake
}

function fail(failure: Failure, resetAt: number): FakeResponse {
  if (failure === 'badRequest') return reply(400, 1001, 'One or more parameters are invalid or missing.')
  if (failure === 'serverError') return reply(500, 2011, 'Database connection error')
  if (failure === 'malformed')
    return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"replyCode":0,' }
  const response = reply(429, 7003, 'Too many requests for this account and resource within the last minute.')
  const limits = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(resetAt) }
  return { ...response, headers: { ...response.headers, ...limits } }
}

function reply(status: number, replyCode: number | undefined, replyText: string, data: unknown = ''): FakeResponse {
  return json(status, { replyCode, replyText, data })
}

function json(status: number, body: unknown): FakeResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
