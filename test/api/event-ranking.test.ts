import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { CaseCounter, permutationsOf } from '../harness/cases.ts'
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

interface Reported {
  name: string
  /** After our own event, which is recorded now; half an hour is added, so that no two are at the same time. */
  hours: number
}

/** Events by their own time, in the order in which they arrive, one by one or in concurrent requests. */
type Arrival = [events: [list: Reported[], arrived: Reported[]], areTogether: boolean]

describe('events in any order of arrival', () => {
  const names = ['PARCEL_DISPATCHED', 'SUCCESSFULLY_DELIVERED', 'ORDER_PROCESSED', 'PARCEL_DATA_SUBMITTED_TO_CARRIER']
  const labels = new Set(['ORDER_CREATED', 'ORDER_PROCESSED', 'PARCEL_DATA_SUBMITTED_TO_CARRIER'])
  const scans = new Set(['PARCEL_DISPATCHED', 'SUCCESSFULLY_DELIVERED'])

  const inTime = (list: Reported[]) => list.toSorted((left, right) => left.hours - right.hours)

  /** The rule in the plainest form, without what does not move a parcel. */
  function expectedOf(list: Reported[]): string | undefined {
    const own = { name: 'ORDER_PROCESSED', hours: -0.5 }
    const moving = inTime([own, ...list]).filter(({ name }) => name !== 'NOTIFICATION_SENT_TO_RECIPIENT')
    const isScanned = moving.some(({ name }) => scans.has(name))
    return moving.findLast(({ name }) => !isScanned || !labels.has(name))?.name
  }

  /** Each is tried in every order of arrival. */
  const told: Reported[][] = [
    [
      { name: 'PARCEL_DISPATCHED', hours: -6 },
      { name: 'ORDER_CANCELLED', hours: 2 },
      { name: 'PARCEL_DATA_SUBMITTED_TO_CARRIER', hours: 4 },
    ],
    [
      { name: 'ORDER_CANCELLED', hours: 2 },
      { name: 'PARCEL_DATA_SUBMITTED_TO_CARRIER', hours: 4 },
      { name: 'NOTIFICATION_SENT_TO_RECIPIENT', hours: 6 },
    ],
    [
      { name: 'ORDER_CANCELLED', hours: -8 },
      { name: 'SUCCESSFULLY_DELIVERED', hours: -6 },
      { name: 'ORDER_PROCESSED', hours: 3 },
    ],
    [
      { name: 'SUCCESSFULLY_DELIVERED', hours: -6 },
      { name: 'PARCEL_DISPATCHED', hours: -9 },
      { name: 'ORDER_CANCELLED', hours: -7 },
    ],
    [
      { name: 'ORDER_CANCELLED', hours: -6 },
      { name: 'PARCEL_DATA_SUBMITTED_TO_CARRIER', hours: -9 },
      { name: 'NOTIFICATION_SENT_TO_RECIPIENT', hours: 4 },
    ],
  ]
  const examples = told.flatMap((list): Arrival[] => [
    ...permutationsOf(list).map((arrived): Arrival => [[list, arrived], false]),
    [[list, list], true],
  ])

  const isBefore = (list: Reported[], first: (name: string) => boolean, second: (name: string) => boolean) =>
    list.some((one, index) => first(one.name) && list.slice(index + 1).some(({ name }) => second(name)))
  const isLabel = (name: string) => labels.has(name)
  const isCancelled = (name: string) => name === 'ORDER_CANCELLED'

  it('lead to the same state', async () => {
    const hours = fc.integer({ min: -12, max: 12 })
    const name = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...names) },
      { weight: 2, arbitrary: fc.constant('ORDER_CANCELLED') },
      { weight: 1, arbitrary: fc.constant('NOTIFICATION_SENT_TO_RECIPIENT') },
    )
    const events = fc.uniqueArray(fc.record({ name, hours }), {
      minLength: 2,
      maxLength: 6,
      selector: ({ hours }) => hours,
    })
    const arrivals = events.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    const cases = new CaseCounter<Arrival>({
      'a scan, then a cancellation, then a label': ([[list]]) => {
        const sorted = inTime(list)
        const scanned = sorted.findIndex(({ name }) => scans.has(name))
        return scanned !== -1 && isBefore(sorted.slice(scanned), isCancelled, isLabel)
      },
      'a scan that arrives after a later label': ([[, arrived]]) =>
        arrived.some(({ name, hours }, index) => {
          const before = arrived.slice(0, index)
          return scans.has(name) && before.some((other) => isLabel(other.name) && other.hours > hours)
        }),
      'a cancellation without a scan': ([[list]]) =>
        list.some(({ name }) => isCancelled(name)) && !list.some(({ name }) => scans.has(name)),
      'another result than that of the latest event': ([[list]]) => expectedOf(list) !== inTime(list).at(-1)?.name,
      'concurrent requests': ([, areTogether]) => areTogether,
    })
    await fc.assert(
      fc.asyncProperty(arrivals, fc.boolean(), async ([list, arrived], areTogether) => {
        cases.count([[list, arrived], areTogether])
        const { trackingNumber, uuid } = await importOrder()
        const now = clock.now().getTime()
        const send = ({ name, hours }: Reported) =>
          report(uuid, name, new Date(now + (hours + 0.5) * hourMs).toISOString())
        // Concurrent requests are recorded by one statement.
        const replies = areTogether ? await Promise.all(arrived.map(send)) : []
        if (!areTogether) for (const event of arrived) replies.push(await send(event))
        expect(replies.map(({ status }) => status)).toEqual(arrived.map(() => 200))
        const { current_event_key } = await stateOf(trackingNumber)
        expect(current_event_key, JSON.stringify(arrived)).toBe(expectedOf(list))
      }),
      { numRuns: examples.length + 60, examples },
    )
    cases.expectEach(5)
  })
})
