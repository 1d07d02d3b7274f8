import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import { inTransaction } from '../../src/platform/foundation/transaction.ts'
import {
  deleteSegmentFetches,
  eraseEvents,
  lockClaimsToErase,
  lockOrdersToErase,
  lockShipmentsToErase,
  lockShopSystemOrdersToErase,
} from '../../src/privacy/erase-order-store.ts'
import { findNotificationsOf, findShopSystemOrders } from '../../src/privacy/export-store.ts'
import { findOrdersOfCustomer, findUploads } from '../../src/privacy/find-store.ts'
import {
  cancelAutomations,
  cancelDeliveries,
  eraseReceiverResponses,
  listUnerasedNotifications,
} from '../../src/privacy/notification-store.ts'
import { countCustomerData } from '../../src/privacy/preview-store.ts'
import { eraseAssignments, eraseViews, findAssignments, findViews } from '../../src/privacy/view-store.ts'
import { explain, loadRows, nodesOf, type Plan, rowsReadBy } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const [orders, buyers] = [2_400, 800]
const firstId = '00000000-0000-0000-0000-000000000000'

let context: ShopContext
let ids: string[]
let customers: string[]

beforeAll(async () => {
  const shops = await Promise.all([makeShop(), makeShop()])
  const service = await theService()
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const [index, { slug }] of shops.entries()) await load(db, slug, index === 1 ? orders : orders / 4)
  })
  await sql`vacuum analyze orders, shipments, shipment_events, claims, notifications, deliveries,
    automation_runs, campaign_views, ab_test_assignments, shop_system_orders, segment_fetches, images`.execute(db)
  const slug = shops[1]?.slug ?? ''
  const shop = await db.selectFrom('shops').where('slug', '=', slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), shop }
  const found = await findOrdersOfCustomer(context, 'Customer-7@example.com', 20)
  expect(found).toHaveLength(3)
  ids = found.map(({ id }) => id)
  customers = found.map(({ customer }) => customer)
})

/** The rows of tables and indexes that a statement reads. */
function rowsRead(plan: Plan): number {
  return nodesOf(plan)
    .filter((node) => /Scan/.test(node['Node Type']) && node['Index Name'] !== undefined)
    .reduce((sum, node) => sum + rowsReadBy(node), 0)
}

describe("customer's data is found by index, whatever the shop has", () => {
  const email = 'customer-7@EXAMPLE.com'
  const statements: [name: string, work: (context: ShopContext) => Promise<unknown>][] = [
    ['the orders', (context) => findOrdersOfCustomer(context, email, 20)],
    ['what would be erased', (context) => countCustomerData(context, email, 1_000).catch(() => {})],
    ['the orders, locked', (context) => lockOrdersToErase(context, email, ids)],
    ['the shipments', (context) => lockShipmentsToErase(context, ids)],
    ['the events', (context) => eraseEvents(context, ids)],
    ['the claims', (context) => lockClaimsToErase(context, ids)],
    ['uploads of forms', (context) => findUploads(context, ids)],
    [
      'messages of shop systems',
      (context) => lockShopSystemOrdersToErase(context, ['7', '807'], ['shopify', 'woocommerce']),
    ],
    ['the same to be shown', (context) => findShopSystemOrders(context, ['7', '807'], ['shopify', 'woocommerce'])],
    ['segments to be fetched', (context) => deleteSegmentFetches(context, ids)],
    ['notifications', (context) => listUnerasedNotifications(context, ids[0] ?? '', firstId, 200)],
    ['notifications with their deliveries', (context) => findNotificationsOf(context, ids, 201)],
    ['automations that wait', (context) => cancelAutomations(context, ids, 'reason')],
    ['deliveries that wait', (context) => cancelDeliveries(context, ids, ['klaviyo'])],
    ['what receivers answered', (context) => eraseReceiverResponses(context, ids, 'words')],
    ['views', (context) => findViews(context, customers, ids)],
    ['views to be deleted', (context) => eraseViews(context, customers, ids)],
    ['variants', (context) => findAssignments(context, customers)],
    ['variants to be deleted', (context) => eraseAssignments(context, customers)],
  ]

  it.each(statements)('%s', async (_name, work) => {
    const plans = await explain(context, (context) => inTransaction(context, work))
    expect(plans.length).toBeGreaterThan(0)
    for (const plan of plans) {
      // The shop's only automation may be read by a scan.
      const scans = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')
      expect(scans.map((node) => node['Relation Name']).filter((table) => table !== 'automations')).toEqual([])
      expect(rowsRead(plan), JSON.stringify(plan, undefined, 1)).toBeLessThan(120)
    }
  })
})

