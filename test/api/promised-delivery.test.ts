import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { retractCarrierEvents } from '../../src/orders/events/recompute.ts'
import { after, dayMs, hourMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { inTransaction } from '../../src/platform/foundation/transaction.ts'
import { shopIdOf } from '../harness/customers.ts'
import { runJob } from '../harness/deliveries.ts'
import { createOrder, readOrder, uniqueNumber, upsertOf } from '../harness/orders.ts'
import { dayIn, promisedOrder, promiseIdOf, scan, shownPromise } from '../harness/promised-orders.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

// Time only moves on: the job runs once per period.
afterAll(() => clock.reset())

let made: TestShop
let shop: ShopCaller

beforeAll(async () => {
  made = await makeShop()
  shop = made.as('editor')
})

async function pass(ms = 0): Promise<void> {
  clock.advance(Math.max(ms, 11 * secondMs))
  await runJob('exceptions')
}

const promiseOf = async (order: { uuid: string }) => (await shop.get(`/orders/${order.uuid}`)).body.promised_delivery
const given = { promised_delivery: { latest: '2027-01-20' } }

/** Until a whole number of days after midnight in Berlin. */
async function untilBerlin(day: string, time: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select (${`${day} ${time}`}::timestamp at time zone 'Europe/Berlin') as at`.execute(
    (await theService()).database.db,
  )
  return rows[0]?.at ?? clock.now()
}

describe('promise of an order', () => {
  it('is null unless the order names one', async () => {
    expect((await createOrder(shop)).promised_delivery).toBeNull()
  })

  it('is stored by its id, as it was shown', async () => {
    const order = await createOrder(shop, { order_placed_at: undefined, promise_id: await promiseIdOf(made) })
    const { earliest, likeliest, latest } = shownPromise()
    const stored = {
      earliest,
      likeliest,
      latest,
      method: 'Standard',
      percentile: 0.9,
      share_by_latest: 0.93,
      sample_size: 412,
      basis: 'route',
      source: 'promise',
      state: 'open',
      chance: null,
      delivered_on: null,
    }
    expect(order.promised_delivery).toEqual(stored)
    expect((await readOrder(shop, order.order_number)).promised_delivery).toEqual(stored)
  })

  it('is stored as it is given', async () => {
    const order = await createOrder(shop, {
      promised_delivery: { earliest: '2027-01-18', latest: '2027-01-20', method: 'Express' },
    })
    expect(order.promised_delivery).toEqual({
      earliest: '2027-01-18',
      likeliest: null,
      latest: '2027-01-20',
      method: 'Express',
      percentile: null,
      share_by_latest: null,
      sample_size: null,
      basis: null,
      source: 'given',
      state: 'open',
      chance: null,
      delivered_on: null,
    })
  })

  it('is stored with a placement, in bulk, and is part of what receivers get', async () => {
    const [placed, bulk] = [uniqueNumber('PL'), uniqueNumber('PB')]
    const { order } = upsertOf(placed, given)
    expect((await shop.post('/orders', order)).status).toBe(200)
    expect((await shop.put('/orders/bulk', [upsertOf(bulk, given), upsertOf(uniqueNumber('PB'))])).status).toBe(200)
    for (const number of [placed, bulk]) {
      expect((await readOrder(shop, number)).promised_delivery).toMatchObject({ latest: '2027-01-20', source: 'given' })
    }
    await shop.get('/events')
    await shop.put('/orders', upsertOf(bulk, {}, [{ tracking_number: uniqueNumber('P') }]))
    const { events } = (await shop.get('/events')).body
    expect(events.at(-1).context.order).toMatchObject({
      order_number: bulk,
      promised_delivery: { latest: '2027-01-20', state: 'open' },
    })
  })

  it.each([
    ['of another shop', async () => promiseIdOf(await makeShop())],
    ['that was changed', async () => `${(await promiseIdOf(made)).slice(0, -1)}~`],
    ['that is none', async () => 'dp1.nonsense'],
    ['that was shown weeks before', () => promiseIdOf(made, { issuedAt: after(clock.now(), -30 * dayMs) })],
  ])('does not reject the order for an id %s: it is ignored with a warning', async (_name, idOf) => {
    const number = uniqueNumber('PW')
    const sent = upsertOf(number, { order_placed_at: undefined, promise_id: await idOf() })
    const { status, headers } = await shop.put('/orders', sent)
    expect(status).toBe(200)
    expect(Object.entries(headers).find(([name]) => name.endsWith('-warnings'))?.[1]).toBe('1')
    expect((await readOrder(shop, number)).promised_delivery).toBeNull()
  })

  it('falls back to the given days if the id does not count', async () => {
    const order = await createOrder(shop, { promise_id: 'dp1.nonsense', ...given })
    expect(order.promised_delivery).toMatchObject({ source: 'given', latest: '2027-01-20' })
  })

  it.each([{ latest: 'soon' }, { earliest: '2027-01-21', latest: '2027-01-20' }, { latest: '2027-02-30' }])(
    'ignores days that are none: %j',
    async (promised_delivery) => {
      const number = uniqueNumber('PD')
      const { status, headers } = await shop.put('/orders', upsertOf(number, { promised_delivery }))
      expect(status).toBe(200)
      expect(Object.keys(headers).some((name) => name.endsWith('-warnings'))).toBe(true)
      expect((await readOrder(shop, number)).promised_delivery).toBeNull()
    },
  )

  it('stays when the order is sent again without one, and is replaced by another one', async () => {
    const { order_number: number } = await createOrder(shop, given)
    await shop.put('/orders', upsertOf(number, { total_order_price: 12 }))
    expect((await readOrder(shop, number)).promised_delivery.latest).toBe('2027-01-20')
    await shop.put('/orders', upsertOf(number, { promised_delivery: { latest: '2027-01-22' } }))
    expect((await readOrder(shop, number)).promised_delivery.latest).toBe('2027-01-22')
  })

  it('is not replaced once a parcel was delivered', async () => {
    const order = await promisedOrder(shop, { promised_delivery: { latest: dayIn(3) } })
    await scan(shop, order.trackings[0].uuid, 'SUCCESSFULLY_DELIVERED')
    await shop.put('/orders', upsertOf(order.order_number, { promised_delivery: { latest: dayIn(9) } }))
    expect((await promiseOf(order)).latest).toBe(order.promised_delivery.latest)
  })

  it('belongs to its shop alone', async () => {
    const order = await createOrder(shop, given)
    const other = (await makeShop()).as('admin')
    expect((await other.get(`/orders/${order.uuid}`)).status).toBe(404)
    const period = { from: '2027-01-01', to: '2027-01-31' }
    expect((await other.get('/analytics/promises', period)).body.total.promised).toBe(0)
    expect((await shop.get('/analytics/promises', period)).body.total.promised).toBeGreaterThan(0)
  })

  it('stays with the order when its customer is erased', async () => {
    const order = await createOrder(shop, given)
    const erased = await made.as('admin').post('/privacy/erase', { email: order.email_id })
    expect(erased.status, erased.text).toBeLessThan(300)
    expect(await promiseOf(order)).toMatchObject({ latest: '2027-01-20', state: 'open' })
  })
})

describe('outcome of a promise', () => {
  // A shop without a history: no chance is known.
  beforeAll(async () => {
    made = await makeShop()
    shop = made.as('editor')
  })

  it('is kept when the last parcel was delivered by the end of the last day', async () => {
    const order = await promisedOrder(shop, { promised_delivery: { latest: dayIn(2) } }, [{}, {}])
    const [first, last] = order.trackings
    await scan(shop, first.uuid, 'SUCCESSFULLY_DELIVERED')
    await pass()
    expect(await promiseOf(order)).toMatchObject({ state: 'open', delivered_on: null })
    clock.advance(dayMs)
    await scan(shop, last.uuid, 'SUCCESSFULLY_DELIVERED')
    const deliveredAt = clock.now()
    await pass()
    expect(await promiseOf(order)).toMatchObject({ state: 'kept', delivered_on: expect.any(String), chance: null })
    expect((await promiseOf(order)).delivered_on >= deliveredAt.toISOString().slice(0, 10)).toBe(true)
  })

  it('goes by the day of the country of destination', async () => {
    const latest = dayIn(1)
    const [lastMinute, tooLate] = [
      await promisedOrder(shop, { promised_delivery: { latest } }),
      await promisedOrder(shop, { promised_delivery: { latest } }),
    ]
    const inTime = await untilBerlin(latest, '23:59')
    const late = await untilBerlin(latest, '24:00')
    clock.advance(late.getTime() - clock.now().getTime() + secondMs)
    await scan(shop, lastMinute.trackings[0].uuid, 'SUCCESSFULLY_DELIVERED', inTime)
    await scan(shop, tooLate.trackings[0].uuid, 'SUCCESSFULLY_DELIVERED', late)
    await pass()
    expect(await promiseOf(lastMinute)).toMatchObject({ state: 'kept', delivered_on: latest })
    expect(await promiseOf(tooLate)).toMatchObject({ state: 'broken', delivered_on: dayAfter(latest) })
  })

  it('is broken when the day has passed, whether or not anything was sent, and knows the delivery later', async () => {
    const sent = await promisedOrder(shop, { promised_delivery: { latest: dayIn(1) } })
    const unsent = await createOrder(shop, {
      order_placed_at: clock.now().toISOString(),
      promised_delivery: { latest: dayIn(1) },
    })
    await pass(hourMs)
    expect([(await promiseOf(sent)).state, (await promiseOf(unsent)).state]).toEqual(['open', 'open'])
    await pass(2 * dayMs)
    expect([(await promiseOf(sent)).state, (await promiseOf(unsent)).state]).toEqual(['broken', 'broken'])
    await scan(shop, sent.trackings[0].uuid, 'SUCCESSFULLY_DELIVERED')
    await pass()
    expect(await promiseOf(sent)).toMatchObject({ state: 'broken', delivered_on: expect.any(String) })
  })

  it('is kept after all if a scan arrives late that was in time', async () => {
    const order = await promisedOrder(shop, { promised_delivery: { latest: dayIn(1) } })
    const inTime = after(clock.now(), hourMs)
    await pass(3 * dayMs)
    expect((await promiseOf(order)).state).toBe('broken')
    await scan(shop, order.trackings[0].uuid, 'SUCCESSFULLY_DELIVERED', inTime)
    await pass()
    expect((await promiseOf(order)).state).toBe('kept')
  })

  it('opens again when the scan of the delivery is revoked', async () => {
    const order = await promisedOrder(shop, { promised_delivery: { latest: dayIn(5) } })
    const shipmentId = order.trackings[0].uuid as string
    await scan(shop, shipmentId, 'PARCEL_DISPATCHED')
    clock.advance(hourMs)
    const eventTime = clock.now()
    await scan(shop, shipmentId, 'SUCCESSFULLY_DELIVERED', eventTime)
    await pass()
    expect((await promiseOf(order)).state).toBe('kept')
    const service = await theService()
    const shopId = await shopIdOf(service, made)
    await sql`update shipment_events set source = 'carrier' where shop_id = ${shopId} and shipment_id = ${shipmentId}`.execute(
      service.database.db,
    )
    const revoked = { shopId, shipmentId, eventTime, eventKey: 'SUCCESSFULLY_DELIVERED' }
    await inTransaction(service.context(), (context) => retractCarrierEvents(context, [revoked]))
    await pass()
    expect(await promiseOf(order)).toMatchObject({ state: 'open', delivered_on: null })
  })

  it('is never decided for an order that is cancelled, and a replacement sent later does not undo it', async () => {
    const cancelled = await promisedOrder(shop, { promised_delivery: { latest: dayIn(1) } })
    await scan(shop, cancelled.trackings[0].uuid, 'ORDER_CANCELLED')
    const kept = await promisedOrder(shop, { promised_delivery: { latest: dayIn(1) } })
    await scan(shop, kept.trackings[0].uuid, 'SUCCESSFULLY_DELIVERED')
    await pass(3 * dayMs)
    expect((await promiseOf(cancelled)).state).toBe('open')
    await shop.put('/orders', upsertOf(kept.order_number, {}, [{ tracking_number: uniqueNumber('P') }]))
    await pass()
    expect((await promiseOf(kept)).state).toBe('kept')
  })
})

function dayAfter(day: string): string {
  return after(new Date(`${day}T00:00:00Z`), dayMs)
    .toISOString()
    .slice(0, 10)
}
