import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { countDays } from '../../src/figures/analytics/count-store.ts'
import { datesOf, periodOf, type ReportPeriod } from '../../src/figures/analytics/period.ts'
import {
  findKnownDays,
  leaseChangedDays,
  markChangedDays,
  markEveryDay,
} from '../../src/figures/analytics/roll-up-store.ts'
import { findCampaignNames } from '../../src/figures/analytics/store.ts'
import { after, dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import type { Service } from '../../src/service.ts'
import { expectNoScan, explain, indexesOf, loadRows, nodesOf, type Plan, rowsReadBy } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

/** One record of each kind per hour, over 125 days; the period has eight of them. Others have a quarter of that. */
const hours = 3_000
let service: Service
let context: ShopContext
let period: ReportPeriod
const now = new Date()

beforeAll(async () => {
  service = await theService()
  const shops = await Promise.all([makeShop(), makeShop(), makeShop()])
  const { db } = service.database
  await service.schedule.stop()
  await loadRows(db, async (db) => {
    for (const [index, { slug }] of shops.entries()) await load(db, slug, index === 1 ? hours : hours / 4)
  })
  await sql`delete from changed_days`.execute(db)
  await sql`
    insert into changed_days (shop_id, day)
    select id, current_date - n from shops, generate_series(120, 1200) as n`.execute(db)
  await sql`vacuum analyze changed_days, orders, shipments, shipment_events, claims, notifications, deliveries, campaign_views,
    campaigns, webhook_endpoints`.execute(db)
  const middle = shops[1]?.slug ?? ''
  const shop = await db.selectFrom('shops').where('slug', '=', middle).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
  const day = (ago: number) =>
    after(now, -ago * dayMs)
      .toISOString()
      .slice(0, 10)
  period = periodOf({ from: day(100), to: day(93) }, now)
})

/** Rows of tables and indexes that a statement reads, whether or not it returns them. */
function rowsRead(plan: Plan | undefined): number {
  return nodesOf(plan)
    .filter((node) => /Scan/.test(node['Node Type']) && node['Index Name'] !== undefined)
    .reduce((sum, node) => sum + rowsReadBy(node), 0)
}

describe('counting days', () => {
  it('reads only those days, however much the shop has', async () => {
    const days = datesOf(period).map((date) => ({ shopId: context.shop.id, date }))
    const [plan, ...others] = await explain(context, (context) => countDays(context, days))
    expect(others).toEqual([])
    // The shop's few endpoints may be read by a scan.
    for (const node of nodesOf(plan)) {
      if (node['Node Type'] === 'Seq Scan') expect(node['Relation Name']).toBe('webhook_endpoints')
    }
    const indexes = [
      'orders_placed',
      'orders_nothing_to_send',
      'orders_handed_over',
      'orders_from_pages',
      'shipments_created',
      'shipments_delivered',
      'shipment_events_failed',
      'claims_created',
      'deliveries_log',
      'campaign_views_day',
    ]
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(indexes))
    // One row per hour and index, twice if the index is read first and then the table, and a few lookups per receiver.
    expect(rowsRead(plan)).toBeGreaterThan(100)
    expect(rowsRead(plan)).toBeLessThanOrEqual(indexes.length * 2 * 8 * 24 + 8 * 60)
  })
})

describe('reading figures', () => {
  it('reads the days of the period, and what changed since the last count', async () => {
    const since = after(now, -5 * hourMs)
    const [plan] = await explain(context, (context) =>
      findKnownDays(context, 'figures', period, { since, limit: 2_000 }),
    )
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(
      expect.arrayContaining([
        'shipments_updated',
        'orders_pkey',
        'deliveries_pkey',
        'campaign_views_day',
        'daily_figures_pkey',
        'daily_figures_open',
        'changed_days_pkey',
      ]),
    )
    expect(rowsRead(plan)).toBeLessThanOrEqual(60)
  })

  it.each([
    ['changed days', (context: ShopContext) => markChangedDays(context, after(now, -5 * hourMs)), 200],
    ['every day', (context: ShopContext) => markEveryDay(context), 3 * 8 * 260],
    ['days to count', (context: ShopContext) => leaseChangedDays(context, 20), 60],
  ])('finds %s by index', async (_name, work, rows) => {
    const [plan] = await explain(context, work)
    for (const node of nodesOf(plan)) {
      if (node['Node Type'] === 'Seq Scan') expect(node['Relation Name']).toBe('shops')
    }
    expect(rowsRead(plan)).toBeLessThanOrEqual(rows)
  })

  it('names of campaigns, by id and by name', async () => {
    const [plan] = await explain(context, (context) => findCampaignNames(context, [context.shop.id], ['Campaign 7']))
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(['campaigns_pkey', 'campaigns_name']))
    expect(rowsRead(plan)).toBeLessThan(5)
  })
})

