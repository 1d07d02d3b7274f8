import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { listFinishedDeliveries } from '../../src/delivery/log/replay-store.ts'
import { deleteNotificationsBefore } from '../../src/delivery/log/retention-store.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import type { Service } from '../../src/service.ts'
import {
  findBodies,
  findFeed,
  findProgress,
  listEntries,
  markRead,
  numberArrivals,
} from '../../src/webhooks/event-feed/store.ts'
import { expireEntries } from '../../src/webhooks/event-feed/upkeep-store.ts'
import { expectNoScan, explain, indexesOf, loadRows, nodesOf, type Plan } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const eventsOfShop = 4_000
const arrivalsOfShop = 300
/** One of several, each with events of several names. */
const target = 'endpoint 3'
const endpoints = 8
const names = 9
const now = new Date()
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

let service: Service
let context: ShopContext

beforeAll(async () => {
  service = await theService()
  const shops = [await makeShop(), await makeShop(), await makeShop()]
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const { slug } of shops) await load(db, slug)
  })
  await sql`vacuum analyze event_feeds, feed_arrivals, feed_entries, notifications, deliveries`.execute(db)
  const shop = await db
    .selectFrom('shops')
    .where('slug', '=', String(shops[1]?.slug))
    .selectAll()
    .executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
})

/** Nothing of the feed is scanned, and no node reads more rows than these. */
function expectBounded(plan: Plan | undefined, rows: number): void {
  expectNoScan(plan)
  for (const node of nodesOf(plan)) {
    const where = JSON.stringify(node, undefined, 1)
    expect(
      node['Actual Rows'] * node['Actual Loops'] + (node['Rows Removed by Filter'] ?? 0),
      where,
    ).toBeLessThanOrEqual(rows)
  }
}

describe('reading the event feed', () => {
  it('reads the part after the cursor and nothing else', async () => {
    const [entries] = await explain(context, (context) => listEntries(context, 2_000, 100))
    expect(indexesOf(entries)).toEqual(['feed_entries_pkey'])
    expectBounded(entries, 100)
  })

  it('finds the payloads by their ids', async () => {
    const ids = (await listEntries(context, 1_000, 100)).map(({ notificationId }) => notificationId)
    const [bodies] = await explain(context, (context) => findBodies(context, ids))
    expect(indexesOf(bodies)).toEqual(['notifications_pkey'])
    expectBounded(bodies, 100)
  })

  it('looks at one row to see whether something arrived', async () => {
    const [feed] = await explain(context, findFeed)
    expectBounded(feed, 1)
    const [progress] = await explain(context, (context) => findProgress(context, [context.shop.id]))
    expectBounded(progress, 1)
    const [read] = await explain(context, markRead)
    expectBounded(read, 1)
  })

  it('numbers what arrived, and no more', async () => {
    const [, numbering] = await explain(context, (context) => numberArrivals(context, context.shop.id))
    expect(indexesOf(numbering)).toContain('feed_arrivals_pkey')
    // Arrivals are joined with themselves at worst.
    expectBounded(numbering, arrivalsOfShop)
  })
})

describe('retention of the event feed', () => {
  it('reads the oldest entries', async () => {
    const [plan] = await explain(context, (context) => expireEntries(context, context.shop.id, ago(3_900), 500))
    expect(indexesOf(plan)).toContain('feed_entries_pkey')
    expectBounded(plan, 500)
  })

  it('keeps notifications that a feed has, found by their ids', async () => {
    const [plan] = await explain(context, (context) => deleteNotificationsBefore(context, ago(3_900), 500))
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(['notifications_age', 'feed_entries_notification']))
    expectBounded(plan, 500)
  })
})

describe('replay', () => {
  it('reads the deliveries of one batch from each run of the log', async () => {
    const range = { receiverId: target, from: ago(3_000), to: ago(10) }
    const [plan] = await explain(context, (context) =>
      listFinishedDeliveries(context, range, undefined, { limit: 20, withBodies: true }),
    )
    expect(indexesOf(plan)).toContain('deliveries_log')
    // Each name may be delivered and dead, and the page is cut from what they have together.
    expectBounded(plan, 20 * names * 2)
  })
})

/** An event per hour, each with a delivery to one endpoint. */
async function load(db: Kysely<Tables>, slug: string): Promise<void> {
  const { id: shopId } = await db.selectFrom('shops').where('slug', '=', slug).select('id').executeTakeFirstOrThrow()
  await sql`
    insert into event_feeds (shop_id, id, is_on, last_position, expired_position, read_at)
    values (${shopId}, gen_random_uuid(), true, ${eventsOfShop}::int, 0, ${now})`.execute(db)
  await sql`
    insert into notifications (shop_id, id, source, ref, event_name, event_group, body, triggered_at)
    select ${shopId}, id, 'shipments', 'shipments/in_transit/TEST', 'TEST', 'shipment_in_transit', '{}', at
    from generate_series(1, ${eventsOfShop}::int) as n,
      lateral (select ${now}::timestamptz - (${eventsOfShop}::int - n) * interval '1 hour' as at) as times,
      lateral (
        select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' ||
          substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid as id
      ) as ids`.execute(db)
  await sql`
    insert into feed_entries (shop_id, position, notification_id, ref, triggered_at)
    select shop_id, row_number() over (order by id), id, ref, triggered_at from notifications
    where shop_id = ${shopId}`.execute(db)
  await sql`
    insert into feed_arrivals (shop_id, notification_id, ref, triggered_at)
    select ${shopId}, gen_random_uuid(), 'shipments/in_transit/TEST', ${now}
    from generate_series(1, ${arrivalsOfShop}::int)`.execute(db)
  await sql`
    insert into deliveries (shop_id, id, notification_id, target, event_name, event_group, status, next_attempt_at,
      created_at, finished_at)
    select shop_id, id, id, 'endpoint ' || n % ${endpoints}::int, 'EVENT_' || n % ${names}::int, event_group,
      case when n % 10 = 0 then 'dead' else 'delivered' end, triggered_at, triggered_at, triggered_at
    from (select *, row_number() over (order by id) as n from notifications where shop_id = ${shopId}) as numbered`.execute(
    db,
  )
}
