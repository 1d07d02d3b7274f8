import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DeliveryFilter } from '../../src/delivery/log/schema.ts'
import { deliveriesAbout, listDeliveries, requeueDead } from '../../src/delivery/log/store.ts'
import { updateCircuits } from '../../src/delivery/queue/circuit-store.ts'
import { fetchDeliveries, fetchProbes, findDueReceivers } from '../../src/delivery/queue/fetch-store.ts'
import { recordAttempts } from '../../src/delivery/queue/record-store.ts'
import { after, dayMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import type { Service } from '../../src/service.ts'
import { expectNoScan, explain, indexesOf, loadRows, nodesOf, type Plan, rowsReadBy } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const perReceiver = 4_000
const waiting = 1_000
const perPage = 30
/** The contents of the log: two statuses with three event names each. */
const runs = 6
const names = ['PARCEL_DISPATCHED', 'OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED']

let service: Service
let context: ShopContext
let target: string
let shipmentId: string
const now = new Date()

beforeAll(async () => {
  service = await theService()
  const shops = await Promise.all([makeShop(), makeShop()])
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const { slug } of shops) await load(db, slug)
  })
  await sql`vacuum analyze notifications, deliveries`.execute(db)
  const shop = await db.selectFrom('shops').where('slug', '=', shops[0].slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
  const one = await db
    .selectFrom('deliveries')
    .where('shop_id', '=', shop.id)
    .where('status', '=', 'dead')
    .select(['target', 'shipment_id'])
    .executeTakeFirstOrThrow()
  target = one.target
  shipmentId = one.shipment_id ?? ''
})

/** Rows of tables and indexes that a statement reads, whether or not it returns them. */
function rowsRead(plan: Plan | undefined): number {
  return nodesOf(plan)
    .filter((node) => node['Index Name'] !== undefined)
    .reduce((sum, node) => sum + rowsReadBy(node), 0)
}

describe('log of deliveries is read by the page', () => {
  const filters: DeliveryFilter[] = [
    {},
    { status: 'dead' },
    { status: 'skipped' },
    { event: 'OUT_FOR_DELIVERY' },
    { event: 'NEVER_TOLD' },
    { event: 'OUT_FOR_DELIVERY', status: 'dead' },
  ]

  it.each(filters)('%o', async (filter) => {
    const [list] = await explain(context, (context) => listDeliveries(context, target, filter))
    expectNoScan(list)
    expect(indexesOf(list)).toContain('deliveries_log')
    // Each index scan up to its first limit, the steps between them, and the page itself with its notifications and orders.
    expect(rowsRead(list)).toBeLessThanOrEqual(runs * 128 + 2 * runs + 4 * perPage)
  })

  it('of a shipment', async () => {
    const [list] = await explain(context, (context) => listDeliveries(context, target, { shipment_id: shipmentId }))
    expectNoScan(list)
    expect(rowsRead(list)).toBeLessThan(20)
    const [timeline] = await explain(context, (context) =>
      deliveriesAbout(context, { column: 'shipment_id', id: shipmentId }),
    )
    expectNoScan(timeline)
    expect(rowsRead(timeline)).toBeLessThan(20)
  })

  it('for dead letters since a time, whatever died before', async () => {
    const since = after(now, -20 * minuteMs)
    const [plan] = await explain(context, (context) => requeueDead(context, target, since, 1_000))
    expectNoScan(plan)
    expect(rowsRead(plan)).toBeLessThan(100)
  })
})

/** An endpoint with an open circuit, due for a probe, and a queue: a tenth are retries that are planned for later. */
async function withOpenCircuit(test: (target: string) => Promise<void>): Promise<void> {
  const id = randomUUID()
  const made = { shop_id: context.shop.id, id, url: 'https://receiver.example/', secret: Buffer.from('sealed') }
  const since = { url_since: now, secret_since: now, created_at: now, updated_at: now }
  const circuit = { circuit_opened_at: now, probe_at: now, probes: 0 }
  await context.db
    .insertInto('webhook_endpoints')
    .values({ ...made, ...since, ...circuit, enabled_events: ['*'], status: 'active' })
    .execute()
  await sql`
    insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status,
      next_attempt_at, created_at, attempts)
    select shop_id, gen_random_uuid(), notification_id, ${id}, gen_random_uuid(), event_name, event_group, 'pending',
      case when n % 10 = 0 then ${after(now, 32 * dayMs)}::timestamptz else next_attempt_at end, created_at,
      case when n % 10 = 0 then 1 else 0 end
    from (
      select deliveries.*, row_number() over () as n from deliveries
      where shop_id = ${context.shop.id} and target = 'klaviyo'
    ) as queued`.execute(context.db)
  try {
    await test(id)
  } finally {
    await context.db.deleteFrom('deliveries').where('target', '=', id).execute()
    await context.db.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
  }
}

/** A shop has few endpoints, which may all be read. */
function expectNoQueueScan(plan: Plan | undefined): void {
  const scans = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')
  expect(scans.map((node) => node['Relation Name']).filter((name) => name !== 'webhook_endpoints')).toEqual([])
}

