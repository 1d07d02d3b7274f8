import { describe, expect, it } from 'vitest'
import { ApiError, type Client, createClient } from '../../packages/client/src/client.ts'
import { nameOf } from '../../packages/client/src/events.ts'
import { type FeedEvent, type FollowOptions, followEvents } from '../../packages/client/src/feed.ts'
import { inject } from '../harness/client.ts'
import { createOrder } from '../harness/orders.ts'
import { makeShop } from '../harness/shop.ts'

describe('followEvents', () => {
  it('returns the events of the service in order, and continues after a cursor', async () => {
    const shop = await makeShop()
    const credentials = await shop.credentials('editor')
    const client = createClient({ baseUrl: 'http://doorstep.example', credentials, fetch: inject })
    const options = { waitSeconds: 0, limit: 1 }
    expect(await readAll(client, shop.slug, options)).toEqual([])
    const numbers: string[] = []
    for (let count = 0; count < 3; count += 1) {
      numbers.push((await createOrder(shop.as('editor'))).order_number)
    }
    const events = await readAll(client, shop.slug, options)
    expect(events.map((event) => event.context.order.order_number)).toEqual(numbers)
    expect(events.map(nameOf)).toEqual(['ORDER_CREATED', 'ORDER_CREATED', 'ORDER_CREATED'])
    const rest = await readAll(client, shop.slug, { ...options, after: String(events[0]?.cursor) })
    expect(rest).toEqual(events.slice(1))
    expect(await readAll(client, shop.slug, { ...options, types: ['claims'] })).toEqual([])
  })

  it('continues after failures that pass, where it was', async () => {
    const { client, queries } = serving([page('a'), 'down', 429, page('b')])
    const waits: number[] = []
    const following = followEvents(client, 'a-shop', { wait: async (ms) => void waits.push(ms) })
    const events = [await following.next(), await following.next()]
    expect(events.map(({ value }) => value?.cursor)).toEqual(['a', 'b'])
    expect(queries.map(({ after, wait }) => [after, wait])).toEqual([
      [null, '25'],
      ['a', '25'],
      ['a', '25'],
      ['a', '25'],
    ])
    expect(waits).toEqual([expect.any(Number), 3_000])
  })

  it('throws what does not pass, and what does not pass in time', async () => {
    const expired = serving([410])
    await expect(followEvents(expired.client, 'a-shop').next()).rejects.toMatchObject({ key: 'cursor_expired' })
    const down = serving(Array(5).fill('down'))
    const following = followEvents(down.client, 'a-shop', { failuresInARow: 3, wait: async () => {} })
    await expect(following.next()).rejects.toBeInstanceOf(ApiError)
    expect(down.queries).toHaveLength(3)
  })

  it('ends with the signal, while it reads and while it waits', async () => {
    const controller = new AbortController()
    const { client } = serving(['down'])
    const waiting = followEvents(client, 'a-shop', {
      signal: controller.signal,
      wait: async (_ms, signal) => {
        controller.abort(new Error('enough'))
        signal.throwIfAborted()
      },
    })
    await expect(waiting.next()).rejects.toThrow('enough')
    await expect(followEvents(client, 'a-shop', { signal: controller.signal }).next()).rejects.toThrow('enough')
  })
})

async function readAll(client: Client, slug: string, options: FollowOptions): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  for await (const event of followEvents(client, slug, options)) events.push(event)
  return events
}

const page = (cursor: string) => ({ events: [{ cursor }], next: cursor })

/** A service that responds so, one after the other. */
function serving(outcomes: ('down' | number | object)[]) {
  const queries: Record<string, string | null>[] = []
  const fetch = async ({ url, signal }: Request) => {
    signal.throwIfAborted()
    const { searchParams } = new URL(url)
    queries.push({ after: searchParams.get('after'), wait: searchParams.get('wait') })
    const outcome = outcomes[queries.length - 1]
    if (outcome === 'down') throw new TypeError('fetch failed')
    if (typeof outcome !== 'number') return Response.json(outcome)
    const key = outcome === 410 ? 'cursor_expired' : 'rate_limited'
    return Response.json(
      { key, message: '', type: '', errors: [] },
      { status: outcome, headers: { 'retry-after': '3' } },
    )
  }
  return { client: createClient({ baseUrl: 'http://doorstep.example', fetch }), queries }
}
