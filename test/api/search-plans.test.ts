import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { countWindows, lastJourneys } from '../../src/orders/delivery-windows/store.ts'
import { recordEvents } from '../../src/orders/events/store.ts'
import { type DueTrigger, findExistingFiring, findFiring } from '../../src/orders/internal-triggers/store.ts'
import { updateShopCurrencies } from '../../src/orders/orders/currency-store.ts'
import { searchOrders } from '../../src/orders/orders/operations.ts'
import { findKnownShipments, findOrder, lockOrders } from '../../src/orders/orders/store.ts'
import { searchShipments } from '../../src/orders/shipments/search-operations.ts'
import type { ShipmentSearch } from '../../src/orders/shipments/search-store.ts'
import {
  findFirstShipments,
  findShipment,
  findShipmentByExternalId,
  listShipments,
} from '../../src/orders/shipments/store.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Operation } from '../../src/platform/foundation/operation.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import {
  conditionsOf,
  expectNoScan,
  explain,
  indexesOf,
  loadRows,
  nodesOf,
  type Plan,
  rowsReadBy,
  untilVisible,
} from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const [ordersOfShop, ordersOfOthers] = [6_000, 500]
const perPage = 30
const page = 2
/** The rows that one index scan returns for a page: all pages up to it, and one row to detect a next page. */
const rowsOfRun = page * perPage + 1

let context: ShopContext
let newest: { id: string; order_id: string }
const now = new Date()
const ago = (days: number) => new Date(now.getTime() - days * dayMs)

beforeAll(async () => {
  const slugs = await Promise.all([makeShop(), makeShop(), makeShop()])
  const service = await theService()
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const [index, { slug }] of slugs.entries()) await load(db, slug, index === 1 ? ordersOfShop : ordersOfOthers)
  })
  for (const table of ['orders', 'shipments', 'shipment_events']) await untilVisible(db, table)
  const [middle] = slugs.slice(1)
  const shop = await db
    .selectFrom('shops')
    .where('slug', '=', middle?.slug ?? '')
    .selectAll()
    .executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
  newest = await db
    .selectFrom('shipments')
    .where('shop_id', '=', shop.id)
    .where('tracking_number', '=', 'T3777')
    .select(['id', 'order_id'])
    .executeTakeFirstOrThrow()
})

describe('search of orders reads no more than its page', () => {
  const filters: [name: string, filter: Record<string, unknown>, index: string][] = [
    ['no filter', {}, 'orders_placed'],
    ['email_id', { email_id: 'Customer-7@example.com' }, 'orders_email'],
    ['external_id', { external_id: 'external-3777' }, 'orders_external_id'],
    ['order_name', { order_name: '#77' }, 'orders_name'],
    ['order_number', { order_number: '3777' }, 'orders_number'],
    ['zip_code', { zip_code: ' 100-07' }, 'orders_zip_key'],
    ['nothing_to_send', { nothing_to_send: true }, 'orders_nothing_to_send'],
    ['handed_over_without_tracking', { handed_over_without_tracking: true }, 'orders_handed_over'],
    ['something to send', { nothing_to_send: false }, 'orders_placed'],
    ['order_placed_from', { order_placed_from: ago(40).toISOString() }, 'orders_placed'],
    ['order_placed_to', { order_placed_to: ago(40).toISOString() }, 'orders_placed'],
    [
      'both ends of order_placed',
      { order_placed_from: ago(60).toISOString(), order_placed_to: ago(50).toISOString() },
      'orders_placed',
    ],
    ['shipment_updated_since', { shipment_updated_since: ago(40).toISOString() }, 'shipments_updated'],
    ['a recent shipment_updated_since', { shipment_updated_since: ago(0.5).toISOString() }, 'shipments_updated'],
  ]

  it.each(filters)('by %s', async (name, filter, index) => {
    const [list, count] = await plansOf(searchOrders, filter)
    expect(indexesOf(list)).toContain(index)
    // Half a day has 353 rows: if the planner expects no more, it may read and sort all of them.
    expectBounded(list, name === 'a recent shipment_updated_since' ? 353 : undefined)
    expectNoScan(count)
  })

  it('by uuid', async () => {
    const [list] = await plansOf(searchOrders, { uuid: newest.order_id })
    expect(indexesOf(list)).toContain('orders_pkey')
    expectBounded(list)
  })
})

