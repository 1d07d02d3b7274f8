import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { components } from '../../packages/client/src/schema.ts'
import { rollUpFigures } from '../../src/figures/analytics/roll-up.ts'
import { after, dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { createCampaign } from '../harness/campaigns.ts'
import { CaseCounter } from '../harness/cases.ts'
import { shopIdOf } from '../harness/customers.ts'
import { settle } from '../harness/deliveries.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { countPlainly } from '../harness/plain-figures.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

// A store of its own: in the shared one, the job would count the days of all shops of this process.
const service = await startTestService({}, await openTestDatabase())
afterAll(() => service.stop())
await service.schedule.stop()
afterEach(() => clock.reset())

const rollUp = () => rollUpFigures(service.context())
const dayFrom = (now: Date, days: number) =>
  after(now, days * dayMs)
    .toISOString()
    .slice(0, 10)
const ago = (days: number) => after(clock.now(), -days * dayMs).toISOString()

/** A shop's history, one step at a time. */
interface World {
  shop: ShopCaller
  campaignId: string
  orders: { number: string; parcel: string | null; email: string; pageToken?: string }[]
  claims: string[]
  endpoints: string[]
  receiverUrl: string
}

/** `pick` chooses the record that is changed, `days` how long ago it happened. */
interface Step {
  kind: keyof typeof steps
  pick: number
  days: number
}

const eventNames = [
  'PARCEL_DISPATCHED',
  'OUT_FOR_DELIVERY',
  'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME',
  'DELAY_IN_TRANSPORT',
  'SUCCESSFULLY_DELIVERED',
  'SUCCESSFULLY_DELIVERED',
  'SHIPMENT_RETURNED_TO_SENDER',
]

const steps = {
  async order({ shop, orders, campaignId }: World, { pick, days }: Step) {
    const number = uniqueNumber()
    const parcel = pick % 4 === 0 ? null : uniqueNumber('FIG')
    const email = `customer-${pick % 3}-${number}@example.com`
    const source = pick % 3 === 0 ? { order_analytics: { source: 'trackpages', campaign: campaignId } } : {}
    const sent = {
      tracking_number: parcel,
      tracking_placed_at: ago(days - 1),
      carrier_reference: pick % 2 ? 'dhl' : 'ups',
    }
    const digital = pick % 7 === 0 ? { products: [{ title: 'Song', quantity: 1, requires_shipping: false }] } : {}
    const fields = { order_placed_at: ago(days), email_id: email, ...source, ...digital }
    const { status, text } = await shop.put('/orders', upsertOf(number, fields, parcel ? [sent] : []))
    if (status !== 200) throw new Error(text)
    orders.push({ number, parcel, email })
  },
  async redate({ shop, orders }: World, { pick, days }: Step) {
    const order = orders[pick % orders.length]
    if (order) await shop.put('/orders', upsertOf(order.number, { order_placed_at: ago(days), email_id: order.email }))
  },
  async event({ shop, orders }: World, { pick, days }: Step) {
    const parcel = orders[pick % orders.length]?.parcel
    const event_name = eventNames[pick % eventNames.length]
    if (parcel) await shop.post('/shipment-events', { id: parcel, event_name, event_time: ago(days) })
  },
  async predict({ orders }: World, { pick, days }: Step) {
    // Predictions need a longer history than these shops have.
    await sql`update shipments set predicted_from = ${ago(days + 2)}, predicted_to = ${ago(days)}
      where tracking_number = ${orders[pick % orders.length]?.parcel}`.execute(service.database.db)
  },
  async deleteParcel({ shop, orders }: World, { pick }: Step) {
    const order = orders[pick % orders.length]
    if (order?.parcel) await shop.delete(`/orders/${order.number}/shipments/${order.parcel}`)
  },
  async claim({ shop, orders, claims }: World, { pick }: Step) {
    const parcel = orders[pick % orders.length]?.parcel
    if (!parcel) return
    const { body } = await shop.post('/claims', { tracking_number: parcel, reason: pick % 2 ? 'damage' : 'return' })
    if (body?.uuid) claims.push(body.uuid)
  },
  async closeClaim({ shop, claims }: World, { pick }: Step) {
    const claim = claims[pick % claims.length]
    if (claim) await (pick % 2 ? shop.put(`/claims/${claim}`, { status: 'closed' }) : shop.delete(`/claims/${claim}`))
  },
  async view({ shop, orders, campaignId }: World, { pick }: Step) {
    const order = orders[pick % orders.length]
    if (!order) return
    const { body } = await shop.post('/orders/trackpage-url', { id: order.number })
    const what = pick % 2 ? 'exposures' : 'clicks'
    const given = { auth: null, body: { campaign_id: campaignId } }
    await call('POST', `/v1/public/${body.url?.split('/').at(-1)}/${what}`, given, service)
  },
  async erase({ shop, orders }: World, { pick }: Step) {
    const email = orders[pick % orders.length]?.email
    if (email) await shop.post('/privacy/erase', { email })
  },
  async subscribe({ shop, endpoints, receiverUrl }: World, { pick }: Step) {
    const { body } = await shop.post('/webhooks', {
      url: `${receiverUrl}/${pick % 2 ? 'well' : 'ill'}/${uniqueNumber()}`,
    })
    if (body?.uuid) endpoints.push(body.uuid)
  },
  async unsubscribe({ shop, endpoints }: World, { pick }: Step) {
    const endpoint = endpoints[pick % endpoints.length]
    if (endpoint) await shop.delete(`/webhooks/${endpoint}`)
  },
  async deliver() {
    await settle(service)
  },
  async resend({ shop, endpoints }: World, { pick }: Step) {
    const log = await shop.get(`/webhooks/${endpoints[pick % endpoints.length]}/deliveries`)
    const delivery = log.body?.deliveries?.[0] ?? log.body?.[0]
    if (delivery) await shop.post(`/deliveries/${delivery.uuid}/resend`)
  },
  async wait(_world: World, { days }: Step) {
    clock.advance((days * dayMs) / 10)
  },
  async rollUp() {
    await rollUp()
  },
}

const anyStep = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('order' as const, 'event' as const) },
    { weight: 5, arbitrary: fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])) },
  ),
  pick: fc.nat(1_000),
  days: fc.integer({ min: 0, max: 40 }),
})

