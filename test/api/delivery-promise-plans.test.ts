import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { journeysUnderWay, lastJourneys } from '../../src/orders/promises/journeys-store.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import { lastWays } from '../../src/promises/ways-store.ts'
import type { Service } from '../../src/service.ts'
import { writeHistory } from '../harness/history.ts'
import { expectNoScan, explain, indexesOf, nodesOf, type Plan } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

let service: Service
let context: ShopContext

beforeAll(async () => {
  service = await theService()
  const shops = [await makeShop(), await makeShop()]
  await service.schedule.stop()
  for (const [index, shop] of shops.entries()) await writeHistory(service, shop, index === 0 ? 405 : 20)
  const { db } = service.database
  await sql`vacuum analyze orders, shipments`.execute(db)
  const slug = shops[0]?.slug ?? ''
  const found = await db.selectFrom('shops').where('slug', '=', slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), shop: found }
})

describe('how parcels were sent', () => {
  it('is read from the newest deliveries, however many the shop has', async () => {
    const [plan] = await explain(context, lastWays)
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(['shipments_delivered'])
    const read = nodesOf(plan).find((node) => node['Index Name'] === 'shipments_delivered')
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from shipments
      where shop_id = ${context.shop.id} and delivered_at is not null`.execute(service.database.db)
    expect(rows[0]?.count).toBeGreaterThan(20_001)
    expect(read?.['Actual Rows']).toBeLessThanOrEqual(20_001)
  })
})

describe('finished journeys that a model learns from', () => {
  it('are the newest deliveries, with the order of each, however many the shop has', async () => {
    const [plan] = await explain(context, (context) => lastJourneys(context, context.shop.id))
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(['shipments_delivered', 'orders_pkey'])
    expectRowsUpTo(20_001, plan)
  })
})

describe('parcels under way that a model learns from', () => {
  it('are found by their phase and their last change', async () => {
    const [plan] = await explain(context, (context) => journeysUnderWay(context, context.shop.id))
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(['shipments_phase', 'orders_pkey'])
    expectRowsUpTo(25_001, plan)
  })
})

/** No step returns more rows than this, in all of its loops together. */
function expectRowsUpTo(limit: number, plan: Plan | undefined): void {
  for (const node of nodesOf(plan)) {
    expect(node['Actual Rows'] * node['Actual Loops'], node['Node Type']).toBeLessThanOrEqual(limit)
  }
}