describe('queue of a receiver is read by what is due', () => {
  const soon = after(now, 31 * dayMs)
  const lease = { worker: randomUUID(), now: soon, until: after(soon, 10 * secondMs) }

  it('as many as requested, for a worker that has begun others', async () => {
    const busy = await context.db
      .selectFrom('deliveries')
      .where('shop_id', '=', context.shop.id)
      .where('target', '=', 'klaviyo')
      .where('status', '=', 'pending')
      .orderBy('id')
      .limit(100)
      .select('id')
      .execute()
    const request = {
      shopId: context.shop.id,
      receiverId: 'klaviyo',
      limit: 50,
      isLeased: false,
      exclude: busy.map(({ id }) => id),
    }
    const [plan] = await explain(context, (context) => fetchDeliveries(context, [request], lease))
    expectNoScan(plan)
    expect(indexesOf(plan)).toContain('deliveries_due')
    // Deliveries in flight are skipped. For each that is claimed, the one before it is checked and its payload read.
    expect(rowsRead(plan)).toBeLessThanOrEqual(100 + 4 * 50 + 20)
  })

  it('for one probe while the circuit of an endpoint is open', async () => {
    await withOpenCircuit(async (target) => {
      const receivers = [{ shopId: context.shop.id, receiverId: target }]
      const [plan] = await explain(context, (context) => fetchProbes(context, receivers, [], soon))
      expectNoQueueScan(plan)
      // The probe and its endpoint, and whatever endpoints lie beside it: not the queue.
      expect(rowsRead(plan)).toBeLessThan(waiting / 10)
    })
  })

  it('for planned retries when a circuit closes, and for nothing when it opens', async () => {
    await withOpenCircuit(async (target) => {
      const result = {
        shopId: context.shop.id,
        receiverId: target,
        isProbed: true,
        failingSince: null,
        lastFailure: null,
        hours: [],
      }
      const closing = { ...result, lastSuccessAt: soon, failures: 0 }
      const [closed] = await explain(context, (context) => updateCircuits(context, [closing], soon))
      expectNoQueueScan(closed)
      // A tenth of the queue, found and then written.
      expect(rowsRead(closed)).toBeLessThanOrEqual(2 * (waiting / 10) + 20)
      const opening = { ...result, lastSuccessAt: null, failures: 25 }
      const [opened] = await explain(context, (context) => updateCircuits(context, [opening], soon))
      expect(nodesOf(opened).filter((node) => node['Relation Name'] === 'deliveries')).toEqual([])
    })
  })

  it('by receiver, however long its queue is', async () => {
    const [plan] = await explain(context, (context) => findDueReceivers(context, soon, 100))
    expectNoScan(plan)
    expect(indexesOf(plan)).toContain('deliveries_due')
    expect(rowsRead(plan)).toBeLessThan(waiting)
  })

  it('and the result of an attempt is written by its key', async () => {
    const { id } = await context.db
      .selectFrom('deliveries')
      .where('shop_id', '=', context.shop.id)
      .where('status', '=', 'pending')
      .select('id')
      .executeTakeFirstOrThrow()
    const delivery = {
      shopId: context.shop.id,
      id,
      receiverId: target,
      notificationId: id,
      eventGroup: 'group',
      attemptNumber: 1,
      attemptSinceResend: 1,
      body: Buffer.alloc(0),
      endpoint: null,
    }
    const outcome = { verdict: 'delivered' as const, statusCode: 200, responseBody: '', stage: null, error: null }
    const attempt = {
      delivery,
      startedAt: now,
      durationMs: 5,
      outcome: { ...outcome, retryAfterMs: undefined },
      status: 'delivered' as const,
      nextAttemptAt: now,
    }
    const [plan] = await explain(context, (context) => recordAttempts(context, [attempt]))
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(['deliveries_pkey'])
    expect(rowsRead(plan)).toBe(1)
  })
})

/** Deliveries to one endpoint, a minute apart back from yesterday, most delivered and some dead; and a queue of another. */
async function load(db: Kysely<Tables>, slug: string): Promise<void> {
  const at = sql`${now}::timestamptz - n * interval '1 minute'`
  const every = sql`
    (select id as shop_id from shops where slug = ${slug}) as shop, generate_series(1, ${perReceiver}::int) as n`
  const idOf = (kind: string) => sql`(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
    || '7000' || substr(md5(${slug} || ${kind} || n), 1, 16))::uuid`
  const name = sql`(${names}::text[])[n % 3 + 1]`
  await sql`
    insert into notifications (shop_id, id, source, ref, event_name, event_group, shipment_id, body, triggered_at)
    select shop_id, ${idOf('told')}, 'shipments', 'ref', ${name}, 'group', md5(${slug} || n / 3)::uuid, '{}', ${at}
    from ${every}`.execute(db)
  await sql`
    insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status,
      next_attempt_at, created_at, finished_at)
    select shop_id, ${idOf('endpoint')}, ${idOf('told')}, md5(${slug})::uuid::text, md5(${slug} || n / 3)::uuid, ${name},
      'group', case when n % 10 = 0 then 'dead' else 'delivered' end, ${at}, ${at}, ${at}
    from ${every}`.execute(db)
  // Not due before the test has checked, so that the service's own worker leaves them in the queue.
  await sql`
    insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status,
      next_attempt_at, created_at)
    select shop_id, ${idOf('klaviyo')}, ${idOf('told')}, 'klaviyo', gen_random_uuid(), ${name}, 'group', 'pending',
      ${after(now, 30 * dayMs)}, ${at}
    from ${every} where n <= ${waiting}::int`.execute(db)
}