const step = (kind: Step['kind'], pick = 0, days = 0): Step => ({ kind, pick, days })

/** So many that each event can be about each order: their number and that of the events share no divisor. */
const orderCount = 20

/** The step's `pick` for this order and event, once there are all orders. */
function pickOf(order: number, event: string): number {
  const all = Array.from({ length: orderCount * eventNames.length }, (_, pick) => pick)
  const pick = all.find((pick) => pick % orderCount === order && eventNames[pick % eventNames.length] === event)
  if (pick === undefined) throw new Error('the numbers of orders and events share a divisor')
  return pick
}

const delivered = (order: number, days: number) => step('event', pickOf(order, 'SUCCESSFULLY_DELIVERED'), days)

/** Something of everything that is counted, in two periods, and then all that changes a day after it was counted. */
const busy: Step[] = [
  step('subscribe', 0),
  step('subscribe', 1),
  ...Array.from({ length: 13 }, (_, index) => step('order', index, 3 + 2 * index)),
  ...Array.from({ length: 6 }, (_, index) => step('order', index + 1, 35 + index)),
  ...[2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15, 16].flatMap((order, index) => [
    step('predict', order, (2 * index) % 9),
    delivered(order, 1 + (index % 6)),
  ]),
  step('event', pickOf(18, 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME'), 2),
  step('event', pickOf(19, 'DELAY_IN_TRANSPORT'), 2),
  ...[2, 3, 4, 6].flatMap((pick) => [step('claim', pick), step('view', pick), step('view', pick + orderCount + 1)]),
  step('claim', 23),
  step('closeClaim', 1),
  step('deliver'),
  step('rollUp'),
  step('redate', 3, 12),
  delivered(19, 3),
  step('event', pickOf(2, 'SHIPMENT_RETURNED_TO_SENDER'), 1),
  step('deleteParcel', 6),
  step('closeClaim', 0),
  step('erase', 7),
  step('resend', 1),
  step('deliver'),
  step('unsubscribe', 0),
]

/** A receiver fails until its deliveries are given up. */
const givenUp: Step[] = [
  step('subscribe', 0),
  step('subscribe', 1),
  step('order', 1, 1),
  ...Array.from({ length: 18 }, () => [step('deliver'), step('wait', 0, 6)]).flat(),
  step('deliver'),
]

const examples: [history: Step[]][] = [
  [busy],
  [[...busy, step('rollUp'), step('wait', 0, 40), step('order', 2, 1)]],
  [givenUp],
]

type Summary = components['schemas']['AnalyticsSummary']

const cases = new CaseCounter<Summary>({
  'orders with nothing to send': ({ orders }) => orders.nothing_to_send > 0,
  'parcels that wait': ({ shipments }) => shipments.waiting > 0,
  'parcels in several phases': ({ shipments }) => Object.keys(withoutZeros(shipments.by_phase)).length > 2,
  'parcels that are late': ({ shipments }) => shipments.by_flag.delay > 0,
  'failed attempts': ({ deliveries }) => deliveries.failed_attempts > 0,
  'windows that were kept, early and late': ({ deliveries: { windows } }) =>
    windows.held > 0 && windows.early > 0 && windows.late > 0,
  'parcels on time and late': ({ rates: { on_time } }) => on_time.count > 0 && on_time.count < on_time.sample,
  'deliveries that failed': ({ rates: { notifications } }) =>
    notifications.count > 0 && notifications.count < notifications.sample,
  'several carriers': ({ carriers }) => carriers.length > 1,
  'claims of several reasons and statuses': ({ claims }) =>
    Object.keys(withoutZeros(claims.by_reason)).length > 1 && Object.keys(withoutZeros(claims.by_status)).length > 1,
  'views and clicks of campaigns': ({ campaigns }) => campaigns.exposures > 0 && campaigns.clicks > 0,
  'orders that a campaign led to': ({ campaigns }) => campaigns.orders > 0,
  'transit times that differ': ({ deliveries: { transit_days } }) =>
    (transit_days.median ?? 0) < (transit_days.p90 ?? 0),
})

async function expectPlainCount(made: TestShop, shop: ShopCaller): Promise<void> {
  // A delivery in flight could arrive between the two counts.
  await service.workers?.deliveries.idle()
  const [from, to] = [dayFrom(clock.now(), -29), dayFrom(clock.now(), 0)]
  const { body } = await shop.get('/analytics/summary', { from, to, compare: true })
  cases.count(body)
  const before = { from: dayFrom(clock.now(), -59), to: dayFrom(clock.now(), -30) }
  expect(body.previous).toMatchObject(before)
  for (const [summary, period] of [
    [body, { from, to }],
    [body.previous, before],
  ]) {
    const { transit, carriers, webhooks, ...plain } = await countPlainly(
      service,
      await shopIdOf(service, made),
      period.from,
      period.to,
    )
    expect(withoutZeros(summary)).toMatchObject(withoutZeros(plain))
    expect(withoutZeros(summary.notifications.webhooks)).toEqual(webhooks)
    expect(summary.carriers).toHaveLength(carriers.length)
    expect(summary.carriers).toEqual(
      expect.arrayContaining(carriers.map((carrier) => expect.objectContaining(carrier))),
    )
    const { median, p90 } = summary.deliveries.transit_days
    for (const [figure, share] of [
      [median, 0.5],
      [p90, 0.9],
    ]) {
      // Whole hours, and then hundredths of a day.
      if (transit.length === 0) expect(figure).toBeNull()
      else expect(Math.abs(figure - quantile(transit, share))).toBeLessThanOrEqual(0.5 / 24 + 0.0051)
    }
  }
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  const position = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(position)] ?? 0, sorted[Math.ceil(position)] ?? 0]
  return below + (above - below) * (position - Math.floor(position))
}

