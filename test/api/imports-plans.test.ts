import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { selectionOf } from '../../src/orders/exports/rules.ts'
import { listShipmentsToExport } from '../../src/orders/exports/store.ts'
import { findChunk, findNamesInUse } from '../../src/orders/imports/file-store.ts'
import { deleteImportsBefore, leaseImport, listImportRows } from '../../src/orders/imports/store.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import { expectNoScan, explain, indexesOf, loadRows, nodesOf, type Plan, rowsReadBy } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const shipmentsOfShop = 3_000
const limit = 100
let context: ShopContext
const now = new Date()
const ago = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()

beforeAll(async () => {
  const shops = await Promise.all([makeShop(), makeShop(), makeShop()])
  const service = await theService()
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const [index, { slug }] of shops.entries()) await load(db, slug, index === 1 ? shipmentsOfShop : 800)
  })
  await sql`vacuum analyze orders, shipments, imports, import_names, import_chunks`.execute(db)
  const shop = await db.selectFrom('shops').where('slug', '=', shops[1].slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
})

describe('export reads no more than its batch', () => {
  const created = { index: 'shipments_created', column: 'created_at' }
  const updated = { index: 'shipments_updated', column: 'updated_at' }
  it.each([
    ['by default', {}, created],
    ['of the whole history', { created_from: ago(4_000) }, created],
    ['of a month long ago', { created_from: ago(400), created_to: ago(370) }, created],
    ['of what changed lately', { updated_from: ago(20) }, updated],
    ['of what changed lately, of a long time', { updated_from: ago(20), created_from: ago(4_000) }, updated],
    ['of what changed until then', { updated_to: ago(20) }, updated],
  ])('%s', async (_name, filter, { index }) => {
    const period = selectionOf(filter, now)
    const start = { cursor: ago(1), id: '00000000-0000-0000-0000-000000000000' }
    for (const cursor of [undefined, start]) {
      const [plan] = await explain(context, (context) => listShipmentsToExport(context, period, cursor, limit))
      expectNoScan(plan)
      expect(indexesOf(plan).filter((name) => name === index)).toHaveLength(2)
      expectBounded(plan)
    }
  })
})

describe('queries of an import worker', () => {
  it('use an index, however many imports there have been', async () => {
    const [claim] = await explain(context, (context) => leaseImport(context, now))
    expectNoScan(claim)
    expect(indexesOf(claim)).toContain('imports_due')
    expectBounded(claim)
    const [names] = await explain(context, (context) =>
      findNamesInUse(context, { shop_id: context.shop.id, id: importId(5) }, 'order_number', ['n1', 'n2']),
    )
    expectNoScan(names)
    const [chunk] = await explain(context, (context) =>
      findChunk(context, { shop_id: context.shop.id, id: importId(5) }, 3),
    )
    expectNoScan(chunk)
    const [deletion] = await explain(context, (context) =>
      deleteImportsBefore(context, new Date(now.getTime() - 300 * dayMs), 10),
    )
    expectNoScan(deletion)
    expect(indexesOf(deletion)).toContain('imports_finished')
  })

  it('are bounded for a page of the list', async () => {
    const [list] = await explain(context, (context) => listImportRows(context, { page: 2, perPage: 30 }))
    expectNoScan(list)
    expectBounded(list)
  })
})

/** No node returns or filters out more rows than one batch per index scan. */
function expectBounded(plan: Plan | undefined): void {
  for (const node of nodesOf(plan)) {
    const rows = rowsReadBy(node)
    expect(rows, `${node['Node Type']} ${node['Index Name'] ?? ''}`).toBeLessThanOrEqual(2 * limit)
  }
}

const importId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Shipments of every age, each changed some time after its creation, and finished imports. */
async function load(db: Kysely<Tables>, slug: string, count: number): Promise<void> {
  await sql`
    with shop as (select id from shops where slug = ${slug}), made as (
      insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
        created_at, updated_at)
      select shop.id, gen_random_uuid(), n, n, ${now}::timestamptz - n * interval '4 hours', 1, '{}',
        ${now}::timestamptz - n * interval '4 hours', ${now}
      from shop, generate_series(1, ${sql.lit(count)}) as n
      returning shop_id, id, order_number::int as n, created_at
    )
    insert into shipments (shop_id, id, order_id, tracking_number, direction, phase, flag, current_event_key,
      current_event_at, latest_event_at, placed_at, created_at, updated_at)
    select shop_id, gen_random_uuid(), id, case when n % 5 > 0 then n::text end, 'merchant_customer', 'order_processed',
      'normal', 'ORDER_PROCESSED', created_at, created_at, created_at, created_at, created_at + interval '90 minutes'
    from made`.execute(db)
  await sql`
    insert into imports (shop_id, id, filename, status, created_at, finished_at, due_at)
    select id, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'x.csv', 'completed',
      ${now}::timestamptz - n * interval '1 hour', ${now}::timestamptz - n * interval '1 hour',
      case when n < 3 then ${now}::timestamptz end
    from shops, generate_series(1, 1500) as n where slug = ${slug}`.execute(db)
  await sql`
    insert into import_names (shop_id, import_id, kind, name, row_number)
    select id, ${importId(5)}, 'order_number', 'n' || n, n from shops, generate_series(1, 2500) as n
    where slug = ${slug}`.execute(db)
  await sql`
    insert into import_chunks (shop_id, import_id, number, bytes)
    select id, ${importId(5)}, n, '\\x00' from shops, generate_series(0, 1500) as n where slug = ${slug}`.execute(db)
}
