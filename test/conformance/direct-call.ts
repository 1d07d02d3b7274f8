import type { Call } from '../../src/foundation/call.ts'
import type { FakeApi } from './integration-suite.ts'

/** A call that the fake handles directly: for tests of an adapter over several calls. */
export function callTo(fake: Pick<FakeApi, 'answer'>): Call {
  return async ({ method, url, headers, body }) => {
    const { pathname, searchParams, origin } = new URL(url)
    const request = { method, path: pathname, query: searchParams, headers, body: body ?? '', baseUrl: origin }
    const answer = fake.answer(request, undefined)
    return { status: answer.status, headers: answer.headers ?? {}, body: answer.body ?? '' }
  }
}