/** A summary names every phase and status; a plain count only those it met. */
// biome-ignore lint/suspicious/noExplicitAny: any part of a response
function withoutZeros(value: any): any {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const kept = Object.entries(value).filter(([, inner]) => inner !== 0)
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutZeros(inner)]))
}

describe('figures', () => {
  it('match a plain count after any history, before and after the job', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    receiver.respond = ({ path }) => ({ status: path.includes('/ill/') ? 500 : 200 })
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (history) => {
        const made = await makeShop({}, service)
        const shop = made.as('admin')
        const campaign = await createCampaign(shop, { enabled: true })
        const world: World = {
          shop,
          campaignId: campaign.uuid,
          orders: [],
          claims: [],
          endpoints: [],
          receiverUrl: receiver.url,
        }
        await steps.order(world, { kind: 'order', pick: 1, days: 3 })
        for (const step of history) await steps[step.kind](world, step)
        await expectPlainCount(made, shop)
        await rollUp()
        await expectPlainCount(made, shop)
        // Nothing is left to be found by looking back: what was rolled up is complete.
        clock.advance(hourMs)
        await rollUp()
        await expectPlainCount(made, shop)
      }),
      { numRuns: 25, examples },
    )
    cases.expectEach()
  })
})

describe('as_of', () => {
  it('is the time of the request, and in a busy shop that of the last count', async () => {
    clock.advanceToNoon()
    const made = await makeShop({}, service)
    const shop = made.as('editor')
    await load(made, 6_000)
    await rollUp()
    const rolledUpAt = clock.now()
    const placed = async () => {
      const { body } = await shop.get('/analytics/summary')
      return { orders: body.orders.placed, ageMs: clock.now().getTime() - Date.parse(body.as_of) }
    }
    clock.advance(10 * minuteMs)
    expect((await placed()).orders).toBe(6_000)
    expect((await placed()).ageMs).toBeLessThan(minuteMs)
    // A day that is small is counted again; the one with 6,000 orders waits for the job.
    await shop.put('/orders', upsertOf(uniqueNumber(), { order_placed_at: ago(9) }))
    expect((await placed()).orders).toBe(6_001)
    await shop.put('/orders', upsertOf(uniqueNumber(), { order_placed_at: ago(3) }))
    const stale = await placed()
    expect(stale.orders).toBe(6_001)
    expect(clock.now().getTime() - stale.ageMs).toBeLessThanOrEqual(rolledUpAt.getTime())
    await rollUp()
    expect((await placed()).orders).toBe(6_002)
    // A run looks two minutes back, in case a transaction was slow.
    clock.advance(10 * minuteMs)
    await rollUp()
    expect((await placed()).ageMs).toBeLessThan(minuteMs)
  })

  it('is the time of the request if the clock was set back, or the job has not run for long', async () => {
    const made = await makeShop({}, service)
    const shop = made.as('editor')
    clock.advance(3 * dayMs)
    await rollUp()
    clock.reset()
    await shop.put('/orders', upsertOf(uniqueNumber(), { order_placed_at: ago(0) }))
    expect((await shop.get('/analytics/summary')).body.orders.placed).toBe(1)
    await rollUp()
    expect((await shop.get('/analytics/summary')).body.orders.placed).toBe(1)
    clock.advance(60 * dayMs)
    await shop.put('/orders', upsertOf(uniqueNumber(), { order_placed_at: ago(0) }))
    const { body } = await shop.get('/analytics/summary')
    expect(body.orders.placed).toBe(1)
    expect(clock.now().getTime() - Date.parse(body.as_of)).toBeLessThan(minuteMs)
  })
})