describe('search of shipments reads no more than its page', () => {
  const sorts = ['-updated_at', 'updated_at', '-created_at', 'created_at']
  const filters: [name: string, filter: Record<string, unknown>][] = [
    ['no filter', {}],
    ['updated_from', { updated_from: ago(80).toISOString() }],
    ['updated_to', { updated_to: ago(10).toISOString() }],
    ['created_from', { created_from: ago(20).toISOString() }],
    ['created_to', { created_to: ago(10).toISOString() }],
    ['fulfilled ones alone', { include_drafts: false }],
  ]
  const cases = sorts.flatMap((sort) => filters.map(([name, filter]) => ({ name, sort, filter })))

  it.each(cases)('by $name, sorted by $sort', async ({ sort, filter }) => {
    const [list, count] = await plansOf(searchShipments, { ...filter, sort })
    if (isByClass(sort, filter)) return expectClasses(list, count)
    expect(indexesOf(list)).toContain(sort.endsWith('updated_at') ? 'shipments_updated' : 'shipments_created')
    if (isOfTwoAges(sort, filter)) expectTwoAges(list, sort.startsWith('-'))
    else expectBounded(list)
    expectNoScan(count)
    expect(conditionsOf(count)).toMatch(/is_draft/)
  })

  /** The index by creation would have to skip rows that are older than the requested time of change. */
  const isOfTwoAges = (sort: string, filter: Record<string, unknown>) =>
    sort.endsWith('created_at') && !('created_from' in filter)

  function expectTwoAges(list: Plan | undefined, areOlderLast: boolean): void {
    expectNoScan(list)
    for (const node of nodesOf(list)) {
      const where = JSON.stringify(node, undefined, 1)
      const read = rowsReadBy(node)
      if (node['Index Name'] === 'shipments_created') expect(read, where).toBeLessThanOrEqual(5 * rowsOfRun)
      if (node['Index Name'] !== 'shipments_change_class') continue
      // Of eight thousand old shipments, those that changed in the days after that time.
      if (areOlderLast) expect(node['Actual Loops'], where).toBe(0)
      else expect(read, where).toBeLessThan(1_200)
    }
  }

  /** The index by change would have to skip rows that were created since. */
  const isByClass = (sort: string, filter: Record<string, unknown>) => sort === '-updated_at' && 'created_to' in filter

  function expectClasses(list: Plan | undefined, count: Plan | undefined): void {
    for (const plan of [list, count]) {
      expectNoScan(plan)
      expect(indexesOf(plan)).toContain('shipments_change_class')
    }
    for (const node of nodesOf(list)) {
      if (node['Index Name'] !== 'shipments_change_class') continue
      const read = rowsReadBy(node)
      // Of drafts and of others, no more rows than fit the page, and few that were created too late.
      expect(read, JSON.stringify(node, undefined, 1)).toBeLessThanOrEqual(16 * rowsOfRun)
      expect((node['Rows Removed by Filter'] ?? 0) * node['Actual Loops']).toBeLessThan(4 * rowsOfRun)
    }
  }

  it.each(sorts)('and finds the same as a plain scan, sorted by %s', async (sort) => {
    const times: Partial<ShipmentSearch>[] = [
      { updatedFrom: ago(80) },
      { updatedFrom: ago(2) },
      { updatedTo: ago(45) },
      { createdFrom: ago(55) },
      { createdFrom: ago(30) },
      { createdTo: ago(51) },
      { createdTo: ago(40), includeDrafts: false },
    ]
    for (const given of times) {
      const search: ShipmentSearch = {
        trackingNumber: undefined,
        updatedFrom: ago(50),
        updatedTo: undefined,
        createdFrom: undefined,
        createdTo: undefined,
        sortBy: sort.endsWith('created_at') ? 'created_at' : 'updated_at',
        isDescending: sort.startsWith('-'),
        includeDrafts: true,
        limit: perPage,
        offset: 0,
        ...given,
      }
      const expected = await readPlainly(search)
      expect(expected.length).toBeGreaterThan(perPage)
      for (const offset of [0, perPage, expected.length - 10]) {
        const found = await listShipments(context, { ...search, offset })
        const where = `${JSON.stringify(given)} from ${offset} on`
        expect(
          found.map(({ id }) => id),
          where,
        ).toEqual(expected.slice(offset, offset + perPage))
      }
    }
  })

  const readAll = () =>
    context.db
      .selectFrom('shipments')
      .where('shop_id', '=', context.shop.id)
      .select(['id', 'is_draft', 'created_at', 'updated_at'])
      .execute()
  let all: ReturnType<typeof readAll> | undefined

  async function readPlainly(search: ShipmentSearch): Promise<string[]> {
    all ??= readAll()
    const rows = await all
    const { updatedFrom, updatedTo = now, createdFrom = ago(1_000), createdTo = now, includeDrafts } = search
    const direction = search.isDescending ? -1 : 1
    const isBetween = (at: Date, from: Date, to: Date) => at >= from && at <= to
    return rows
      .filter(({ is_draft }) => includeDrafts || !is_draft)
      .filter(({ updated_at }) => isBetween(updated_at, updatedFrom, updatedTo))
      .filter(({ created_at }) => isBetween(created_at, createdFrom, createdTo))
      .map(({ id, ...times }) => ({ id, at: times[search.sortBy].getTime() }))
      .sort((left, right) => direction * (left.at - right.at || (left.id < right.id ? -1 : 1)))
      .map(({ id }) => id)
  }

  it.each(sorts)('by tracking number, sorted by %s', async (sort) => {
    const [list, count] = await plansOf(searchShipments, { tracking_number: 'T3777', sort })
    expect(indexesOf(list)).toContain('shipments_tracking')
    expectBounded(list)
    expectBounded(count)
  })
})

