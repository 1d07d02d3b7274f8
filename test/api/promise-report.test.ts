import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countPromises } from '../../src/figures/promise-report/store.ts'
import { listDuePromises, lockPromises } from '../../src/orders/promises/outcome-store.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Service } from '../../src/service.ts'
import { shopIdOf } from '../harness/customers.ts'
import { expectNoScan, explain, indexesOf, nodesOf } from '../harness/plans.ts'
import { openTestDatabase, startTestService, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

interface Counted {
  count: number
  state: string
  carrier?: string | null
  country?: string | null
  percentile?: number | null
  share?: number | null
  earliest?: string | null
  latest?: string
}

/** Promises of orders of their own, without the API, because there are many. */
async function write(service: Service, made: TestShop, rows: Counted[]): Promise<void> {
  const shopId = await shopIdOf(service, made)
  const { now } = service.context()
  for (const [index, row] of rows.entries()) {
    const orders = sql`generate_series(1, ${row.count}::int) as n`
    const id = sql`('019a0000-0005-7000-8000-' || left(md5(${made.slug} || ${index}::text || '-' || n), 12))::uuid`
    await sql`
      insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
        created_at, updated_at)
      select ${shopId}, ${id}, ${`R${index}-`} || n, ${`R${index}-`} || n, ${now}, 1, '{"currency": "EUR"}', ${now}, ${now}
      from ${orders}`.execute(service.database.db)
    const { carrier = 'dhl', country = 'DE', percentile = 0.9, share = 0.92, earliest = null, state } = row
    await sql`
      insert into order_promises (shop_id, order_id, source, earliest, latest, carrier_reference, destination_country,
        percentile, share_by_latest, promised_at, due_at, state, check_at)
      select ${shopId}, ${id}, 'promise', ${earliest}::date, ${row.latest ?? '2026-06-10'}::date + (n % 3)::int,
        ${carrier}::text, ${country}::text, ${percentile}::float8, ${share}::float8, ${now}, ${now}, ${state}::text,
        case when ${state}::text = 'open' then ${now}::timestamptz + interval '1 hour' * n end
      from ${orders}`.execute(service.database.db)
  }
}

const june = { from: '2026-06-01', to: '2026-06-30' }

describe('report on promises', () => {
  it('counts what was promised and kept, in total and by route, with calibration', async () => {
    const made = await makeShop()
    await write(await theService(), made, [
      { count: 45, state: 'kept', earliest: '2026-06-09' },
      { count: 5, state: 'broken', earliest: '2026-06-09' },
      { count: 6, state: 'kept', percentile: 0.5, share: 0.6 },
      { count: 4, state: 'broken', percentile: 0.5, share: 0.5 },
      { count: 3, state: 'open', carrier: 'gls', country: 'AT' },
      { count: 2, state: 'at_risk', carrier: 'gls', country: 'AT' },
      { count: 1, state: 'kept', carrier: null, country: null, percentile: null, share: null },
      { count: 9, state: 'kept', latest: '2026-07-10' },
    ])
    const { status, body } = await made.as('viewer').get('/analytics/promises', june)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...june, as_of: expect.any(String) })
    expect(body.total).toEqual({
      promised: 66,
      kept: 52,
      broken: 9,
      open: 5,
      at_risk: 2,
      kept_share: 0.8525,
      mean_width_days: 3.02,
      calibration: [
        { percentile: 0.9, stated: 0.92, decided: 50, kept: 45, share: 0.9 },
        { percentile: 0.5, stated: 0.56, decided: 10, kept: 6, share: 0.6 },
      ],
    })
    expect(body.routes).toMatchObject([
      { carrier_reference: 'dhl', carrier_name: 'DHL', destination_country: 'DE', promised: 60, kept: 51, broken: 9 },
      { carrier_reference: 'gls', destination_country: 'AT', promised: 5, open: 5, at_risk: 2, kept_share: null },
      { carrier_reference: null, carrier_name: null, destination_country: null, promised: 1, calibration: [] },
    ])
    const one = (await made.as('viewer').get('/analytics/promises', { ...june, carrier: 'gls', country: 'at' })).body
    expect(one.total).toMatchObject({ promised: 5, open: 5 })
    expect(one.routes).toHaveLength(1)
  })

  it('is empty without promises, and rejects a period that is none', async () => {
    const shop = (await makeShop()).as('viewer')
    const { body } = await shop.get('/analytics/promises')
    expect(body.total).toMatchObject({ promised: 0, kept_share: null, mean_width_days: null, calibration: [] })
    expect((await shop.get('/analytics/promises', { from: '2026-06-02', to: '2026-06-01' })).status).toBe(422)
    expect((await shop.get('/analytics/promises', { from: '2024-06-02', to: '2026-06-01' })).status).toBe(422)
  })
})

describe('statements about promises', () => {
  let service: Service
  let context: ShopContext
  afterAll(() => service.stop())

  beforeAll(async () => {
    // A store of its own: the statistics of the shared one depend on the tests that ran before.
    service = await startTestService({}, await openTestDatabase())
    const [made, other] = [await makeShop({}, service), await makeShop({}, service)]
    await service.schedule.stop()
    for (const shop of [made, other]) {
      await write(service, shop, [
        { count: 6_000, state: 'kept', latest: '2025-06-10' },
        { count: 100, state: 'kept' },
        { count: 500, state: 'open', latest: '2026-09-10' },
      ])
    }
    await sql`vacuum analyze orders, order_promises, at_risk_parcels`.execute(service.database.db)
    const shopRow = await service.database.db
      .selectFrom('shops')
      .where('slug', '=', made.slug)
      .selectAll()
      .executeTakeFirstOrThrow()
    context = { ...service.context(), shop: shopRow }
  })

  it('read the days of the report from an index, and nothing else', async () => {
    const [plan] = await explain(context, (context) =>
      countPromises(context, { firstDay: june.from, lastDay: june.to }, { carrier: undefined, country: undefined }),
    )
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(['order_promises_latest'])
    const read = nodesOf(plan).find((node) => node['Index Name'] === 'order_promises_latest')
    expect(read?.['Actual Rows']).toBe(100)
  })

  it('find what is due by its time, and the promises of orders by their key', async () => {
    const [due] = await explain(context, (context) => listDuePromises(context, context.shop.id, 200))
    expect(indexesOf(due)).toEqual(['order_promises_due'])
    const ids = await context.db
      .selectFrom('order_promises')
      .where('shop_id', '=', context.shop.id)
      .select('order_id')
      .limit(50)
      .execute()
    const [locked] = await explain(context, (context) =>
      lockPromises(
        context,
        context.shop.id,
        ids.map(({ order_id }) => order_id),
      ),
    )
    expectNoScan(locked)
    expect(indexesOf(locked)).toContain('order_promises_pkey')
  })
})
