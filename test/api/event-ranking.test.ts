import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../src/foundation/clock.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { pagePathOf, visit } from '../harness/pages.ts'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const shop = (await makeShop()).as('editor')

/** An order that is imported now, with one parcel. */
async function importOrder() {
  const trackingNumber = uniqueNumber('RANK')
  const order = await createOrder(shop, {}, [{ tracking_number: trackingNumber }])
  return { order, trackingNumber, uuid: order.trackings[0].uuid as string }
}

const ago = (ms: number) => new Date(clock.now().getTime() - ms).toISOString()

const report = (uuid: string, event_name: string, event_time: string) =>
  shop.post(`/shipments/${uuid}/events`, { event_name, event_time })

async function stateOf(trackingNumber: string) {
  const { phase, flag, current_event_key } = (await shop.get('/shipments', { tracking_number: trackingNumber })).body
    .shipments[0]
  return { phase, flag, current_event_key }
}

describe('history reported for an order that is imported late', () => {
  it('outranks our own events', async () => {
    const { trackingNumber, uuid } = await importOrder()
    await report(uuid, 'PARCEL_DISPATCHED', ago(8 * dayMs))
    expect(await stateOf(trackingNumber)).toMatchObject({ phase: 'in_transit', current_event_key: 'PARCEL_DISPATCHED' })
    await report(uuid, 'SUCCESSFULLY_DELIVERED', ago(6 * dayMs))
    await report(uuid, 'OUT_FOR_DELIVERY', ago(7 * dayMs))
    expect(await stateOf(trackingNumber)).toEqual({
      phase: 'delivered',
      flag: 'normal',
      current_event_key: 'SUCCESSFULLY_DELIVERED',
    })
  })

  it('shows the customer a delivered parcel, without our own later events above it', async () => {
    const { order, uuid } = await importOrder()
    await report(uuid, 'SUCCESSFULLY_DELIVERED', ago(6 * dayMs))
    const { text } = await visit(await pagePathOf(shop, order.order_number))
    expect(text).toContain('Your parcel has arrived')
    expect(text).not.toContain('Your shipment is ready for the carrier')
  })

  it('does not outrank our own events if it is only a label or a cancellation', async () => {
    const { trackingNumber, uuid } = await importOrder()
    await report(uuid, 'PARCEL_DATA_SUBMITTED_TO_CARRIER', ago(dayMs))
    await report(uuid, 'ORDER_CANCELLED', ago(2 * dayMs))
    expect((await stateOf(trackingNumber)).current_event_key).toBe('ORDER_PROCESSED')
  })
})

describe('label', () => {
  it('never undoes a scan, however late it is printed', async () => {
    const { trackingNumber, uuid } = await importOrder()
    await report(uuid, 'ARRIVED_AT_SORTING_CENTER', ago(hourMs))
    await report(uuid, 'PARCEL_DATA_SUBMITTED_TO_CARRIER', ago(0))
    await report(uuid, 'ORDER_PROCESSED', ago(-hourMs))
    expect((await stateOf(trackingNumber)).current_event_key).toBe('ARRIVED_AT_SORTING_CENTER')
    await report(uuid, 'ORDER_CANCELLED', ago(-2 * hourMs))
    expect((await stateOf(trackingNumber)).phase).toBe('order_cancelled')
  })
})

describe('events in any order of arrival', () => {
  const names = [
    'ORDER_PROCESSED',
    'PARCEL_DATA_SUBMITTED_TO_CARRIER',
    'ORDER_CANCELLED',
    'PARCEL_DISPATCHED',
    'NOTIFICATION_SENT_TO_RECIPIENT',
    'SUCCESSFULLY_DELIVERED',
  ]
  const labels = new Set(['ORDER_CREATED', 'ORDER_PROCESSED', 'PARCEL_DATA_SUBMITTED_TO_CARRIER'])
  const scans = new Set(['PARCEL_DISPATCHED', 'SUCCESSFULLY_DELIVERED'])

  it('lead to the same state', async () => {
    const hours = fc.integer({ min: -12, max: 12 })
    const event = fc.record({ name: fc.constantFrom(...names), hours })
    const events = fc.uniqueArray(event, { minLength: 2, maxLength: 6, selector: ({ hours }) => hours })
    const orders = events.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    await fc.assert(
      fc.asyncProperty(orders, fc.boolean(), async ([list, arrived], areTogether) => {
        const { trackingNumber, uuid } = await importOrder()
        const now = clock.now().getTime()
        // Half an hour off ours, which are at the full hour.
        const timeOf = (hours: number) => now + (hours + 0.5) * hourMs
        const send = ({ name, hours }: (typeof arrived)[number]) =>
          report(uuid, name, new Date(timeOf(hours)).toISOString())
        // Concurrent requests are recorded by one statement.
        const replies = areTogether ? await Promise.all(arrived.map(send)) : []
        if (!areTogether) for (const event of arrived) replies.push(await send(event))
        expect(replies.map(({ status }) => status)).toEqual(arrived.map(() => 200))
        const own = { name: 'ORDER_PROCESSED', at: now }
        const all = [own, ...list.map(({ name, hours }) => ({ name, at: timeOf(hours) }))]
        const moving = all
          .filter(({ name }) => name !== 'NOTIFICATION_SENT_TO_RECIPIENT')
          .sort((left, right) => left.at - right.at)
        const isScanned = moving.some(({ name }) => scans.has(name))
        const expected = moving.findLast(({ name }) => !isScanned || !labels.has(name))
        expect((await stateOf(trackingNumber)).current_event_key, JSON.stringify(arrived)).toBe(expected?.name)
      }),
      { numRuns: 60 },
    )
  })
})
