import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { rollUpFigures } from '../../src/figures/analytics/roll-up.ts'
import { groupings, outcomes } from '../../src/figures/delivery-times/schema.ts'
import { after, dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { CaseCounter } from '../harness/cases.ts'
import { shopIdOf } from '../harness/customers.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import {
  figuresOf,
  hasOutcome,
  type PlainParcel,
  type PlainTarget,
  readPlainParcels,
} from '../harness/plain-delivery-times.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

// A store of its own: in the shared one, the job would count the days of all shops of this process.
const service = await startTestService({}, await openTestDatabase())
afterAll(() => service.stop())
await service.schedule.stop()
afterEach(() => clock.reset())

const rollUp = () => rollUpFigures(service.context())
const ago = (days: number) => after(clock.now(), -days * dayMs).toISOString()

interface World {
  shop: ShopCaller
  orders: { number: string; parcel: string; email: string }[]
}

/** `pick` chooses the record that is changed and what it becomes, `days` how long ago it happened. */
interface Step {
  kind: keyof typeof steps
  pick: number
  days: number
}

const carriers = ['dhl', 'ups', 'gls']
const countries = ['DE', 'AT', 'US', undefined]
const services = ['Paket', 'Express', undefined]
const oneOf = <Value>(values: readonly Value[], pick: number) => values[pick % values.length]

function fieldsOf(pick: number) {
  const country_code = oneOf(countries, pick)
  const shipping_method = oneOf(['Standard', 'Next day', undefined], pick >> 2)
  return {
    ...(country_code ? { address: { name: 'Ada Example', country_code } } : { address: { name: 'Ada Example' } }),
    ...(shipping_method ? { shipping_method } : {}),
  }
}

const steps = {
  async order({ shop, orders }: World, { pick, days }: Step) {
    const [number, parcel] = [uniqueNumber(), uniqueNumber('PERF')]
    const email = `customer-${number}@example.com`
    const fields = { order_placed_at: ago(days + (pick % 5)), email_id: email, ...fieldsOf(pick) }
    const service = oneOf(services, pick >> 3)
    const sent = {
      tracking_number: parcel,
      tracking_placed_at: ago(days),
      carrier_reference: oneOf(carriers, pick),
      ...(service ? { service } : {}),
    }
    const { status, text } = await shop.put('/orders', upsertOf(number, fields, [sent]))
    if (status !== 200) throw new Error(text)
    orders.push({ number, parcel, email })
  },
  async redate({ shop, orders }: World, { pick, days }: Step) {
    const order = oneOf(orders, pick)
    if (order) await shop.put('/orders', upsertOf(order.number, { order_placed_at: ago(days), email_id: order.email }))
  },
  async change({ shop, orders }: World, { pick }: Step) {
    const order = oneOf(orders, pick)
    if (order) await shop.put('/orders', upsertOf(order.number, { ...fieldsOf(pick >> 1), email_id: order.email }))
  },
  async rename({ shop, orders }: World, { pick }: Step) {
    const order = oneOf(orders, pick)
    const sent = { tracking_number: order?.parcel, service: 'Renamed', carrier_reference: oneOf(carriers, pick >> 1) }
    if (order) await shop.put('/orders', upsertOf(order.number, { email_id: order.email }, [sent]))
  },
  async deliver({ shop, orders }: World, { pick, days }: Step) {
    const event = { event_name: 'SUCCESSFULLY_DELIVERED', event_time: ago(days) }
    await shop.post('/shipment-events', { id: oneOf(orders, pick)?.parcel ?? 'none', ...event })
  },
  async scan({ shop, orders }: World, { pick, days }: Step) {
    const event_name = oneOf(['PARCEL_DISPATCHED', 'OUT_FOR_DELIVERY', 'SHIPMENT_RETURNED_TO_SENDER'], pick)
    await shop.post('/shipment-events', {
      id: oneOf(orders, pick)?.parcel ?? 'none',
      event_name,
      event_time: ago(days),
    })
  },
  async predict({ orders }: World, { pick, days }: Step) {
    // Predictions need a longer history than these shops have.
    await sql`update shipments set predicted_from = ${ago(days + 2)}, predicted_to = ${ago(days)}
      where tracking_number = ${oneOf(orders, pick)?.parcel ?? ''}`.execute(service.database.db)
  },
  async expect({ orders }: World, { pick, days }: Step) {
    const expected = { start: ago(days + 1), end: ago(days), source: 'carrier' }
    await sql`update shipments set expected_delivery = ${JSON.stringify(expected)}::jsonb
      where tracking_number = ${oneOf(orders, pick)?.parcel ?? ''}`.execute(service.database.db)
  },
  async correct({ shop, orders }: World, { pick }: Step) {
    const order = oneOf(orders, pick)
    const found = await shop.get('/shipments', { tracking_number: order?.parcel ?? 'none' })
    const [shipment] = found.body.shipments
    if (!order || !shipment) return
    const parcel = uniqueNumber('PERF')
    await shop.patch(`/orders/${shipment.order_id}/shipments/${shipment.uuid}`, { tracking_number: parcel })
    order.parcel = parcel
  },
  async deleteParcel({ shop, orders }: World, { pick }: Step) {
    const order = oneOf(orders, pick)
    if (order) await shop.delete(`/orders/${order.number}/shipments/${order.parcel}`)
  },
  async erase({ shop, orders }: World, { pick }: Step) {
    const email = oneOf(orders, pick)?.email
    if (email) await shop.post('/privacy/erase', { email })
  },
  async target({ shop }: World, { pick }: Step) {
    await shop.patch('/settings/delivery-target', {
      days: pick % 7 || null,
      unit: oneOf(['business', 'calendar'], pick),
      since: oneOf(['placed', 'fulfilled'], pick >> 1),
    })
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
    { weight: 6, arbitrary: fc.constantFrom('order' as const, 'deliver' as const) },
    { weight: 5, arbitrary: fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])) },
  ),
  pick: fc.nat(1_000),
  days: fc.integer({ min: 0, max: 40 }),
})

