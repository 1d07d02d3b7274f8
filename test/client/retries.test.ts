import { describe, expect, it } from 'vitest'
import { createClient } from '../../packages/client/src/client.ts'
import { paginate } from '../../packages/client/src/pages.ts'
import { type RetryOptions, retrying } from '../../packages/client/src/retries.ts'
import { inject } from '../harness/client.ts'
import { makeShop } from '../harness/shop.ts'

const address = 'http://doorstep.example'
const orders = `${address}/v1/shops/river-and-pine/orders`

describe('retrying', () => {
  it('tries a read again until there is a response', async () => {
    const { requests, response } = await send(new Request(orders), ['lost', 503, 200])
    expect([requests.length, response?.status]).toEqual([3, 200])
  })

  it('gives up after the attempts, with the last failure', async () => {
    const busy = await send(new Request(orders), [503, 503, 502, 200], { attempts: 3 })
    expect([busy.requests.length, busy.response?.status]).toEqual([3, 502])
    const lost = await send(new Request(orders), ['lost', 'lost'], { attempts: 2 })
    expect(lost.error).toEqual(new TypeError('fetch failed'))
  })

  it.each(['lost', 408, 429, 502, 503, 504] as const)('tries again after %s', async (failure) => {
    const { requests, response } = await send(new Request(orders), [failure, 200])
    expect([requests.length, response?.status]).toEqual([2, 200])
  })

  it.each([400, 401, 404, 409, 422, 500])('does not repeat a request that is rejected with %i', async (status) => {
    const { requests } = await send(post(orders), [status, 200])
    expect(requests).toHaveLength(1)
  })

  it('sends a POST with the same key and the same body each time', async () => {
    const { requests } = await send(post(orders), ['lost', 504, 200])
    expect(requests.map(({ body }) => body)).toEqual(Array(3).fill('{"a":1}'))
    const [key] = requests.map(({ key }) => key)
    expect(key).toMatch(/^[\w-]{36}$/)
    expect(requests.map((each) => each.key)).toEqual([key, key, key])
  })

  it("keeps the caller's own key", async () => {
    const { requests } = await send(post(orders, { 'idempotency-key': 'mine' }), [503, 200])
    expect(requests.map(({ key }) => key)).toEqual(['mine', 'mine'])
  })

  it.each(['/v1/session', '/v1/public/some-token/clicks', '/behind/a/proxy/v1/session/totp'])(
    'never repeats POST %s, for which keys do not count, unless it was too early',
    async (path) => {
      const lost = await send(post(address + path), ['lost', 200])
      expect([lost.requests.length, lost.requests[0]?.key]).toEqual([1, null])
      const early = await send(post(address + path), [429, 200])
      expect(early.requests).toHaveLength(2)
    },
  )

  it('waits as long as the service says, or longer each time', async () => {
    const { waits } = await send(new Request(orders), [[429, '7'], 503, 503, 200])
    expect(waits[0]).toBe(7_000)
    expect(waits[1]).toBeLessThan(waits[2] ?? 0)
  })

  it('waits until a date, too', async () => {
    const inTenMinutes = new Date(Date.now() + 600_000).toUTCString()
    const { waits } = await send(new Request(orders), [[503, inTenMinutes], 200], { longestWaitMs: 3_600_000 })
    expect(waits[0]).toBeGreaterThan(500_000)
  })

  it('gives up if the service wants a longer wait than the caller', async () => {
    const { requests, response } = await send(new Request(orders), [[429, '3600'], 200])
    expect([requests.length, response?.status]).toEqual([1, 429])
    const bounded = await send(new Request(orders), [[429, '10'], 200], { longestWaitMs: 10_000 })
    expect([bounded.waits, bounded.response?.status]).toEqual([[10_000], 200])
  })

  it('ends while it waits when the call is aborted', async () => {
    const controller = new AbortController()
    const sent: Request[] = []
    const busy = async (request: Request) => {
      sent.push(request)
      setTimeout(() => controller.abort(new Error('enough')))
      return new Response(null, { status: 503, headers: { 'retry-after': '29' } })
    }
    const call = retrying({ fetch: busy })(new Request(orders, { signal: controller.signal }))
    await expect(call).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })

  it('creates one record, although the first response is lost', async () => {
    const shop = await makeShop()
    let lost = 0
    const losing = async (request: Request) => {
      const response = await inject(request)
      if (request.method === 'POST' && lost++ === 0) throw new TypeError('fetch failed')
      return response
    }
    const client = createClient({
      baseUrl: address,
      credentials: await shop.credentials('admin'),
      fetch: retrying({ fetch: losing, wait: async () => {} }),
    })
    const params = { path: { slug: shop.slug } }
    await client.post('/v1/shops/{slug}/webhooks', { params, body: { url: 'https://receiver.example/hook' } })
    const { items } = await client.list('/v1/shops/{slug}/webhooks', { params })
    expect([lost, items.length]).toEqual([2, 1])
  })
})

describe('paginate', () => {
  it('returns every item, and reads a page when it is needed', async () => {
    const shop = await makeShop()
    const titles = ['one', 'two', 'three', 'four', 'five']
    await shop.as('editor').post(
      '/products',
      titles.map((title) => ({ product_id: title, variant_id: '1', title })),
    )
    const pages: (string | null)[] = []
    const counting = async (request: Request) => {
      pages.push(new URL(request.url).searchParams.get('page'))
      return inject(request)
    }
    const credentials = await shop.credentials('editor')
    const client = createClient({ baseUrl: address, credentials, fetch: counting })
    const found: string[] = []
    const init = { params: { path: { slug: shop.slug }, query: { per_page: 2 } } }
    for await (const { title } of paginate(client, '/v1/shops/{slug}/products', init)) {
      if (found.length === 0) expect(pages).toEqual([null])
      found.push(String(title))
    }
    expect(found.toSorted()).toEqual(titles.toSorted())
    expect(pages).toEqual([null, '2', '3'])
  })
})

type Outcome = number | 'lost' | [status: number, retryAfter: string]

/** Sends a request to a service that responds so, one after the other. */
async function send(request: Request, outcomes: Outcome[], options: RetryOptions = {}) {
  const requests: { key: string | null; body: string }[] = []
  const waits: number[] = []
  const fetch = async (each: Request) => {
    requests.push({ key: each.headers.get('idempotency-key'), body: await each.text() })
    const outcome = outcomes[requests.length - 1] ?? 200
    if (outcome === 'lost') throw new TypeError('fetch failed')
    const [status, retryAfter] = Array.isArray(outcome) ? outcome : [outcome, undefined]
    return Response.json({ key: 'x' }, { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} })
  }
  const wait = async (ms: number) => void waits.push(ms)
  const [response, error] = await retrying({ fetch, wait, ...options })(request).then(
    (value) => [value, undefined],
    (reason: unknown) => [undefined, reason],
  )
  return { requests, waits, response: response as Response | undefined, error }
}

function post(url: string, headers: Record<string, string> = {}): Request {
  return new Request(url, { method: 'POST', body: '{"a":1}', headers })
}
