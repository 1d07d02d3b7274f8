import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import { deleteRowsOfShop, listShopTables, type ShopTable } from '../../src/platform/store/shop-tables.ts'
import { listDeletedShops } from '../../src/shops/shops/store.ts'
import { conditionsOf, expectNoScan, explain, indexesOf, loadRows, nodesOf } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const ordersOfShop = 2_000
const limit = 100
let context: ShopContext
let tables: Map<string, ShopTable>

beforeAll(async () => {
  const shops = await Promise.all([makeShop(), makeShop(), makeShop()])
  const service = await theService()
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const { slug } of shops) await load(db, slug)
  })
  await sql`vacuum analyze shops, orders, shipments, shipment_events`.execute(db)
  const shop = await db.selectFrom('shops').where('slug', '=', shops[1].slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), shop }
  tables = new Map((await listShopTables(context)).map((table) => [table.name, table]))
})

describe('removing a shop', () => {
  it.each(['orders', 'shipments', 'shipment_events'])('reads no more of %s than it deletes', async (name) => {
    const table = tables.get(name) as ShopTable // the table exists
    const last = await keyAt(table, 1_000)
    const [plan] = await explain(context, (context) =>
      deleteRowsOfShop(context, table, context.shop.id, { after: last, limit }),
    )
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual([`${name}_pkey`])
    // Starts after the deleted rows instead of filtering them out.
    for (const column of table.key) expect(conditionsOf(plan)).toContain(column)
    for (const node of nodesOf(plan)) {
      const read = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
      expect(read, node['Node Type']).toBeLessThanOrEqual(limit)
    }
  })

  it('finds deleted shops without reading the others', async () => {
    const [plan] = await explain(context, (context) => listDeletedShops(context, context.now, 20))
    expect(indexesOf(plan)).toEqual(['shops_deleted'])
  })
})

describe('foreign key', () => {
  it('finds referring rows by an index, whichever row is deleted', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name
      from pg_constraint
      join pg_namespace as space on space.oid = connamespace
      where contype = 'f' and space.nspname = 'public' and not exists (
        select 1 from pg_index
        where indrelid = conrelid and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
      )
      order by 1`.execute(context.db)
    // An automation has few filters, and a shop few automations.
    expect(rows.map(({ name }) => name)).toEqual(['automation_filters_shop_id_automation_id_fkey'])
  })
})

async function keyAt({ name, key }: ShopTable, position: number): Promise<string[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const { rows } = await sql<{ key: string[] }>`
    select array[${sql.join(key.map((column) => sql`${sql.ref(column)}::text`))}] as key from ${sql.table(name)}
    where shop_id = ${context.shop.id} order by ${columns} offset ${position} limit 1`.execute(context.db)
  return rows[0]?.key ?? []
}

async function load(db: Kysely<Tables>, slug: string): Promise<void> {
  await sql`
    with shop as (select id from shops where slug = ${slug}), made as (
      insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
        created_at, updated_at)
      select shop.id, gen_random_uuid(), n, n, now(), 1, '{}', now(), now()
      from shop, generate_series(1, ${sql.lit(ordersOfShop)}) as n
      returning shop_id, id, order_number
    ), sent as (
      insert into shipments (shop_id, id, order_id, tracking_number, direction, phase, flag, current_event_key,
        current_event_at, latest_event_at, placed_at, created_at, updated_at)
      select shop_id, gen_random_uuid(), id, order_number, 'merchant_customer', 'order_processed', 'normal',
        'ORDER_PROCESSED', now(), now(), now(), now(), now()
      from made
      returning shop_id, id
    )
    insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, source, is_notified, recorded_at)
    select shop_id, id, now(), 'ORDER_PROCESSED', gen_random_uuid(), 'api', false, now() from sent`.execute(db)
}
