import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { runJob } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const path = '/settings/triggers/webhook/internal-triggers'
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
})
afterEach(() => clock.reset())
afterAll(() => receiver.close())

const draft = (fields: Record<string, unknown> = {}) => ({
  operator: 'AND',
  time_threshold_type: 'latest_event_time',
  time_threshold_value: 48,
  phase_in: ['in_transit'],
  ...fields,
})

async function parcel(shop: ShopCaller, ...events: string[]) {
  const number = uniqueNumber('P')
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  for (const event_name of events) {
    await shop.post('/shipment-events', { id: number, event_name, event_time: clock.now().toISOString() })
  }
  return { number, orderNumber: order.order_number as string }
}

async function preview(shop: ShopCaller, fields: Record<string, unknown> = {}) {
  const { body } = await shop.post(`${path}/preview`, draft(fields))
  return body
}

const numbers = (body: { shipments: { tracking_number: string }[] }) =>
  body.shipments.map(({ tracking_number }) => tracking_number)

describe('preview of an internal trigger', () => {
  it('lists the parcels that it would fire for, the newest first, with how long', async () => {
    const shop = (await makeShop()).as('admin')
    expect(await preview(shop)).toEqual({ count: 0, is_complete: true, shipments: [] })
    const old = await parcel(shop, 'PARCEL_DISPATCHED')
    clock.advance(3 * hourMs)
    const newer = await parcel(shop, 'PARCEL_DISPATCHED')
    const done = await parcel(shop, 'PARCEL_DISPATCHED', 'SUCCESSFULLY_DELIVERED')
    clock.advance(48 * hourMs)
    await parcel(shop, 'PARCEL_DISPATCHED')
    const found = await preview(shop)
    expect(found).toMatchObject({
      count: 2,
      is_complete: true,
      shipments: [
        { order_number: newer.orderNumber, phase: 'in_transit', event_name: 'PARCEL_DISPATCHED', hours: 48 },
        { order_number: old.orderNumber, hours: 51 },
      ],
    })
    expect(numbers(await preview(shop, { phase_in: [] }))).toEqual(
      expect.arrayContaining([newer.number, old.number, done.number]),
    )
    expect(numbers(await preview(shop, { event_key_in: ['SUCCESSFULLY_DELIVERED'] }))).toEqual([])
    expect((await preview(shop, { shipment_direction: 'customer_merchant' })).count).toBe(0)
    expect(numbers(await preview(shop, { time_threshold_type: 'created_at', time_threshold_value: 50 }))).toEqual([
      old.number,
    ])
  })

  it('is what the trigger then fires for, once', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    await parcel(shop, 'PARCEL_DISPATCHED')
    await parcel(shop, 'PARCEL_DISPATCHED', 'ARRIVED_AT_SORTING_CENTER')
    clock.advance(49 * hourMs)
    const wanted = { event_key_not_in: ['ARRIVED_AT_SORTING_CENTER'] }
    const expected = await preview(shop, wanted)
    expect(expected.count).toBe(1)
    const trigger = { name: 'Stuck', ...draft(wanted), apply_to_existing: true }
    const { id } = (await shop.post(path, trigger)).body
    await runJob('internal triggers')
    const fired = receiver.received.filter(({ body }) => body.event_data.trigger_name === 'Stuck')
    expect(fired.map(({ body }) => body.event_data.tracking_number)).toEqual(numbers(expected))
    expect((await preview(shop, { ...wanted, trigger_id: id })).count).toBe(0)
    expect((await preview(shop, wanted)).count).toBe(1)
  })

  it('has finished parcels only within a day of the threshold, as the trigger fires', async () => {
    const shop = (await makeShop()).as('admin')
    const { number } = await parcel(shop, 'SUCCESSFULLY_DELIVERED')
    const delivered = { phase_in: ['delivered'], time_threshold_value: 72 }
    clock.advance(3 * dayMs - hourMs)
    expect(numbers(await preview(shop, delivered))).toEqual([])
    clock.advance(2 * hourMs)
    expect(numbers(await preview(shop, delivered))).toEqual([number])
    clock.advance(dayMs)
    expect(numbers(await preview(shop, delivered))).toEqual([])
  })

  it('lists no more than the first fifty, and counts all', async () => {
    const shop = (await makeShop()).as('admin')
    for (let n = 0; n < 52; n += 1) await parcel(shop)
    clock.advance(49 * hourMs)
    const body = await preview(shop, { phase_in: ['order_processed'] })
    expect(body.count).toBe(52)
    expect(body.shipments).toHaveLength(50)
  })

  it('rejects conditions that no trigger can have', async () => {
    const shop = (await makeShop()).as('viewer')
    for (const fields of [
      { operator: 'XOR' },
      { time_threshold_value: -1 },
      { phase_in: ['x'] },
      { trigger_id: 'x' },
    ]) {
      expect((await shop.post(`${path}/preview`, draft(fields))).status).toBe(422)
    }
    expect((await shop.post(`${path}/preview`, draft())).status).toBe(200)
  })
})
