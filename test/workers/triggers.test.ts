import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { runJob } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { reportOrder } from '../harness/reported-orders.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

let receiver: Receiver
const opened: Receiver[] = []

beforeEach(async () => {
  receiver = await startReceiver()
  opened.push(receiver)
})
afterEach(() => clock.reset())
afterAll(async () => {
  for (const each of opened) await each.close()
})

const trigger = (fields: Record<string, unknown> = {}) => ({
  name: 'Stuck',
  operator: 'AND',
  time_threshold_type: 'latest_event_time',
  time_threshold_value: 48,
  phase_in: ['in_transit'],
  ...fields,
})

async function parcel(shop: ShopCaller): Promise<string> {
  const number = uniqueNumber('T')
  await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  return number
}

const scan = (shop: ShopCaller, id: string, event_name: string) =>
  shop.post('/shipment-events', { id, event_name, event_time: clock.now().toISOString() })

const fired = () =>
  receiver.received
    .filter(({ body }) => body.event_group === 'shipment_internal_trigger')
    .map(({ body }) => `${body.event_data.trigger_name} ${body.event_data.tracking_number}`)

describe('internal triggers', () => {
  it('fire once for a shipment that stays in a phase for too long', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    await shop.post('/settings/triggers/webhook/internal-triggers', trigger())
    const [stuck, moving, done] = [await parcel(shop), await parcel(shop), await parcel(shop)]
    for (const number of [stuck, moving, done]) await scan(shop, number, 'PARCEL_DISPATCHED')
    clock.advance(24 * hourMs)
    await scan(shop, moving, 'ARRIVED_AT_SORTING_CENTER')
    await scan(shop, done, 'SUCCESSFULLY_DELIVERED')
    await runJob('internal triggers')
    expect(fired()).toEqual([])
    clock.advance(25 * hourMs)
    await runJob('internal triggers')
    expect(fired()).toEqual([`Stuck ${stuck}`])
    clock.advance(25 * hourMs)
    await runJob('internal triggers')
    expect(fired()).toEqual([`Stuck ${stuck}`, `Stuck ${moving}`])
    clock.advance(10 * dayMs)
    await runJob('internal triggers')
    expect(fired()).toHaveLength(2)
  })

  it('ignore an order that has nothing to send, or was sent without a number', async () => {
    const own = await makeShop()
    const shop = own.as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    await shop.post(
      '/settings/triggers/webhook/internal-triggers',
      trigger({ name: 'Late', phase_in: ['order_created'] }),
    )
    const [late, left] = [uniqueNumber(), uniqueNumber()]
    await reportOrder(own, late)
    await reportOrder(own, left, { handedOverWithoutTracking: true })
    await createOrder(shop, { order_placed_at: undefined, products: [{ title: 'E-book', requires_shipping: false }] })
    clock.advance(49 * hourMs)
    await runJob('internal triggers')
    const sent = receiver.received.filter(({ body }) => body.event_group === 'shipment_internal_trigger')
    expect(sent.map(({ body }) => body.event_data.order_number)).toEqual([late])
  })

  it('combine events by AND and OR', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    const make = (name: string, fields: Record<string, unknown>) =>
      shop.post(
        '/settings/triggers/webhook/internal-triggers',
        trigger({ name, phase_in: [], time_threshold_value: 1, ...fields }),
      )
    const keys = ['PARCEL_DISPATCHED', 'ARRIVED_AT_SORTING_CENTER']
    await make('all', { event_key_in: keys })
    await make('one', { event_key_in: keys, operator: 'OR' })
    await make('none', { event_key_not_in: keys })
    await make('not both', { event_key_not_in: keys, operator: 'OR' })
    const [nothing, half, both] = [await parcel(shop), await parcel(shop), await parcel(shop)]
    await scan(shop, half, 'PARCEL_DISPATCHED')
    for (const key of keys) await scan(shop, both, key)
    clock.advance(2 * hourMs)
    await runJob('internal triggers')
    expect(fired().sort()).toEqual(
      [
        `all ${both}`,
        `one ${half}`,
        `one ${both}`,
        `none ${nothing}`,
        `not both ${nothing}`,
        `not both ${half}`,
      ].sort(),
    )
  })

  it('counted from creation fire when the phase is reached later', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    await shop.post(
      '/settings/triggers/webhook/internal-triggers',
      trigger({ time_threshold_type: 'created_at', time_threshold_value: 24 }),
    )
    const number = await parcel(shop)
    clock.advance(30 * hourMs)
    await runJob('internal triggers')
    expect(fired()).toEqual([])
    await scan(shop, number, 'PARCEL_DISPATCHED')
    clock.advance(2 * hourMs)
    await runJob('internal triggers')
    expect(fired()).toEqual([`Stuck ${number}`])
  })

  it('count from the newest event of any kind', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    await shop.post('/settings/triggers/webhook/internal-triggers', trigger())
    const number = await parcel(shop)
    await scan(shop, number, 'PARCEL_DISPATCHED')
    clock.advance(40 * hourMs)
    // Changes no phase, but counts as an event.
    await scan(shop, number, 'NOTIFICATION_SENT_TO_RECIPIENT')
    clock.advance(10 * hourMs)
    await runJob('internal triggers')
    expect(fired()).toEqual([])
    clock.advance(40 * hourMs)
    await runJob('internal triggers')
    expect(fired()).toEqual([`Stuck ${number}`])
  })

  it('fire for a parcel that is stored late with an old time', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    await shop.post('/settings/triggers/webhook/internal-triggers', trigger({ phase_in: ['order_processed'] }))
    clock.advance(hourMs)
    await runJob('internal triggers')
    const number = uniqueNumber('OLD')
    const placed = new Date(clock.now().getTime() - 5 * dayMs).toISOString()
    await createOrder(shop, { order_placed_at: placed }, [{ tracking_number: number, tracking_placed_at: placed }])
    clock.advance(hourMs)
    await runJob('internal triggers')
    expect(fired()).toEqual([`Stuck ${number}`])
  })

  it('reach only endpoints that listen to the current event', async () => {
    const shop = (await makeShop()).as('admin')
    const other = await startReceiver()
    opened.push(other)
    await shop.post('/webhooks', { url: receiver.url, enabled_events: ['shipments/in_transit'] })
    await shop.post('/webhooks', { url: other.url, enabled_events: ['claims', 'shipments/delivered'] })
    await shop.post('/settings/triggers/webhook/internal-triggers', trigger())
    const number = await parcel(shop)
    await scan(shop, number, 'PARCEL_DISPATCHED')
    clock.advance(49 * hourMs)
    await runJob('internal triggers')
    expect(fired()).toEqual([`Stuck ${number}`])
    expect(other.received).toEqual([])
  })

  it.each(['latest_event_time', 'created_at'])('apply to existing shipments only if requested, by %s', async (type) => {
    const shop = (await makeShop()).as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    const [stuck, done] = [await parcel(shop), await parcel(shop)]
    await scan(shop, stuck, 'PARCEL_DISPATCHED')
    await scan(shop, done, 'SUCCESSFULLY_DELIVERED')
    clock.advance(3 * dayMs)
    const fresh = await parcel(shop)
    clock.advance(hourMs)
    const make = (name: string, fields: Record<string, unknown>) =>
      shop.post(
        '/settings/triggers/webhook/internal-triggers',
        trigger({ name, phase_in: [], time_threshold_type: type, ...fields }),
      )
    expect((await make('from now on', {})).status).toBe(200)
    expect((await make('all', { apply_to_existing: true })).body).not.toHaveProperty('apply_to_existing')
    await runJob('internal triggers')
    expect(fired()).toEqual([`all ${stuck}`])
    clock.advance(minuteMs)
    await runJob('internal triggers')
    expect(fired()).toHaveLength(1)
    clock.advance(2 * dayMs)
    await runJob('internal triggers')
    expect(fired().sort()).toEqual([`all ${fresh}`, `all ${stuck}`, `from now on ${fresh}`].sort())
  })
})
