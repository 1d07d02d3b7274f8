import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { after, dayMs } from '../../src/foundation/clock.ts'
import type { ShopContext } from '../../src/foundation/context.ts'
import { countWindows } from '../../src/journey/delivery-windows/store.ts'
import { integrationNames } from '../../src/marketing/integration.ts'
import { type Period, periodOf } from '../../src/resources/analytics/rules.ts'
import {
  countClaims,
  countDelivered,
  countDeliveries,
  countDraftsToSend,
  countFailedAttempts,
  countOrders,
  countOrdersWithoutTracking,
  countShipments,
  countViews,
  findCampaignNames,
  measureTransit,
  sumAttributed,
} from '../../src/resources/analytics/store.ts'
import { expectNoScan, explain, indexesOf, nodesOf, type Plan } from '../harness/plans.ts'
import { theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

/** One record of each kind per hour, over 250 days; the period has eight of them. */
const hours = 6_000
const loadTimeoutMs = 180_000

let context: ShopContext
let period: Period
const now = new Date()

beforeAll(async () => {
  const shops = await Promise.all([makeShop(), makeShop(), makeShop()])
  const service = await theService()
  const { db } = service.database
  for (const { slug } of shops) await load(slug)
  await sql`vacuum analyze orders, shipments, shipment_events, claims, notifications, deliveries, campaign_views,
    campaigns, webhook_endpoints`.execute(db)
  const middle = shops[1]?.slug ?? ''
  const shop = await db.selectFrom('shops').where('slug', '=', middle).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
  const day = (ago: number) =>
    after(now, -ago * dayMs)
      .toISOString()
      .slice(0, 10)
  period = periodOf({ from: day(100), to: day(93) }, now)
}, loadTimeoutMs)

/** Rows of tables and indexes that a statement reads, whether or not it returns them. */
function rowsRead(plan: Plan | undefined): number {
  return nodesOf(plan)
    .filter((node) => /Scan/.test(node['Node Type']) && node['Index Name'] !== undefined)
    .reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    )
}

describe('summary reads only its period, however much the shop has', () => {
  const statements: [name: string, index: string, work: (context: ShopContext) => Promise<unknown>][] = [
    ['orders by day', 'orders_placed', (context) => countOrders(context, period)],
    ['shipments by phase and flag', 'shipments_created', (context) => countShipments(context, period)],
    ['deliveries by day', 'shipments_delivered', (context) => countDelivered(context, period)],
    ['days of transit', 'shipments_delivered', (context) => measureTransit(context, period)],
    ['predicted windows', 'shipments_delivered', (context) => countWindows(context, period.from, period.until)],
    ['attempts that failed', 'shipment_events_failed', (context) => countFailedAttempts(context, period)],
    ['claims', 'claims_created', (context) => countClaims(context, period)],
    ['deliveries of notifications', 'deliveries_log', (context) => countDeliveries(context, period, integrationNames)],
    ['views of campaigns', 'campaign_views_day', (context) => countViews(context, period)],
    ['orders from tracking pages', 'orders_from_pages', (context) => sumAttributed(context, period)],
  ]

  it.each(statements)('%s', async (_name, index, work) => {
    const [plan, ...others] = await explain(context, work)
    expect(others).toEqual([])
    // The shop's few endpoints may be read by a scan.
    for (const node of nodesOf(plan)) {
      if (node['Node Type'] === 'Seq Scan') expect(node['Relation Name']).toBe('webhook_endpoints')
    }
    expect(indexesOf(plan)).toContain(index)
    // Twice the rows of the period if the index is read first and then the table.
    expect(rowsRead(plan)).toBeGreaterThan(100)
    expect(rowsRead(plan)).toBeLessThanOrEqual(2 * 8 * 24 + 60)
  })

  it.each([
    ['drafts that wait', ['shipments_created'], (context: ShopContext) => countDraftsToSend(context, period)],
    [
      'orders of which nothing will be seen',
      ['orders_nothing_to_send', 'orders_handed_over'],
      (context: ShopContext) => countOrdersWithoutTracking(context, period),
    ],
  ])('%s, of which there are few', async (_name, indexes, work) => {
    const [plan] = await explain(context, work)
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(indexes))
    expect(rowsRead(plan)).toBeLessThanOrEqual((8 * 24) / 10 + 1)
  })

  it('names of campaigns, by id and by name', async () => {
    const [plan] = await explain(context, (context) => findCampaignNames(context, [context.shop.id], ['Campaign 7']))
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(['campaigns_pkey', 'campaigns_name']))
    expect(rowsRead(plan)).toBeLessThan(5)
  })
})

/** A record of every kind, one per hour back from now. Ids of deliveries begin with their time, as ours do. */
async function load(slug: string): Promise<void> {
  const { db } = (await theService()).database
  const at = sql`${now}::timestamptz - n * interval '1 hour'`
  const every = sql`(select id as shop_id from shops where slug = ${slug}) as shop, generate_series(1, ${hours}::int) as n`
  const idOf = (kind: string) => sql`md5(${slug} || ${kind} || n)::uuid`
  const timedId = sql`(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
    || '7000' || substr(md5(${slug} || n), 1, 16))::uuid`
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
    insert into webhook_endpoints (shop_id, id, url, enabled_events, secret, status, created_at, updated_at)
    select id, md5(slug)::uuid, 'https://shop.example/hook', '{}', '', 'active', ${now}, ${now}
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
