import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Service } from '../../src/service.ts'
import { waitingLimits } from '../../src/webhooks/event-feed/feed-readers.ts'
import { refs, report, sendParcel } from '../harness/event-feed.ts'
import { skipWaits } from '../harness/fast-waits.ts'
import { call, startNode, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const { all: maxWaiting, each } = waitingLimits
/** The guide to the feed promises it. */
const maxWaitingOfKey = 20

/** A second node on the same store, with a port. */
let node: Service
beforeAll(async () => {
  node = await startNode({ PORT: '0' })
})
afterAll(() => node.stop())

const waitingOn = (service: Service) => service.context().services.feedReaders.waiting

async function untilWaiting(service: Service, count: number): Promise<void> {
  await expect.poll(() => waitingOn(service), { timeout: 60_000 }).toBe(count)
}

/** A reading on the given node, as a viewer of the shop. */
async function read(made: TestShop, service: Service, query: Record<string, string | number>) {
  return call('GET', `/v1/shops/${made.slug}/events`, { auth: await made.credentials('viewer'), query }, service)
}

/** A shop whose feed is on, with a parcel and the cursor after everything that happened. */
async function openShop() {
  const made = await makeShop()
  const { number } = await sendParcel(made.as('admin'))
  const after: string = (await made.as('viewer').get('/events')).body.next
  return { made, number, after }
}

describe('a reading that waits', () => {
  it('ends with an event that is committed, on whichever node it waits', async () => {
    const { made, number, after } = await openShop()
    const services = [await theService(), node]
    const readings = services.map((service) => read(made, service, { after, wait: 30 }))
    for (const service of services) await untilWaiting(service, 1)
    await report(made.as('admin'), number, 'OUT_FOR_DELIVERY')
    for (const { body } of await Promise.all(readings)) {
      expect(refs(body.events)).toEqual(['shipments/in_delivery/OUT_FOR_DELIVERY'])
    }
    for (const service of services) expect(waitingOn(service)).toBe(0)
  })

  it('goes on waiting for the types that it wants', async () => {
    const { made, number, after } = await openShop()
    const reading = read(made, node, { after, wait: 30, types: 'shipments/delivered' })
    await untilWaiting(node, 1)
    await report(made.as('admin'), number, 'OUT_FOR_DELIVERY')
    await report(made.as('admin'), number, 'SUCCESSFULLY_DELIVERED')
    expect(refs((await reading).body.events)).toEqual(['shipments/delivered/SUCCESSFULLY_DELIVERED'])
  })

  it('ends without events when its time is over', async () => {
    const { made, after } = await openShop()
    skipWaits()
    expect((await read(made, node, { after, wait: 30 })).body).toEqual({ events: [], next: after })
  })

  it('is one of 20 of its key, on each node', async () => {
    const { made, number, after } = await openShop()
    const readings = Array.from({ length: maxWaitingOfKey }, () => read(made, node, { after, wait: 30 }))
    await untilWaiting(node, maxWaitingOfKey)
    const tooMany = await read(made, node, { after, wait: 30 })
    expect([tooMany.status, tooMany.body.key, tooMany.headers['retry-after']]).toEqual([429, 'rate_limited', '5'])
    expect((await read(made, node, { after })).status).toBe(200)
    const elsewhere = read(made, await theService(), { after, wait: 30 })
    await untilWaiting(await theService(), 1)
    await report(made.as('admin'), number, 'OUT_FOR_DELIVERY')
    for (const { body } of await Promise.all([...readings, elsewhere])) expect(body.events.length).toBe(1)
    expect(waitingOn(node)).toBe(0)
  })

  it('is one of 1,000 of its process', async () => {
    const { made, after } = await openShop()
    const { services, principal } = node.context()
    const waiters = Array.from(
      { length: maxWaiting },
      (_, n) =>
        services.feedReaders.begin({
          ...node.context(),
          principal: { ...principal, keyId: `key ${n}` },
          shop: { id: `shop ${n % 20}` },
        } as ShopContext), // begin reads nothing else of a shop
    )
    const tooMany = await read(made, node, { after, wait: 30 })
    expect([tooMany.status, tooMany.body.key]).toEqual([429, 'rate_limited'])
    for (const waiter of waiters) waiter.end()
    expect(waitingOn(node)).toBe(0)
  })

  it.each([
    ['shop', 'This shop has 100'],
    ['network', 'Your network has 300'],
  ] as const)('cannot take the places of all through one %s', async (group, message) => {
    const { feedReaders } = node.context().services
    const begin = (n: number, { shop = n % 50, network = n % 20 }) =>
      feedReaders.begin({
        ...node.context(),
        principal: { ...node.context().principal, keyId: `key ${n}` },
        shop: { id: `shop ${shop}` },
        client: { address: `10.0.${network}.${n % 250}`, whenGone: () => () => {} },
      } as unknown as ShopContext) // begin reads nothing else of a shop and a client
    const one = group === 'shop' ? { shop: 1 } : { network: 1 }
    const waiters = Array.from({ length: each[group] }, (_, n) => begin(n, one))
    expect(() => begin(each[group], one)).toThrow(message)
    waiters.push(begin(each[group], { shop: 99, network: 99 }))
    for (const waiter of waiters) waiter.end()
    expect(waitingOn(node)).toBe(0)
  })

  it('ends when the client is gone', async () => {
    const { made, after } = await openShop()
    const { username, apiKey } = await made.credentials('viewer')
    const reading = request(`${urlOf(node)}/v1/shops/${made.slug}/events?after=${after}&wait=30`, {
      auth: `${username}:${apiKey}`,
    })
    const isClosed = new Promise((resolve) => reading.once('error', resolve))
    reading.end()
    await untilWaiting(node, 1)
    reading.destroy(new Error('gone'))
    await isClosed
    await untilWaiting(node, 0)
  })

  it('ends when the service stops', async () => {
    const { made, after } = await openShop()
    const other = await startNode({})
    const reading = read(made, other, { after, wait: 30 })
    await untilWaiting(other, 1)
    await other.stop()
    expect((await reading).body).toEqual({ events: [], next: after })
  })
})

function urlOf({ app }: Service): string {
  const address = app.server.address()
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
}
