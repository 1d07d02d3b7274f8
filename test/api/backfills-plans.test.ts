import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { leaseBackfill, listBackfillRows } from '../../src/connections/backfills/store.ts'
import { countOrders, listActivity } from '../../src/connections/shop-systems/activity-store.ts'
import { updateOrderSnapshots } from '../../src/connections/shop-systems/store.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import { expectNoScan, explain, indexesOf, loadRows, nodesOf } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

let context: ShopContext
const now = new Date()
const emptySnapshot = {
  changedAt: null,
  sentAt: null,
  cancelledAt: null,
  deletedAt: null,
  quantity: null,
  expectedShipments: 1,
  isApplied: false,
  fulfilments: {},
}

beforeAll(async () => {
  const shops = await Promise.all([makeShop(), makeShop(), makeShop()])
  const service = await theService()
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const [index, { slug }] of shops.entries()) {
      await sql`
      insert into backfills (shop_id, id, system, days, status, since, until, created_at, updated_at, due_at)
      select shops.id, md5('b' || number)::uuid, 'shopify', 30, 'completed', ${now}, ${now}, ${now}, ${now},
        case when number % 500 = 0 then ${now}::timestamptz + interval '1 day' end
      from shops, generate_series(1, 1500) as number where slug = ${slug}`.execute(db)
      await sql`
      insert into shop_system_orders (shop_id, system, external_id, expected_shipments, is_applied, fulfilments)
      select shops.id, system, number::text, 1, true, '{}'
      from shops, generate_series(1, ${index === 1 ? 4_000 : 1_000}::int) as number, unnest(array['shopify', 'shopware']) as system
      where slug = ${slug}`.execute(db)
    }
  })
  await sql`vacuum analyze backfills, shop_system_orders`.execute(db)
  const shop = await db.selectFrom('shops').where('slug', '=', shops[1].slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
})

describe('queries of backfills and connections', () => {
  it('claim by the index of what is due, however many there have been', async () => {
    const [claim] = await explain(context, (context) => leaseBackfill(context, now))
    expectNoScan(claim)
    expect(indexesOf(claim)).toContain('backfills_due')
  })

  it('list a page by the key of the shop', async () => {
    const [page] = await explain(context, (context) => listBackfillRows(context, { page: 1, perPage: 30 }))
    expectNoScan(page)
    expect(indexesOf(page)).toContain('backfills_pkey')
  })

  it('find the snapshots of a batch by their keys', async () => {
    const externalIds = Array.from({ length: 25 }, (_, index) => String(index + 1))
    const snapshot = { ...emptySnapshot, isApplied: true }
    const updates = externalIds.map((externalId) => ({ externalId, snapshot }))
    const [update] = await explain(context, (context) => updateOrderSnapshots(context, 'shopify', updates))
    expectNoScan(update)
    expect(indexesOf(update)).toContain('shop_system_orders_pkey')
    const found = nodesOf(update).filter((node) => node['Index Name'] === 'shop_system_orders_pkey')
    // One look-up for each, not a walk through all orders of the system.
    expect(found.map((node) => [node['Actual Rows'], node['Actual Loops']])).toEqual([[1, externalIds.length]])
  })

  it('count orders of one system, and no more than the limit', async () => {
    const [count] = await explain(context, (context) => countOrders(context, 'shopify', 1_000))
    expectNoScan(count)
    expect(Math.max(...nodesOf(count).map((node) => node['Actual Rows']))).toBeLessThanOrEqual(1_000)
    const [activity] = await explain(context, (context) => listActivity(context))
    expect(nodesOf(activity).every((node) => node['Actual Rows'] <= 3)).toBe(true)
  })
})
