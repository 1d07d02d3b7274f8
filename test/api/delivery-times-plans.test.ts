import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { countDeliveryTimes } from '../../src/figures/analytics/count-times-store.ts'
import { datesOf, endOfDay, periodOf, type ReportPeriod, startOfDay } from '../../src/figures/analytics/period.ts'
import { rollUpFigures } from '../../src/figures/analytics/roll-up.ts'
import { findKnownDays } from '../../src/figures/analytics/roll-up-store.ts'
import { examineDeliveries } from '../../src/figures/delivery-times/parcels-store.ts'
import { after, dayMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import type { Service } from '../../src/service.ts'
import {
  conditionsOf,
  expectNoScan,
  explain,
  indexesOf,
  loadRows,
  nodesOf,
  type Plan,
  rowsReadBy,
} from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

useEmptyStore()

/** A delivery every ten minutes for 72 days: 144 on each. */
const [deliveries, perDay] = [10_400, 144]
let service: Service
let context: ShopContext
let shop: ShopCaller
let period: ReportPeriod
const now = new Date()

beforeAll(async () => {
  service = await theService()
  const shops = await Promise.all([makeShop(), makeShop()])
  const { db } = service.database
  await service.schedule.stop()
  await loadRows(db, async (db) => {
    for (const [index, { slug }] of shops.entries()) await load(db, slug, index === 0 ? deliveries : deliveries / 8)
  })
  await sql`vacuum analyze orders, shipments`.execute(db)
  // A run of the job ends after ten seconds.
  const remaining = () => db.selectFrom('changed_days').select('day').limit(1).executeTakeFirst()
  do await rollUpFigures(service.context())
  while (await remaining())
  await sql`vacuum analyze daily_figures, changed_days`.execute(db)
  const slug = shops[0]?.slug ?? ''
  shop = (shops[0] ?? (await makeShop())).as('viewer')
  const found = await db.selectFrom('shops').where('slug', '=', slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop: found }
  period = periodOf({ from: dayAgo(60), to: dayAgo(53) }, now)
})

const dayAgo = (days: number) =>
  after(now, -days * dayMs)
    .toISOString()
    .slice(0, 10)

/** Rows of tables and indexes that a statement reads, whether or not it returns them. */
function rowsRead(plan: Plan | undefined): number {
  return nodesOf(plan)
    .filter((node) => /Scan/.test(node['Node Type']) && node['Index Name'] !== undefined)
    .reduce((sum, node) => sum + rowsReadBy(node), 0)
}

describe('counting delivery times', () => {
  it('reads the deliveries of those days and their orders, however much the shop has', async () => {
    const days = datesOf(period).map((date) => ({ shopId: context.shop.id, date }))
    const [plan, ...others] = await explain(context, (context) => countDeliveryTimes(context, days))
    expect(others).toEqual([])
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(['shipments_delivered', 'orders_pkey']))
    // Twice if an index is read first and then the table.
    expect(rowsRead(plan)).toBeLessThanOrEqual(3 * days.length * perDay)
  })
})

describe('reading delivery times', () => {
  it('reads the days of the period', async () => {
    const since = after(now, -dayMs / 24)
    const [plan] = await explain(context, (context) =>
      findKnownDays(context, 'delivery_times', period, { since, limit: 2_000 }),
    )
    expectNoScan(plan)
    expect(indexesOf(plan)).toContain('daily_figures_pkey')
    expect(rowsRead(plan)).toBeLessThanOrEqual(100)
  })
})

describe('listing parcels', () => {
  const none = { carrier: undefined, country: undefined, service: undefined }
  const middle = () => ({ from: startOfDay(period.firstDay), until: endOfDay(period.lastDay), before: undefined })

  it.each([
    ['no filter', none],
    ['a filter that matches everything', { ...none, country: 'DE' }],
    ['a filter that matches little', { ...none, service: 'Rare' }],
    ['a filter that matches nothing', { ...none, carrier: null }],
  ])('reads no more deliveries than it may examine, with %s', async (_name, filter) => {
    const [plan] = await explain(context, (context) => examineDeliveries(context, middle(), filter, 250))
    expectNoScan(plan)
    expect(indexesOf(plan)).toContain('shipments_delivered')
    // Each with its order.
    expect(rowsRead(plan)).toBeLessThanOrEqual(2 * 250 + 2)
  })

  it('continues where the page before ended, without reading it again', async () => {
    const first = await examineDeliveries(context, middle(), none, 250)
    const before = first.last
    const [plan] = await explain(context, (context) => examineDeliveries(context, { ...middle(), before }, none, 250))
    expect(indexesOf(plan)).toContain('shipments_delivered')
    expect(conditionsOf(plan)).toContain('ROW(delivered_at, id)')
    expect(rowsRead(plan)).toBeLessThanOrEqual(2 * 250 + 2)
  })

  it('ends a request after 10,000 deliveries, and the next one continues', async () => {
    // On one of the first days there is a second rare parcel; the roll-up knows that the days between have none.
    const query = { from: dayAgo(90), to: dayAgo(0) }
    const rare = await shop.get('/analytics/delivery-times/parcels', { ...query, service: 'Rare' })
    expect(rare.body.total).toBe(2)
    expect(rare.body.parcels).toHaveLength(2)
    expect(rare.body.next_cursor).toBeNull()
    // Without the roll-up, all days have to be examined.
    await sql`update shipments set service = 'Hidden' where shop_id = ${context.shop.id} and service = 'Rare'`.execute(
      service.database.db,
    )
    await sql`update daily_figures set delivery_times = '[[null,null,null,[1,0,0,0,0,0,0],[],[]]]'
      where shop_id = ${context.shop.id}`.execute(service.database.db)
    await sql`delete from changed_days`.execute(service.database.db)
    const found: string[] = []
    let [cursor, requests]: [string | null, number] = ['', 0]
    while (cursor !== null) {
      const page: Record<string, string> = { ...query, service: 'Hidden', cursor }
      const { body } = await shop.get('/analytics/delivery-times/parcels', page)
      found.push(...body.parcels.map((parcel: { shipment_id: string }) => parcel.shipment_id))
      cursor = body.next_cursor
      requests += 1
    }
    expect(found).toHaveLength(2)
    expect(requests).toBe(2)
  })
})

/** A delivery every ten minutes, back from now; two of them by a rare service. */
async function load(db: Kysely<Tables>, slug: string, count: number): Promise<void> {
  const at = sql`${now}::timestamptz - n * interval '10 minutes'`
  const every = sql`(select id as shop_id from shops where slug = ${slug}) as shop,
    generate_series(1, ${count}::int) as n`
  // Ids begin with a timestamp, as ours do.
  const id = sql`(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7000' || substr(md5(${slug} || n), 1, 16))::uuid`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
      order_analytics, created_at, updated_at)
    select shop_id, ${id}, n::text, n::text, ${at} - interval '3 days', 1, '{}', '{}', ${at}, ${at}
    from ${every}`.execute(db)
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, direction, phase, flag, current_event_key,
      current_event_at, latest_event_at, placed_at, delivered_at, carrier_reference, destination_country, service,
      created_at, updated_at)
    select shop_id, ${id}, ${id}, 'T' || n, 'merchant_customer', 'delivered', 'normal', 'SUCCESSFULLY_DELIVERED', ${at},
      ${at}, ${at} - interval '2 days', ${at}, case when n % 3 = 0 then 'ups' else 'dhl' end, 'DE',
      case when n in (1, ${sql.lit(deliveries - perDay)}) then 'Rare' else 'Standard' end, ${at}, ${at}
    from ${every}`.execute(db)
}
