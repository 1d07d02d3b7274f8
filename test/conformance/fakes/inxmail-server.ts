import type { Failure, FakeApi, FakeRequest, FakeResponse } from '../integration-suite.ts'

export const inxmailKeys = {
  right: { username: 'key-1', password: 'a-secret-of-inxmail' },
  wrong: { username: 'key-1', password: 'another-secret-than-that' },
  limited: { username: 'key-2', password: 'a-secret-without-rights' },
}

/** The trigger of Inxmail Commerce: POST /api-service/v1/events of one space. */
export function createFakeInxmail(): FakeApi {
  const events: FakeApi['events'] = []

  function accept({ body }: FakeRequest): FakeResponse {
    const { event, transactionId, payload, ...rest } = JSON.parse(body)
    const isWhole = typeof event === 'string' && typeof transactionId === 'string' && typeof payload === 'object'
    if (!isWhole || Object.keys(rest).length > 0) return error(400, 'Bad Request', 'the request is not valid')
    if (!/^[^\s@]+@[^\s@]+$/.test(payload?.email)) return error(400, 'Bad Request', 'the payload has no e-mail address')
    const { email, triggered_at: time, ...properties } = payload
    events.push({ id: transactionId, name: event, time, identifiers: { email }, properties })
    return json(200, { transactionId })
  }

  return {
    events,
    respond(request, failure) {
      const { method, path, headers } = request
      if (method !== 'POST' || path !== '/api-service/v1/events') return error(404, 'Not Found', 'No message available')
      if (headers.authorization === basic(inxmailKeys.limited)) return error(403, 'Forbidden', 'Access is denied')
      if (headers.authorization !== basic(inxmailKeys.right)) return error(401, 'Unauthorized', 'Bad credentials')
      if (failure !== undefined) return fail(failure)
      if (headers['content-type'] !== 'application/json') return error(415, 'Unsupported Media Type', '')
      if (headers.accept !== 'application/json') return error(406, 'Not Acceptable', '')
      return accept(request)
    },
  }
}

function fail(failure: Failure): FakeResponse {
  if (failure === 'badRequest') return error(400, 'Bad Request', 'the event is not known')
  if (failure === 'serverError') return error(500, 'Internal Server Error', 'No message available')
  if (failure === 'malformed')
    return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"transact' }
  const response = error(429, 'Too Many Requests', '')
  return { ...response, headers: { ...response.headers, 'retry-after': '7' } }
}

/** The shape of all errors of this API. */
function error(status: number, name: string, message: string): FakeResponse {
  const path = '/v1/events'
  return json(status, { timestamp: '2026-11-03T08:15:30.257+0000', status, error: name, message, path })
}

function json(status: number, body: unknown): FakeResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}
