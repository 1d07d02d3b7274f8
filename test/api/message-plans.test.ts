import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DeliveryFilter } from '../../src/delivery/log/schema.ts'
import { listDeliveries, requeueDeliveries } from '../../src/delivery/log/store.ts'
import { findHealth, recordHealth } from '../../src/delivery/queue/health-store.ts'
import { findMatching } from '../../src/orders/internal-triggers/preview-store.ts'
import type { TriggerRule } from '../../src/orders/internal-triggers/store.ts'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import type { Service } from '../../src/service.ts'
import { expectNoScan, explain, indexesOf, loadRows, nodesOf, type Plan, rowsReadBy } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const perReceiver = 1_500
const receivers = 3
/** More than one preview reads. */
const [shipments, readByPreview] = [9_000, 5_000]
const perPage = 30
/** Two statuses with two event names each. */
const runs = receivers * 4
const now = new Date()

let service: Service
let context: ShopContext
let target: string
let orderId: string

beforeAll(async () => {
  service = await theService()
  const shops = await Promise.all([makeShop(), makeShop()])
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const { slug } of shops) await load(db, slug)
    await loadShipments(db, shops[0].slug)
  })
  await sql`vacuum analyze notifications, deliveries, receiver_hours, receiver_health, shipments, orders`.execute(db)
  const shop = await db.selectFrom('shops').where('slug', '=', shops[0].slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
  const one = await sql<{ target: string; order_id: string }>`
    select deliveries.target, notifications.order_id from deliveries
    join notifications on notifications.shop_id = deliveries.shop_id and notifications.id = deliveries.notification_id
    where deliveries.shop_id = ${shop.id} limit 1`.execute(db)
  target = one.rows[0]?.target ?? ''
  orderId = one.rows[0]?.order_id ?? ''
})

/** Rows of tables and indexes that a statement reads, whether or not it returns them. */
function rowsRead(plan: Plan | undefined): number {
  return rowsIn(nodesOf(plan))
}

function rowsIn(nodes: Plan[]): number {
  return nodes.filter((node) => node['Index Name'] !== undefined).reduce((sum, node) => sum + rowsReadBy(node), 0)
}

describe('log of all receivers is read by the page', () => {
  const since = new Date(now.getTime() - 2 * hourMs).toISOString()
  const filters: DeliveryFilter[] = [
    {},
    { page: 3 },
    { created_from: since },
    { created_to: since },
    { status: 'dead' },
    { status: 'skipped' },
    { event: 'OUT_FOR_DELIVERY' },
    { event: 'NEVER_TOLD', status: 'dead' },
    { status: 'dead', created_to: since },
  ]

  it.each(filters)('%o', async (filter) => {
    const [list] = await explain(context, (context) => listDeliveries(context, undefined, filter))
    expectNoScan(list)
    // Each index scan up to its first limit, the steps between them, and the page itself with its notifications and orders;
    // and as much again, because statistics are a sample and the planner may read a range twice.
    expect(rowsRead(list)).toBeLessThanOrEqual(2 * (runs * 128 + 2 * runs + 4 * perPage))
  })

  it('of an order', async () => {
    const [list] = await explain(context, (context) => listDeliveries(context, undefined, { order_id: orderId }))
    expectNoScan(list)
    expect(rowsRead(list)).toBeLessThan(50)
  })

  it('and chosen ones are resent by their key', async () => {
    const [plan] = await explain(context, (context) => requeueDeliveries(context, [orderId]))
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(['deliveries_pkey'])
  })
})

describe('health of receivers is read', () => {
  it('by the hours of a week and bounded counts, however long the log is', async () => {
    const [plan] = await explain(context, (context) => findHealth(context, [target, 'klaviyo', 'nobody']))
    expectNoScan(plan)
    // At most 1,000 dead letters and 168 hours of each, and what waits.
    expect(rowsRead(plan)).toBeLessThanOrEqual(3 * (1_000 + 168 + 5))
  })

  it('and written by its key', async () => {
    const result = {
      shopId: context.shop.id,
      receiverId: 'klaviyo',
      lastSuccessAt: now,
      failingSince: null,
      failures: 0,
      isProbed: false,
      lastFailure: null,
      hours: [{ startMs: now.getTime() - (now.getTime() % hourMs), delivered: 1, failed: 0, dead: 0 }],
    }
    const [plan] = await explain(context, (context) => recordHealth(context, [result]))
    const scans = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')
    // If the store has a handful of endpoints, a scan of all of them is the quickest.
    expect(scans.filter((node) => node['Relation Name'] !== 'webhook_endpoints')).toEqual([])
    // A shop has few endpoints, so all of its own may be read.
    const others = nodesOf(plan).filter((node) => node['Relation Name'] !== 'webhook_endpoints')
    expect(rowsIn(others)).toBeLessThan(5)
  })
})