describe('job', () => {
  it('leaves out days that no period can have, and deleted shops', async () => {
    const [made, deleted] = [await makeShop({}, service), await makeShop({}, service)]
    for (const placedAt of ['0900-01-01T00:00:00Z', '1969-12-31T00:00:00Z', '1970-01-01T00:00:00Z', ago(1)]) {
      await made.as('editor').put('/orders', upsertOf(uniqueNumber(), { order_placed_at: placedAt }))
    }
    await deleted.as('editor').put('/orders', upsertOf(uniqueNumber(), { order_placed_at: ago(1) }))
    const deletedId = await shopIdOf(service, deleted)
    await call('DELETE', `/v1/shops/${deleted.slug}`, {}, service)
    await sql`insert into changed_days (shop_id, day)
      values (${await shopIdOf(service, made)}, '12026-01-01'), (${deletedId}, '2024-01-01')`.execute(
      service.database.db,
    )
    await rollUp()
    const { rows } = await sql<{ shop: string; day: string }>`
      select shop_id as shop, day::text from daily_figures
      where shop_id in (${await shopIdOf(service, made)}, ${deletedId}) and (figures -> 'orders' ->> 'placed')::int > 0
      order by day`.execute(service.database.db)
    expect(rows.map(({ day }) => day)).toEqual(['1970-01-01', ago(1).slice(0, 10)])
    expect(await sql`select 1 from changed_days`.execute(service.database.db)).toMatchObject({ rows: [] })
  })
})

describe('rates', () => {
  it('have their sample: parcels with an expected delivery, and deliveries that are finished', async () => {
    const shop = (await makeShop({}, service)).as('editor')
    const arrivals = [-2, -1, 1, undefined]
    for (const days of arrivals) {
      const parcel = uniqueNumber('RATE')
      const sent = { tracking_number: parcel, tracking_placed_at: ago(9), carrier_reference: 'dhl' }
      await shop.put('/orders', upsertOf(uniqueNumber(), { order_placed_at: ago(9) }, [sent]))
      await shop.post('/shipment-events', { id: parcel, event_name: 'SUCCESSFULLY_DELIVERED', event_time: ago(4) })
      if (days === undefined) continue
      const expected = { start: ago(9), end: ago(4 + days), source: 'carrier' }
      // The carrier's latest window wins over the predicted one.
      await sql`update shipments set expected_delivery = ${JSON.stringify(expected)}::jsonb, predicted_from = ${ago(9)},
        predicted_to = ${ago(8)} where tracking_number = ${parcel}`.execute(service.database.db)
    }
    const { body } = await shop.get('/analytics/summary')
    const onTime = { count: 2, sample: 3, share: 0.667 }
    expect(body.rates).toEqual({ on_time: onTime, notifications: { count: 0, sample: 0, share: null } })
    const transit_days = { median: 5, p90: 5 }
    expect(body.carriers).toEqual([{ carrier_reference: 'dhl', delivered: 4, transit_days, on_time: onTime }])
    expect(body).not.toHaveProperty('previous')
  })
})

/** Orders of a few days ago, without the API. */
async function load(made: TestShop, count: number): Promise<void> {
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
      created_at, updated_at)
    select ${await shopIdOf(service, made)}, ('019a0000' || right(md5(n::text), 24))::uuid, n, n, ${ago(3)}, 1, '{}', ${ago(3)}, ${ago(3)}
    from generate_series(1, ${count}::int) as n`.execute(service.database.db)
}
