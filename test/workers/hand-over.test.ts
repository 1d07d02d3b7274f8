import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { secondMs } from '../../src/platform/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { type Received, type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

afterEach(() => clock.reset())

async function openReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}

/** Responds some iterations of the event loop later, and counts how many requests are in flight at once. */
function respondLater(receiver: Receiver, keyOf: (request: Received) => string) {
  const waiting = new Map<string, number>()
  const most = new Map<string, number>()
  receiver.respond = (request) => {
    const key = keyOf(request)
    const count = (waiting.get(key) ?? 0) + 1
    waiting.set(key, count)
    most.set(key, Math.max(count, most.get(key) ?? 0))
    void later().then(() => {
      waiting.clear()
      receiver.release()
    })
    return { held: { status: 200 } }
  }
  return { most: () => Math.max(0, ...most.values()) }
}

/** Long enough for concurrent requests to arrive. */
async function later(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

async function sendParcels(shop: ShopCaller, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, () => uniqueNumber('HO'))
  const orders = numbers.map((number) =>
    upsertOf(number, { order_placed_at: undefined }, [{ tracking_number: number }]),
  )
  const { status, text } = await shop.put('/orders/bulk', orders)
  if (status !== 200) throw new Error(text)
  return numbers
}

const scan = (shop: ShopCaller, id: string, event_name: string) =>
  shop.post('/shipment-events?notify=true', { id, event_name })

describe('published deliveries', () => {
  it('are sent once each in a burst, with bounded concurrency per receiver', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    const numbers = await sendParcels(shop, 220)
    const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
    const { most } = respondLater(receiver, () => 'all')
    // More than a receiver queue has in flight and in memory: some are claimed from the database.
    await Promise.all(numbers.map((number) => scan(shop, number, 'PARCEL_DISPATCHED')))
    await Promise.all(numbers.map((number) => scan(shop, number, 'OUT_FOR_DELIVERY')))
    await receiver.until(440)
    await settle()
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(440)
    expect(receiver.received).toHaveLength(440)
    expect(most()).toBeLessThanOrEqual(32)
    const { headers } = await shop.get(`/webhooks/${endpoint.uuid}/deliveries`, { status: 'delivered' })
    expect(headers['x-total-count']).toBe('440')
  })

  it('arrive in order and one at a time per shipment, while shipments overtake each other', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    const numbers = await sendParcels(shop, 8)
    await shop.post('/webhooks', { url: receiver.url })
    const numberOf = ({ body }: Received) => body.event_data.tracking_number as string
    const { most } = respondLater(receiver, numberOf)
    const names = ['PARCEL_DISPATCHED', 'ARRIVED_AT_SORTING_CENTER', 'OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED']
    for (const name of names) await Promise.all(numbers.map((number) => scan(shop, number, name)))
    await receiver.until(32)
    await settle()
    expect(most()).toBe(1)
    for (const number of numbers) {
      const own = receiver.received.filter((request) => numberOf(request) === number)
      expect(own.map(({ body }) => body.event_data.event_name)).toEqual(names)
    }
  })

  it('do not reach an endpoint that was deleted while they waited', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    const numbers = await sendParcels(shop, 30)
    const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
    receiver.respond = () => ({ held: { status: 200 } })
    await Promise.all(numbers.map((number) => scan(shop, number, 'OUT_FOR_DELIVERY')))
    await receiver.until(16)
    await shop.delete(`/webhooks/${endpoint.uuid}`)
    // Longer than a worker sends deliveries from memory without checking the endpoint again.
    clock.advance(3 * secondMs)
    receiver.release()
    await settle()
    expect(receiver.received).toHaveLength(16)
  })

  it('are released by a process that stops before sending them, and sent by the next', async () => {
    const database = await openTestDatabase()
    const shared = { ...database, close: async () => {} }
    const first = await startTestService({}, shared)
    const shop = (await makeShop({}, first)).as('admin')
    const receiver = await openReceiver()
    const numbers = await sendParcels(shop, 40)
    await shop.post('/webhooks', { url: receiver.url })
    receiver.respond = () => ({ held: { status: 200 } })
    await Promise.all(numbers.map((number) => scan(shop, number, 'OUT_FOR_DELIVERY')))
    await receiver.until(16)
    const stopped = first.stop()
    receiver.respond = () => ({ status: 200 })
    receiver.release()
    await stopped
    expect(receiver.received.length).toBeLessThan(40)
    const second = await startTestService({}, shared)
    try {
      await receiver.until(40)
      await settle(second)
      expect(receiver.received).toHaveLength(40)
      const rows = await second.database.db.selectFrom('deliveries').select(['status', 'attempts']).execute()
      // No attempt was counted that was not made.
      for (const { status, attempts } of rows) expect([status, attempts]).toEqual(['delivered', 1])
    } finally {
      await second.stop()
      await database.close()
    }
  })
})