describe('preview of a trigger reads a fixed number of shipments', () => {
  const rule: Omit<TriggerRule, 'shopId'> = {
    id: '00000000-0000-0000-0000-000000000000',
    phaseIn: ['in_transit'],
    phaseNotIn: [],
    eventKeyIn: [],
    eventKeyNotIn: ['SUCCESSFULLY_DELIVERED'],
    operator: 'AND',
    timeThresholdType: 'latest_event_time',
    thresholdMs: 2 * dayMs,
    direction: 'merchant_customer',
  }

  it.each(['latest_event_time', 'created_at'] as const)('by %s', async (timeThresholdType) => {
    const [plan] = await explain(context, (context) =>
      findMatching(context, { ...rule, timeThresholdType, shopId: context.shop.id }, 1_000),
    )
    const scanned = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')
    expect(scanned.map((node) => node['Relation Name'])).toEqual([])
    expect(indexesOf(plan)).toContain('shipments_latest_event')
    // The walk, those of a day, and for each candidate its row, its events, its firing and its order.
    expect(rowsRead(plan)).toBeLessThan(5 * readByPreview)
    for (const node of nodesOf(plan)) {
      if (node['Index Name'] === 'shipments_latest_event') expect(rowsReadBy(node)).toBeLessThanOrEqual(readByPreview)
    }
  })
})

/** A log of three receivers, a minute apart, a tenth of it dead, and their hours. */
async function load(db: Kysely<Tables>, slug: string): Promise<void> {
  const at = sql`${now}::timestamptz - n * interval '1 minute'`
  const shop = sql`(select id as shop_id from shops where slug = ${slug}) as shop`
  const idOf = (kind: string) => sql`(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
    || '7000' || substr(md5(${slug} || ${kind} || n), 1, 16))::uuid`
  const name = sql`(array['OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED'])[n % 2 + 1]`
  const targets = [sql`md5(${slug})::uuid::text`, sql`md5(${slug} || 'two')::uuid::text`, sql`'klaviyo'`]
  await sql`
    insert into notifications (shop_id, id, source, ref, event_name, event_group, shipment_id, order_id, body, triggered_at)
    select shop_id, ${idOf('told')}, 'shipments', 'ref', ${name}, 'group', md5(${slug} || n)::uuid, md5(${slug} || n / 3)::uuid,
      '{}', ${at}
    from ${shop}, generate_series(1, ${perReceiver}::int) as n`.execute(db)
  for (const [index, receiver] of targets.entries()) {
    await sql`
      insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status,
        next_attempt_at, created_at, finished_at)
      select shop_id, ${idOf(`delivery ${index}`)}, ${idOf('told')}, ${receiver}, md5(${slug} || n)::uuid, ${name},
        'group', case when n % 10 = 0 then 'dead' else 'delivered' end, ${at}, ${at}, ${at}
      from ${shop}, generate_series(1, ${perReceiver}::int) as n`.execute(db)
    await sql`
      insert into receiver_hours (shop_id, target, hour, delivered, failed, dead)
      select shop_id, ${receiver}, date_trunc('hour', ${now}::timestamptz) - n * interval '1 hour', 10, 1, 0
      from ${shop}, generate_series(1, 500) as n`.execute(db)
  }
}

/** Shipments with an event every minute, most delivered. */
async function loadShipments(db: Kysely<Tables>, slug: string): Promise<void> {
  const at = sql`${now}::timestamptz - n * interval '1 minute'`
  const shop = sql`(select id as shop_id from shops where slug = ${slug}) as shop`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
      created_at, updated_at)
    select shop_id, md5(${slug} || n)::uuid, n::text, n::text, ${at}, 1, '{}', ${at}, ${at}
    from ${shop}, generate_series(1, ${shipments}::int) as n`.execute(db)
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, direction, phase, flag, current_event_key,
      current_event_at, latest_event_at, placed_at, created_at, updated_at)
    select shop_id, md5(${slug} || n)::uuid, md5(${slug} || n)::uuid, 'T' || n, 'merchant_customer',
      case when n % 20 = 0 then 'in_transit' else 'delivered' end, 'normal', 'X', ${at}, ${at}, ${at}, ${at}, ${at}
    from ${shop}, generate_series(1, ${shipments}::int) as n`.execute(db)
}