describe('lookup by id uses an index', () => {
  it('the shipment of an event, by its tracking number and by its uuid', async () => {
    const event = {
      shopId: context.shop.id,
      shipmentId: null,
      trackingNumber: 'T3777',
      eventKey: 'IN_DELIVERY',
      phase: 'in_delivery',
      flag: 'normal',
      movesPhase: true,
      isAllowedForDrafts: false,
      eventTime: now,
      externalId: null,
      timezone: null,
      location: null,
      additionalInfo: null,
      source: 'api',
      isNotified: false,
      now,
    }
    const [plan] = await explained((context) =>
      recordEvents(context, [event, { ...event, trackingNumber: null, shipmentId: newest.id }]),
    )
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(['shipments_tracking', 'shipments_pkey']))
    expectNoScan(plan)
  })

  it('an order to be locked, by each of its identifiers', async () => {
    const { id: shopId } = context.shop
    const [plan] = await explained((context) =>
      lockOrders(context, [
        { shopId, idType: 'order_number', id: '3777' },
        { shopId, idType: 'external_id', id: 'external-3777' },
        { shopId, idType: 'order_name', id: '#77' },
        { shopId, idType: 'uuid', id: newest.order_id },
      ]),
    )
    expect(indexesOf(plan)).toEqual(
      expect.arrayContaining(['orders_number', 'orders_external_id', 'orders_name', 'orders_pkey']),
    )
    expectBounded(plan)
  })

  it('an order and a shipment, with everything that is shown', async () => {
    const { id: shopId } = context.shop
    const plans = [
      ...(await explained((context) => findOrder(context, newest.order_id))),
      ...(await explained((context) => findShipment(context, newest.id))),
      ...(await explained((context) => findShipmentByExternalId(context, 'parcel-3777'))),
      ...(await explained((context) => findFirstShipments(context, { column: 'order_number', value: '3777' }))),
      ...(await explained((context) => findFirstShipments(context, { column: 'external_id', value: 'external-3777' }))),
      ...(await explained((context) => findFirstShipments(context, { column: 'id', value: newest.order_id }))),
      ...(await explained((context) => findKnownShipments(context, [{ shopId, id: newest.order_id }]))),
    ]
    expect(plans).toHaveLength(7)
    for (const plan of plans) expectBounded(plan)
  })

  it('the journeys that delivery windows are learnt from and compared with', async () => {
    const [journeys] = await explained((context) => lastJourneys(context, context.shop.id))
    const [report] = await explained((context) => countWindows(context, ago(3), ago(2)))
    expect(indexesOf(journeys)).toEqual(['shipments_delivered'])
    expect(indexesOf(report)).toEqual(['shipments_delivered'])
    expectNoScan(report)
  })

  it('the queries of internal triggers, and the latest orders that decide the currency', async () => {
    const trigger: DueTrigger = {
      shopId: context.shop.id,
      id: newest.id,
      integration: 'webhook',
      name: 'Stuck',
      phaseIn: [],
      phaseNotIn: [],
      eventKeyIn: [],
      eventKeyNotIn: ['IN_DELIVERY'],
      operator: 'AND',
      timeThresholdType: 'latest_event_time',
      thresholdMs: dayMs,
      direction: 'merchant_customer',
      createdAt: ago(9),
      evaluatedUntil: new Date(now.getTime() - 60_000),
      existingBefore: ago(30),
      existingBeforeId: newest.id,
    }
    const [recent] = await explained((context) => findFiring(context, trigger, 500))
    expect(indexesOf(recent)).toEqual(expect.arrayContaining(['shipments_latest_event', 'shipments_updated']))
    expectNoScan(recent)
    expect(conditionsOf(recent)).toMatch(/latest_event_at >.*latest_event_at <=[\s\S]*updated_at >/)
    const [created] = await explained((context) =>
      findFiring(context, { ...trigger, timeThresholdType: 'created_at' }, 500),
    )
    expect(indexesOf(created)).toEqual(expect.arrayContaining(['shipments_created', 'shipments_updated']))
    expectNoScan(created)
    expect(conditionsOf(created)).toMatch(/created_at >.*created_at <=[\s\S]*updated_at >/)
    const [walk] = await explained((context) => findExistingFiring(context, trigger, 100))
    expect(indexesOf(walk)).toEqual(['shipments_latest_event'])
    expectBounded(walk)
    const [currency] = await explained((context) => updateShopCurrencies(context, [context.shop.id]))
    expect(indexesOf(currency)).toContain('orders_placed')
    expectBounded(currency)
  })
})