/** The parameters of a request for figures. */
const anyView = fc.record({
  groupBy: fc.uniqueArray(fc.constantFrom(...groupings), { minLength: 1 }),
  carrier: fc.option(fc.constantFrom(...carriers, 'none'), { nil: undefined }),
  country: fc.option(fc.constantFrom('DE', 'AT', 'none'), { nil: undefined }),
  service: fc.option(fc.constantFrom('Paket', 'Standard', 'none'), { nil: undefined }),
  outcome: fc.constantFrom(...outcomes),
  perPage: fc.integer({ min: 1, max: 10 }),
})
type View = typeof anyView extends fc.Arbitrary<infer Value> ? Value : never

const step = (kind: Step['kind'], pick = 0, days = 0): Step => ({ kind, pick, days })

/** Enough parcels for rates, then everything that changes a day after it was counted. */
const busy: Step[] = [
  ...Array.from({ length: 14 }, (_, index) => step('order', index, 12 + index)),
  ...Array.from({ length: 13 }, (_, index) => step('expect', index, 1 + (index % 9))),
  ...Array.from({ length: 12 }, (_, index) => step('predict', index, (2 * index) % 9)),
  ...Array.from({ length: 14 }, (_, index) => step('deliver', index, 1 + (index % 8))),
  step('target', 5),
  step('rollUp'),
  step('redate', 3, 20),
  step('change', 4),
  step('rename', 5),
  step('correct', 6),
  step('deleteParcel', 7),
  step('erase', 8),
  step('deliver', 9, 9),
  step('scan', 10),
  step('expect', 11, 9),
  step('predict', 2, 9),
  step('target', 9),
]
const anything = { carrier: undefined, country: undefined, service: undefined, perPage: 3 }
const viewsOf = (outcome: View['outcome']): View[] => [
  { ...anything, groupBy: ['carrier', 'country'], outcome },
  { ...anything, groupBy: ['service', 'week'], country: 'none', outcome },
]
const examples: [history: Step[], views: View[]][] = [
  [busy, [...viewsOf('all'), ...viewsOf('on_target'), ...viewsOf('over_target')]],
  [
    [...busy, step('rollUp'), step('wait', 0, 40)],
    [...viewsOf('late'), ...viewsOf('window_late')],
  ],
]

/** The results that a view has shown. */
interface Shown {
  total: ReturnType<typeof figuresOf>
  rows: number
  listed: number
  view: View
}

const cases = new CaseCounter<Shown>({
  'a rate of what was on time': ({ total }) => total.on_time_rate !== null,
  'a rate of what kept its window': ({ total }) => total.held_rate !== null,
  'a rate of what met its target': ({ total }) => typeof total.target?.rate === 'number',
  'parcels on time and late': ({ total }) => total.on_time > 0 && total.on_time < total.expected,
  'windows that were kept, early and late': ({ total }) => total.held > 0 && total.early > 0 && total.late > 0,
  'several rows': ({ rows }) => rows > 1,
  'several pages of parcels': ({ listed, view }) => listed > view.perPage,
  'a filter that leaves some': ({ total, view }) => view.country !== undefined && total.delivered > 0,
})

