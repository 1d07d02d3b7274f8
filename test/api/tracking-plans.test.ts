import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAccount } from '../../src/credentials/provider-accounts/store.ts'
import { countCarriers } from '../../src/orders/shipments/carrier-history-store.ts'
import { enrolBatch, finishOldParcels } from '../../src/orders/shipments/enrol-store.ts'
import { after, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import { countParcels, findDueCarriers, findNextPollTime, leaseParcels } from '../../src/tracking/scans/parcel-store.ts'
import { findParcelsByNumber } from '../../src/tracking/scans/shipment-store.ts'
import { listScansOf, listUnmapped } from '../../src/tracking/scans/unmapped-store.ts'
import { listScans } from '../../src/tracking/unmapped/replay-store.ts'
import { expectNoScan, explain, indexesOf, loadRows, nodesOf, type Plan, rowsReadBy } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const parcelsOfShop = 3_000
const shops = 4
let context: ShopContext
const now = new Date()

beforeAll(async () => {
  const made = await Promise.all(Array.from({ length: shops }, () => makeShop()))
  const service = await theService()
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const [index, { slug }] of made.entries())
      await load(db, slug, index === 1 ? parcelsOfShop : parcelsOfShop / 4)
  })
  await sql`vacuum analyze tracked_parcels, shipments, orders, unmapped_scans, unmapped_codes`.execute(db)
  const shop = await db
    .selectFrom('shops')
    .where('slug', '=', made[1]?.slug ?? '')
    .selectAll()
    .executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
  await openAccount(context, shop.id, 'dhl', now)
})

/** Parcels of three carriers, of which every tenth is due, and as many finished ones. No worker tracks these shops. */
async function load(db: Kysely<Tables>, slug: string, count: number): Promise<void> {
  const shop = sql`(select id from shops where slug = ${slug})`
  const series = sql`generate_series(1, ${sql.lit(count)}) as n`
  const id = sql`md5(${slug}::text || n)::uuid`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, zip_code, order_placed_at,
      expected_number_of_shipments, details, created_at, updated_at)
    select ${shop}, ${id}, n::text, n::text, '10115', ${now}, 1, '{}', ${now}, ${now} from ${series}`.execute(db)
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, carrier_reference, is_carrier_given, direction,
      phase, flag, current_event_key, current_event_at, latest_event_at, placed_at, created_at, updated_at)
    select ${shop}, ${id}, ${id}, 'T ' || n, (array['dhl', 'gls', 'ups'])[1 + n % 3], true, 'merchant_customer',
      'in_transit', 'normal', 'SHIPMENT_EN_ROUTE', ${now}, ${now}, ${now}, ${now}::timestamptz - n * interval '2 minutes',
      ${now}::timestamptz - n * interval '2 minutes'
    from ${series}`.execute(db)
  await sql`
    insert into tracked_parcels (shop_id, shipment_id, carrier_reference, tracking_number, fulfilled_at, next_poll_at,
      finished_at)
    select ${shop}, ${id}, (array['dhl', 'gls', 'ups'])[1 + n % 3], 'T ' || n,
      ${now}::timestamptz - n * interval '2 minutes',
      ${now}::timestamptz + (n % 10 - 1) * interval '1 hour' + n * interval '1 second',
      case when n % 2 = 0 then ${now}::timestamptz end
    from ${series}`.execute(db)
  await sql`
    insert into unmapped_codes (shop_id, provider, code, scans, last_seen_at)
    select ${shop}, 'dhl', 'CODE' || n, 100, ${now} from generate_series(1, 300) as n`.execute(db)
  await sql`
    insert into unmapped_scans (shop_id, provider, code, shipment_id, event_time, event_key, is_recorded)
    select ${shop}, 'dhl', 'CODE' || n % 300 + 1, ${id}, ${now}, 'MORE_INFO_ON_CARRIER_WEBSITE', true
    from ${series}`.execute(db)
}

/** No node reads more rows than it returns, apart from those on a few index pages. */
function expectBounded(plan: Plan | undefined, rows: number): void {
  expectNoScan(plan)
  for (const node of nodesOf(plan)) {
    const read = rowsReadBy(node)
    expect(read, JSON.stringify(node)).toBeLessThanOrEqual(rows)
  }
}