/** Orders over three months, each with a shipment, every third with a second; every fifth shipment is a draft. */
async function load(db: Kysely<Tables>, slug: string, count: number): Promise<void> {
  const step = sql`interval '20 minutes'`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_name, email_id, zip_code, order_placed_at,
      expected_number_of_shipments, nothing_to_send, handed_over_without_tracking, details, created_at, updated_at)
    select shops.id, gen_random_uuid(), n::text, 'external-' || n, '#' || n % 400, 'customer-' || n % 400 || '@Example.com',
      (10000 + n % 90)::text, ${now}::timestamptz - n * ${step}, 1, n % 20 = 0, n % 30 = 0, '{"products": []}', ${now}::timestamptz - n * ${step}, ${now}::timestamptz - n * ${step}
    from shops, generate_series(1, ${count}::int) as n
    where shops.slug = ${slug}`.execute(db)
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, external_shipment_id, direction, phase, flag,
      current_event_key, current_event_at, latest_event_at, placed_at, delivered_at, predicted_from, predicted_to, created_at, updated_at)
    select shop_id, gen_random_uuid(), orders.id,
      case when (order_number::int + part) % 5 > 0 then repeat('T', part) || order_number end,
      repeat('parcel-', part) || order_number, 'merchant_customer', 'order_created', 'normal', 'ORDER_CREATED',
      order_placed_at, order_placed_at, order_placed_at, order_placed_at + interval '3 days', order_placed_at,
      order_placed_at + interval '4 days', order_placed_at,
      least(${now}::timestamptz, order_placed_at + order_number::int % 100 * interval '2 hours')
    from (
      -- By themselves first: other tests' orders are in the store as well, and have numbers that are no integers.
      select orders.* from orders join shops on shops.id = orders.shop_id where shops.slug = ${slug} offset 0
    ) as orders, generate_series(1, 2) as part
    where part = 1 or order_number::int % 3 = 0`.execute(db)
  await sql`
    insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, source, is_notified, recorded_at)
    select shop_id, shipments.id, shipments.created_at, 'ORDER_CREATED', gen_random_uuid(), 'system', true, shipments.created_at
    from shipments join shops on shops.id = shipments.shop_id
    where shops.slug = ${slug}`.execute(db)
}

/** The plans of an operation's statements: those of the page, and of the count after an empty page. */
function plansOf(operation: Operation, query: Record<string, unknown>): Promise<Plan[]> {
  const input = { path: {}, query: { page, per_page: perPage, ...query }, body: undefined, upload: undefined }
  return explained((context) => operation.handle(context, input))
}

function explained(work: (context: ShopContext) => Promise<unknown>): Promise<Plan[]> {
  return explain(context, work)
}

/** No table is scanned, no more rows are sorted than two index scans return, and none reads beyond the page. */
function expectBounded(plan: Plan | undefined, readAtMost = 5 * rowsOfRun): void {
  expectNoScan(plan)
  // A count reads up to the limit in its statement.
  if (plan?.['Node Type'] === 'Aggregate') return
  for (const node of nodesOf(plan)) {
    const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
    const where = JSON.stringify(node, undefined, 1)
    if (node['Node Type'].endsWith('Sort')) expect(rows, where).toBeLessThanOrEqual(2 * rowsOfRun)
    if (node['Node Type'].includes('Index')) expect(rows, where).toBeLessThanOrEqual(readAtMost)
  }
}
