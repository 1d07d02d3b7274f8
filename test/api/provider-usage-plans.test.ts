import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { listUsage } from '../../src/credentials/provider-accounts/usage-store.ts'
import { after, hourMs } from '../../src/platform/foundation/clock.ts'
import { expectNoScan, explain, indexesOf, nodesOf } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

describe('usage of providers', () => {
  it('reads no other shop, and no hours before those that are shown', async () => {
    const service = await theService()
    const { db } = service.database
    const { slug } = await makeShop()
    const shop = await db.selectFrom('shops').where('slug', '=', slug).selectAll().executeTakeFirstOrThrow()
    const now = new Date()
    // Rows of other shops, which need not exist: of few, reading a day of all shops would be as quick.
    await sql`
      insert into provider_hours (shop_id, provider, hour, requests, failures)
      select case when other = 0 then ${shop.id}::uuid else md5(${slug}::text || other)::uuid end, provider,
        ${now}::timestamptz - n * interval '1 hour', 9, 0
      from generate_series(0, 100) as other, generate_series(1, 40) as n, unnest(array['dhl', 'ups']) as provider`.execute(
      db,
    )
    await sql`analyze provider_hours`.execute(db)
    const context = { ...service.context(), now, shop }
    const [plan] = await explain(context, (context) => listUsage(context, shop.id, after(now, -24.5 * hourMs)))
    expectNoScan(plan)
    expect(indexesOf(plan)).toContain('provider_hours_pkey')
    for (const node of nodesOf(plan)) expect(node['Actual Rows'], JSON.stringify(node)).toBeLessThanOrEqual(2 * 24)
    await sql`delete from provider_hours where shop_id not in (select id from shops)`.execute(db)
  })
})