async function expectPlainCount(made: TestShop, shop: ShopCaller, view: View): Promise<void> {
  const [from, to] = [ago(29).slice(0, 10), ago(0).slice(0, 10)]
  const { carrier, country, service: serviceName } = view
  const filter = { ...given({ carrier, country, service: serviceName }), from, to }
  const { body } = await shop.get('/analytics/delivery-times', { ...filter, group_by: view.groupBy.join(',') })
  const target: PlainTarget | null = body.target
  const all = await readPlainParcels(service, await shopIdOf(service, made), from, to)
  const is = (wanted: string | undefined, value: string | null) => wanted === undefined || wanted === (value ?? 'none')
  const parcels = all.filter(
    (parcel) => is(carrier, parcel.carrier) && is(country, parcel.country) && is(serviceName, parcel.service),
  )
  expect(body.total).toMatchObject(figuresOf(parcels, target))
  expect(sorted(body.rows)).toEqual(sorted(rowsOf(parcels, view.groupBy, target)))
  const weeks = body.weeks.filter(({ delivered }: { delivered: number }) => delivered > 0)
  expect(sorted(weeks)).toEqual(sorted(rowsOf(parcels, ['week'], target)))
  const listed = await listAll(shop, { ...filter, outcome: view.outcome, per_page: view.perPage })
  const wanted = parcels.filter((parcel) => hasOutcome(parcel, view.outcome, target))
  expect(listed.ids).toEqual(wanted.map(({ id }) => id))
  expect(listed.total).toBe(wanted.length)
  cases.count({ total: body.total, rows: body.rows.length, listed: listed.total, view })
}

function rowsOf(parcels: PlainParcel[], groupBy: string[], target: PlainTarget | null) {
  const keyOf = (parcel: PlainParcel) => ({
    carrier_reference: groupBy.includes('carrier') ? parcel.carrier : null,
    country: groupBy.includes('country') ? parcel.country : null,
    service: groupBy.includes('service') ? parcel.service : null,
    week: groupBy.includes('week') ? parcel.week : null,
  })
  const groups = new Map<string, PlainParcel[]>()
  for (const parcel of parcels) {
    const key = JSON.stringify(keyOf(parcel))
    groups.set(key, [...(groups.get(key) ?? []), parcel])
  }
  return [...groups].map(([key, members]) => ({ ...JSON.parse(key), ...figuresOf(members, target) }))
}

function sorted(rows: Record<string, unknown>[]): string[] {
  return rows
    .map(({ carrier_name: _name, ...row }) =>
      JSON.stringify(Object.entries(row).sort(([left], [right]) => (left < right ? -1 : 1))),
    )
    .sort()
}

async function listAll(shop: ShopCaller, query: Record<string, string | number>) {
  const ids: string[] = []
  for (let cursor: string | null = ''; ; ) {
    const { body } = await shop.get('/analytics/delivery-times/parcels', { ...query, ...(cursor ? { cursor } : {}) })
    ids.push(...body.parcels.map((parcel: { shipment_id: string }) => parcel.shipment_id))
    expect(body.parcels.length).toBeLessThanOrEqual(Number(query.per_page))
    cursor = body.next_cursor
    if (cursor === null) return { ids, total: body.total }
  }
}

function given(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

describe('delivery times', () => {
  it('match a plain count after any history, before and after the job', async () => {
    const history = fc.array(anyStep, { minLength: 10, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(history, fc.array(anyView, { minLength: 1, maxLength: 3 }), async (history, views) => {
        const made = await makeShop({}, service)
        const world: World = { shop: made.as('admin'), orders: [] }
        await steps.order(world, { kind: 'order', pick: 1, days: 3 })
        for (const step of history) await steps[step.kind](world, step)
        const check = async () => {
          for (const view of views) await expectPlainCount(made, world.shop, view)
        }
        await check()
        await rollUp()
        await check()
        // Nothing is left to be found by looking back: what was rolled up is complete.
        clock.advance(hourMs)
        await rollUp()
        await check()
      }),
      { numRuns: 25, examples },
    )
    cases.expectEach()
  })
})
