import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { findPayloads, listClaimEvents, listShipmentEvents } from '../../src/automations/past-event-store.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import { writeHistory } from '../harness/history.ts'
import { expectNoScan, explain, indexesOf, nodesOf, type Plan, rowsReadBy } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const limit = 300

let context: ShopContext

beforeAll(async () => {
  const service = await theService()
  const made = await Promise.all([makeShop(), makeShop()])
  for (const [index, shop] of made.entries()) await writeHistory(service, shop, index === 0 ? 60 : 10)
  const { db } = service.database
  const shop = await db.selectFrom('shops').where('slug', '=', made[0].slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), shop }
  await sql`
    insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, source, is_notified, recorded_at)
    select shop_id, id, latest_event_at - interval '1 hour' * n, 'PARCEL_DISPATCHED', gen_random_uuid(), 'api', true,
      latest_event_at
    from shipments, generate_series(0, 3) as n where shop_id = ${shop.id} and latest_event_at is not null`.execute(db)
  await sql`
    insert into notifications (shop_id, id, source, ref, event_name, event_group, shipment_id, order_id, body, triggered_at)
    select shop_id, gen_random_uuid(), 'shipments', 'shipments/delivered/X', 'X', 'x', id, order_id, '{}', updated_at
    from shipments where shop_id = ${shop.id}`.execute(db)
  await sql`vacuum analyze shipments, shipment_events, notifications`.execute(db)
})

/** Rows that a statement reads, whether or not it returns them. */
function rowsRead(plan: Plan | undefined, relation: RegExp): number {
  return nodesOf(plan)
    .filter((node) => relation.test(node['Index Name'] ?? ''))
    .reduce((sum, node) => sum + rowsReadBy(node), 0)
}

describe('past events for a dry run are read', () => {
  it('from a fixed number of shipments, however many there are', async () => {
    const since = new Date(context.now.getTime() - 90 * dayMs)
    const [plan] = await explain(context, (context) => listShipmentEvents(context, since, limit))
    expectNoScan(plan)
    expect(indexesOf(plan)).toContain('shipments_latest_event')
    expect(rowsRead(plan, /^shipments_/)).toBeLessThanOrEqual(2_000)
    expect(rowsRead(plan, /^shipment_events_/)).toBeLessThanOrEqual(2_000 * 50)
    expect(plan?.['Actual Rows']).toBe(limit)
  })

  it('of claims from a fixed number of notifications', async () => {
    const since = new Date(context.now.getTime() - 90 * dayMs)
    const [plan] = await explain(context, (context) => listClaimEvents(context, since, limit))
    expectNoScan(plan)
    expect(rowsRead(plan, /^notifications_/)).toBeLessThanOrEqual(limit)
  })

  it('with their payloads by shipment', async () => {
    const { rows } = await sql<{ shipmentId: string; ref: string }>`
      select shipment_id as "shipmentId", ref from notifications where shop_id = ${context.shop.id} limit 20`.execute(
      context.db,
    )
    const events = rows.map((row) => ({ ...row, notificationId: null }))
    const [plan] = await explain(context, (context) => findPayloads(context, events))
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(['notifications_shipment'])
    expect(rowsRead(plan, /^notifications_/)).toBeLessThanOrEqual(40)
  })
})