describe('tracking reads no more than is requested', () => {
  const claimOf = (carriers: string[]) => ({
    shopId: context.shop.id,
    provider: 'dhl' as const,
    carriers,
    pace: { burst: 8, intervalMs: 1_000, gapMs: 0 },
    maxRequests: 4,
    parcelsPerRequest: 5,
    isRegistering: false,
    now: after(now, hourMs),
    dueUntil: after(now, hourMs),
    leaseUntil: after(now, hourMs + minuteMs),
  })

  it.each([[['dhl']], [['dhl', 'gls', 'ups']]])('to claim parcels of %j', async (carriers) => {
    const [plan] = await explain(context, (context) => leaseParcels(context, claimOf(carriers)))
    expect(indexesOf(plan)).toContain('tracked_parcels_due')
    expectBounded(plan, 20 * carriers.length)
  })

  it('to claim if none is due', async () => {
    const before = after(now, -24 * hourMs)
    const claim = { ...claimOf(['dhl', 'gls']), now: before, dueUntil: before }
    const [plan] = await explain(context, (context) => leaseParcels(context, claim))
    expectBounded(plan, 4)
  })

  it('to find the carriers that have something due', async () => {
    const [plan] = await explain(context, (context) => findDueCarriers(context, after(now, hourMs), undefined, 1_000))
    expect(indexesOf(plan)).toContain('tracked_parcels_due')
    const parcels = nodesOf(plan).filter((node) => node['Relation Name'] === 'tracked_parcels')
    expect(parcels.length).toBeGreaterThan(0)
    // One step for each carrier of each shop, however many rows lie between. Other tests' shops are in the database too.
    const { rows } = await sql<{ pairs: number }>`
      select count(distinct (shop_id, carrier_reference))::int as pairs from tracked_parcels
      where finished_at is null`.execute(context.db)
    const pairs = rows[0]?.pairs ?? 0
    expect(pairs).toBeGreaterThanOrEqual(shops * 3)
    expect(pairs).toBeLessThan(parcelsOfShop / 10)
    for (const node of parcels) {
      expect(node['Node Type']).toMatch(/^Index/)
      expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(pairs + 1)
    }
  })

  it('to preview a mapping', async () => {
    const [plan] = await explain(context, (context) => listScansOf(context, 'dhl', 'CODE7', 5))
    expectBounded(plan, 10)
  })

  it('to find when the next one is due', async () => {
    const [plan] = await explain(context, (context) => findNextPollTime(context, context.shop.id, ['dhl', 'ups']))
    expectBounded(plan, 2)
  })

  it('to count what is tracked', async () => {
    const [plan] = await explain(context, (context) => countParcels(context, context.shop.id, ['dhl'], 100))
    expect(indexesOf(plan)).toContain('tracked_parcels_due')
    expectBounded(plan, 100)
  })

  it('to find the parcel of a push', async () => {
    for (const number of ['T 77', 't77']) {
      const [plan] = await explain(context, (context) => findParcelsByNumber(context, context.shop.id, [number]))
      expectBounded(plan, 2)
    }
  })

  it('to start tracking what is in transit', async () => {
    const begun = {
      shop_id: context.shop.id,
      requested_at: now,
      walked_until: after(now, -1_000 * hourMs),
      walked_id: '00000000-0000-0000-0000-000000000000',
      is_last_walk: false,
    }
    const [walk] = await explain(context, (context) => enrolBatch(context, begun, now, 100))
    expect(indexesOf(walk)).toContain('shipments_updated')
    for (const node of nodesOf(walk).filter((each) => each['Relation Name'] === 'shipments')) {
      expect(node['Node Type']).toMatch(/^Index/)
      expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(100)
    }
  })

  it('to end what is too old', async () => {
    const [plan] = await explain(context, (context) => finishOldParcels(context, after(now, -99 * hourMs), now, 50))
    expect(indexesOf(plan)).toContain('tracked_parcels_age')
    expectNoScan(plan)
  })

  it('to list unknown codes and to replay one', async () => {
    const [codes] = await explain(context, (context) => listUnmapped(context, false, { page: 1, perPage: 30 }))
    expect(indexesOf(codes)).toContain('unmapped_codes_seen')
    // Each code of the page has ten scans, whose parcels are counted; of more, only the first 200 are read.
    expectBounded(codes, 31 * 10)
    const replay = {
      shop_id: context.shop.id,
      provider: 'dhl',
      code: 'CODE7',
      event_name: 'OUT_FOR_DELIVERY',
      replayed_shipment: '00000000-0000-0000-0000-000000000000',
      replayed_time: new Date(0),
    }
    const [scans] = await explain(context, (context) => listScans(context, replay, 5))
    expect(indexesOf(scans)).toContain('unmapped_scans_pkey')
    expectBounded(scans, 5)
  })

  it('to know the carriers of a shop', async () => {
    const [plan] = await explain(context, (context) => countCarriers(context, context.shop.id))
    expect(indexesOf(plan)).toContain('shipments_created')
    expectBounded(plan, 1_000)
  })
})
