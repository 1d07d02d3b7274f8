import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { listOpenOrders, type OpenPosition } from '../../src/connections/catch-up/open-orders-store.ts'
import { leaseCatchUp } from '../../src/connections/catch-up/store.ts'
import { after, dayMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import { expectNoScan, explain, indexesOf, loadRows, nodesOf, rowsReadBy } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const now = new Date()
const since = after(now, -30 * dayMs)
const orders = 3_000
let context: ShopContext

/** Orders of ten days, of which every tenth has a tracking number, and every second is cancelled in the shop system. */
beforeAll(async () => {
  const shops = await Promise.all([makeShop(), makeShop()])
  const { database, context: newContext } = await theService()
  const { db } = database
  await loadRows(db, async (db) => {
    for (const { slug } of shops) {
      await sql`
        insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
          order_analytics, created_at, updated_at)
        select shops.id, md5(${slug} || number)::uuid, number::text, number::text,
          ${now}::timestamptz - number * interval '5 minutes', 1, '{}', '{}', ${now}, ${now}
        from shops, generate_series(1, ${orders}::int) as number where slug = ${slug}`.execute(db)
      await sql`
        insert into shipments (shop_id, id, order_id, tracking_number, direction, phase, flag, current_event_key,
          current_event_at, latest_event_at, products, placed_at, created_at, updated_at)
        select shops.id, md5('s' || ${slug} || number)::uuid, md5(${slug} || number)::uuid,
          case when number % 10 = 0 then number::text end, 'merchant_customer', 'order_created', 'normal', 'ORDER_CREATED',
          ${now}, ${now}, '[]', ${now}::timestamptz - number * interval '5 minutes',
          ${now}::timestamptz - number * interval '5 minutes', ${now}
        from shops, generate_series(1, ${orders}::int) as number where slug = ${slug}`.execute(db)
      await sql`
        insert into shop_system_orders (shop_id, system, external_id, expected_shipments, is_applied, fulfilments,
          cancelled_at)
        select shops.id, 'woocommerce', number::text, 1, true, '{}',
          case when number % 2 = 0 then ${now}::timestamptz end
        from shops, generate_series(1, ${orders}::int) as number where slug = ${slug}`.execute(db)
    }
    await sql`
      insert into shop_system_catch_ups (shop_id, system, began_at, credentials_at, due_at)
      select shops.id, md5(number::text), ${now}, ${now}, ${now}::timestamptz + number * interval '1 minute'
      from shops, generate_series(-2, 2000) as number`.execute(db)
  })
  await sql`vacuum analyze orders, shipments, shop_system_orders, shop_system_catch_ups`.execute(db)
  const shop = await db.selectFrom('shops').where('slug', '=', shops[0].slug).selectAll().executeTakeFirstOrThrow()
  context = { ...newContext(), now, shop }
})

describe('catching up', () => {
  it('finds its open orders by an index, and looks at as many rows however many there are', async () => {
    const position = { at: after(now, -3 * dayMs).toISOString(), id: 'ffffffff-ffff-4fff-8fff-ffffffffffff' }
    for (const start of [undefined, position]) {
      const [plan] = await explain(context, (context) =>
        listOpenOrders(context, 'woocommerce', { after: start, since, limit: 50 }),
      )
      expectNoScan(plan)
      expect(indexesOf(plan)).toContain('shipments_created')
      expect(indexesOf(plan)).toContain('shop_system_orders_pkey')
      expect(Math.max(...nodesOf(plan).map(rowsReadBy))).toBeLessThanOrEqual(251)
    }
  })

  it('walks through all of them in turn, without the cancelled ones, and begins again', async () => {
    const seen: string[] = []
    let position: OpenPosition | undefined
    let pages = 0
    do {
      const open = await listOpenOrders(context, 'woocommerce', { after: position, since, limit: 200 })
      seen.push(...open.ids)
      position = open.next
      pages += 1
    } while (position !== undefined && pages < 100)
    expect(seen).toHaveLength(orders / 2)
    expect(new Set(seen).size).toBe(orders / 2)
    expect(seen[0]).toBe('1')
    expect(pages).toBeLessThan(20)
  })

  it('leaves out orders of other systems, and those placed before', async () => {
    const other = await listOpenOrders(context, 'shopify', { after: undefined, since, limit: 50 })
    expect(other.ids).toEqual([])
    const recent = { after: undefined, since: after(now, -dayMs / 2), limit: 200 }
    expect((await listOpenOrders(context, 'woocommerce', recent)).ids).toHaveLength(72)
  })

  it('claims by the index of what is due', async () => {
    const [plan] = await explain(context, (context) => leaseCatchUp(context, now))
    expectNoScan(plan)
    expect(indexesOf(plan)).toContain('shop_system_catch_ups_due')
  })
})