/** Customers with three orders each, and something of every kind about each order. */
async function load(db: Kysely<Tables>, slug: string, count: number): Promise<void> {
  const every = sql`(select id as shop_id from shops where slug = ${slug}) as shop, generate_series(1, ${count}::int) as n`
  const id = sql`md5(${slug} || n)::uuid`
  const one = sql`md5(${slug})::uuid`
  const statements = [
    sql`insert into orders (shop_id, id, order_number, external_id, email_id, order_placed_at,
        expected_number_of_shipments, details, created_at, updated_at)
      select shop_id, ${id}, n::text, n::text, 'Customer-' || n % ${sql.lit(buyers)} || '@example.com', now(), 1, '{}', now(), now()
      from ${every}`,
    sql`insert into images (shop_id, key, image_type, media_type, size_bytes, width, height, created_at, order_id)
      select shop_id, ${slug} || n, 'claim', 'image/jpeg', 1, 1, 1, now(), ${id} from ${every}`,
    sql`insert into shipments (shop_id, id, order_id, tracking_number, direction, phase, flag, current_event_key,
        current_event_at, latest_event_at, placed_at, created_at, updated_at)
      select shop_id, ${id}, ${id}, 'T' || n, 'merchant_customer', 'delivered', 'normal', 'IN_DELIVERY', now(), now(),
        now(), now(), now() from ${every}`,
    sql`insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, location, source, is_notified,
        recorded_at)
      select shop_id, ${id}, now(), 'IN_DELIVERY', ${id}, '{"city": "Berlin"}', 'api', false, now() from ${every}`,
    sql`insert into claims (shop_id, id, order_id, shipment_id, reason, status, details, created_at, updated_at)
      select shop_id, ${id}, ${id}, ${id}, 'damage', 'pending', '{}', now(), now() from ${every}`,
    sql`insert into shop_system_orders (shop_id, system, external_id) select shop_id, 'shopify', n::text from ${every}`,
    sql`insert into segment_fetches (shop_id, order_id, integration, due_at)
      select shop_id, ${id}, 'klaviyo', now() + interval '1 year' from ${every}`,
    sql`insert into notifications (shop_id, id, source, ref, event_name, event_group, shipment_id, order_id, body,
        triggered_at)
      select shop_id, ${id}, 'shipments', 'ref', 'IN_DELIVERY', 'group', ${id}, ${id}, '{}', now() from ${every}`,
    sql`insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status,
        attempts, next_attempt_at, created_at, attempt_log)
      select shop_id, ${id}, ${id}, 'klaviyo', ${id}, 'IN_DELIVERY', 'group', 'pending', 1, now() + interval '1 year', now(),
        '[{"number": 1, "answer": "answer"}]' from ${every}`,
    sql`insert into automations (shop_id, id, name, enabled, trigger_events, conditions, delay_minutes, actions,
        created_at, updated_at)
      select id, ${one}, 'One', true, '{}', '[]', 0, '[]', now(), now() from shops where slug = ${slug}`,
    sql`insert into automation_runs (shop_id, id, automation_id, notification_id, status, actions, outcomes, triggered_at,
        due_at)
      select shop_id, ${id}, ${one}, ${id}, 'pending', '[]', '[]', now(), now() + interval '1 year' from ${every}`,
    sql`insert into campaign_views (shop_id, subject_id, action, customer, day, order_id, recorded_at)
      select shop_id, ${one}, 'exposure', sha256(convert_to('email customer-' || n % ${sql.lit(buyers)} || '@example.com', 'UTF8')),
        now()::date - n / ${sql.lit(buyers)}, ${id}, now() from ${every}`,
    sql`insert into ab_tests (shop_id, id, name, segment, campaign_type, has_holdout, start_date, created_at, updated_at)
      select id, ${one}, 'One', 'default', 'basic', false, now(), now(), now() from shops where slug = ${slug}`,
    sql`insert into ab_test_assignments (shop_id, customer, test_id, assigned_at)
      select shop_id, sha256(convert_to('email customer-' || n || '@example.com', 'UTF8')), ${one}, now() from ${every}
      where n < ${sql.lit(buyers)}`,
  ]
  for (const statement of statements) await statement.execute(db)
}