/** A record of every kind, one per hour back from now. Ids of deliveries begin with their time, as ours do. */
async function load(db: Kysely<Tables>, slug: string, count: number): Promise<void> {
  const at = sql`${now}::timestamptz - n * interval '1 hour'`
  const every = sql`(select id as shop_id from shops where slug = ${slug}) as shop, generate_series(1, ${count}::int) as n`
  const timedId = sql`(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
    || '7000' || substr(md5(${slug} || n), 1, 16))::uuid`
  const idOf = (kind: string) => (kind === 'order' ? timedId : sql`md5(${slug} || ${kind} || n)::uuid`)
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
      order_analytics, created_at, updated_at)
    select shop_id, ${idOf('order')}, n::text, n::text, ${at}, 1, '{"currency": "EUR", "total_order_price": 10}',
      case when n % 4 = 0 then '{}' else '{"source": "trackpages", "campaign": "Autumn"}' end::jsonb, ${at}, ${at}
    from ${every}`.execute(db)
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, direction, phase, flag, current_event_key,
      current_event_at, latest_event_at, placed_at, delivered_at, predicted_from, predicted_to, created_at, updated_at)
    select shop_id, ${idOf('order')}, ${idOf('order')}, case when n % 10 > 0 then 'T' || n end, 'merchant_customer', 'delivered', 'normal',
      'SUCCESSFULLY_DELIVERED', ${at}, ${at}, ${at} - interval '2 days', ${at}, ${at}, ${at}, ${at}, ${at}
    from ${every}`.execute(db)
  await sql`
    insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, source, is_notified, recorded_at)
    select shop_id, ${idOf('order')}, ${at}, key, gen_random_uuid(), 'api', false, ${at}
    from ${every}, unnest(array['DELIVERY_ATTEMPTED', 'IN_DELIVERY', 'AT_TRANSPORT_HUB']) as key`.execute(db)
  await sql`
    insert into claims (shop_id, id, order_id, shipment_id, reason, status, details, created_at, updated_at)
    select shop_id, ${idOf('order')}, ${idOf('order')}, ${idOf('order')}, 'damage', 'pending', '{}', ${at}, ${at}
    from ${every}`.execute(db)
  await sql`
    insert into webhook_endpoints (shop_id, id, url, url_since, enabled_events, secret, secret_since, status, created_at, updated_at)
    select id, md5(slug)::uuid, 'https://shop.example/hook', ${now}, '{}', '', ${now}, 'active', ${now}, ${now}
    from shops where slug = ${slug}`.execute(db)
  await sql`
    insert into campaigns (shop_id, id, name, segment, promotion_type, promotion_properties, enabled, start_date,
      created_at, updated_at)
    select shop_id, ${idOf('campaign')}, 'Campaign ' || n, 'default', 'basic', '{}', false, ${at}, ${at}, ${at}
    from ${every}`.execute(db)
  await sql`
    insert into notifications (shop_id, id, source, ref, event_name, event_group, body, triggered_at)
    select shop_id, ${timedId}, 'shipments', 'ref', 'IN_DELIVERY', 'group', '{}', ${at} from ${every}`.execute(db)
  await sql`
    insert into deliveries (shop_id, id, notification_id, target, event_name, event_group, status, next_attempt_at,
      created_at, finished_at)
    select shop_id, ${timedId}, ${timedId}, case when n % 2 = 0 then md5(${slug})::uuid::text else 'klaviyo' end,
      'IN_DELIVERY', 'group', case when n % 4 < 2 then 'delivered' else 'dead' end, ${at}, ${at}, ${at}
    from ${every}`.execute(db)
  await sql`
    insert into campaign_views (shop_id, subject_id, action, customer, day, order_id, recorded_at)
    select shop_id, md5(${slug})::uuid, 'exposure', sha256(n::text::bytea), (${at})::date, ${idOf('order')}, ${at}
    from ${every}`.execute(db)
}
