import type { Call } from '../../src/platform/foundation/call.ts'
import type { FakeApi } from './integration-suite.ts'

/** A call that the fake handles directly: for tests of an adapter over several calls. */
export function callTo(fake: Pick<FakeApi, 'respond'>): Call {
  return async ({ method, url, headers, body }) => {
    const { pathname, searchParams, origin } = new URL(url)
    const request = { method, path: pathname, query: searchParams, headers, body: body ?? '', baseUrl: origin }
    const response = fake.respond(request, undefined)
    return { status: response.status, headers: response.headers ?? {}, body: response.body ?? '' }
  }
}
