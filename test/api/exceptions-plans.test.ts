import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { integrationNames } from '../../src/adapters/marketing/registry.ts'
import { countOpenClaims, countUnmapped, findDoneSteps, listFailingReceivers } from '../../src/desk/attention/store.ts'
import { searchNotes } from '../../src/orders/notes/operations.ts'
import { after, dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import { searchViews } from '../../src/shops/views/operations.ts'
import {
  deleteChecks,
  findParcels,
  listChanged,
  listDue,
  listShopsWithWork,
  listWalked,
  lockExceptions,
  putChecks,
} from '../../src/tracking/exceptions/evaluation-store.ts'
import { learnPauses } from '../../src/tracking/exceptions/learn-store.ts'
import { searchExceptions } from '../../src/tracking/exceptions/operations.ts'
import { exceptionKinds } from '../../src/tracking/exceptions/schema.ts'
import { findExceptions, summarizeExceptions } from '../../src/tracking/exceptions/store.ts'
import {
  expectNoScan,
  explain,
  indexesOf,
  loadRows,
  nodesOf,
  type Plan,
  rowsReadBy,
  untilVisible,
} from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

useEmptyStore()

/** The limits are those of a shop that has more; the others have less. */
const [parcelsOfShop, parcelsOfOthers] = [8_000, 2_000]
/** So many of them have everything else as well, of which nothing reads more than 1,000. */
const withMore = 2_400
const now = new Date()
let shops: TestShop[]
let context: ShopContext
let some: string[]
let one: { id: string; order_id: string }

beforeAll(async () => {
  shops = await Promise.all([makeShop(), makeShop(), makeShop()])
  const service = await theService()
  // The job would evaluate what is loaded here.
  await service.schedule.stop()
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const [index, { slug }] of shops.entries()) await load(db, slug, index === 1 ? parcelsOfShop : parcelsOfOthers)
  })
  await sql`
    vacuum analyze orders, shipments, shipment_events, exceptions, exception_checks, exception_progress, notes, claims,
      deliveries, unmapped_codes, unmapped_scans`.execute(db)
  for (const table of ['exceptions', 'unmapped_scans', 'claims', 'deliveries']) await untilVisible(db, table)
  const shop = await db
    .selectFrom('shops')
    .where('slug', '=', shops[1]?.slug ?? '')
    .selectAll()
    .executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
  const rows = await db
    .selectFrom('shipments')
    .where('shop_id', '=', shop.id)
    .select(['id', 'order_id'])
    .limit(50)
    .execute()
  some = rows.map(({ id }) => id)
  one = rows[0] ?? { id: '', order_id: '' }
})

/** Parcels that changed one after another over two months; half are delivered, a quarter are exceptions. */
async function load(db: Kysely<Tables>, slug: string, parcels: number): Promise<void> {
  const shop = sql`(select id from shops where slug = ${slug})`
  const series = sql`generate_series(1, ${sql.lit(parcels)}) as n`
  const fewer = sql`generate_series(1, ${sql.lit(Math.min(parcels, withMore))}) as n`
  const id = sql`md5(${slug}::text || n)::uuid`
  const at = sql`${now}::timestamptz - n * interval '10 minutes'`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
      created_at, updated_at)
    select ${shop}, ${id}, n::text, n::text, ${at}, 1, '{"address": {"name": "Ada Example"}}', ${at}, ${at}
    from ${series}`.execute(db)
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, carrier_reference, destination_country, direction,
      phase, flag, current_event_key, current_event_at, latest_event_at, placed_at, in_transit_at, delivered_at,
      created_at, updated_at)
    select ${shop}, ${id}, ${id}, 'T' || n, (array['dhl', 'gls', 'ups'])[1 + n % 3], (array['DE', 'AT'])[1 + n % 2],
      'merchant_customer', case when n % 2 = 0 then 'delivered' else 'in_transit' end, 'normal', 'SHIPMENT_EN_ROUTE',
      ${at}, ${at}, ${at}, ${at} - interval '1 day', case when n % 2 = 0 then ${at} end, ${at}, ${at}
    from ${series}`.execute(db)
  await sql`
    insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, source, is_notified, recorded_at)
    select ${shop}, ${id}, ${at} - hours * interval '1 hour', 'SHIPMENT_EN_ROUTE', gen_random_uuid(), 'api', false, ${at}
    from ${series}, generate_series(0, 1) as hours`.execute(db)
  await sql`
    insert into exceptions (shop_id, shipment_id, order_id, kind, severity, other_kinds, since, carrier_reference,
      destination_country, state, assigned_to, created_at, updated_at)
    select ${shop}, ${id}, ${id}, (${[...exceptionKinds]}::text[])[7 - severity], severity, '{}', ${at},
      (array['dhl', 'gls', 'ups'])[1 + n % 3], (array['DE', 'AT'])[1 + n % 2],
      case when n % 16 = 0 then 'resolved' when n % 16 = 4 then 'snoozed' else 'open' end,
      case when n % 100 = 0 then 'Ada' end, ${now}, ${now}
    from (select n, (1 + n / 4 % 6)::smallint as severity from ${series} where n % 4 = 0) as listed`.execute(db)
  await sql`
    insert into exception_checks (shop_id, shipment_id, check_at)
    select ${shop}, ${id}, ${now}::timestamptz + (n - 100) * interval '10 minutes' from ${series} where n % 2 = 1`.execute(
    db,
  )
  await sql`
    insert into exception_progress (shop_id, changed_until, changed_id)
    values (${shop}, ${after(now, -hourMs)}, '00000000-0000-0000-0000-000000000000')`.execute(db)
  await sql`
    insert into notes (shop_id, id, order_id, shipment_id, text, author, author_id, created_at)
    select ${shop}, gen_random_uuid(), ${id}, ${id}, 'Note', 'Ada', 'a', ${now} from ${fewer}`.execute(db)
  await sql`
    insert into claims (shop_id, id, order_id, shipment_id, reason, status, details, created_at, updated_at)
    select ${shop}, gen_random_uuid(), ${id}, ${id}, 'damage',
      case when n % 2 = 0 then 'closed' else 'pending' end, '{}', ${at}, ${at} from ${series}`.execute(db)
  await sql`
    insert into webhook_endpoints (shop_id, id, url, url_since, enabled_events, secret, secret_since, status, created_at,
      updated_at)
    select ${shop}, md5('endpoint' || n)::uuid, 'https://shop.example/' || n, ${now}, '{*}', '', ${now}, 'active',
      ${now}, ${now}
    from generate_series(1, 2) as n`.execute(db)
  await sql`
    insert into notifications (shop_id, id, source, ref, event_name, event_group, body, triggered_at)
    values (${shop}, md5('notification')::uuid, 'shipments', 'ref', 'SHIPMENT_EN_ROUTE', 'group', '{}', ${now})`.execute(
    db,
  )
  await sql`
    insert into deliveries (shop_id, id, notification_id, target, event_name, event_group, status, next_attempt_at, created_at, finished_at)
    select ${shop}, ('019' || substr(md5(${slug}::text || n), 4))::uuid, md5('notification')::uuid,
      md5('endpoint' || 1 + n % 2)::uuid::text, 'EVENT_' || n % 5, 'group',
      case when n % 10 = 0 then 'dead' else 'delivered' end, ${now}, ${now}, ${now}
    from ${fewer}`.execute(db)
  await sql`
    insert into unmapped_codes (shop_id, provider, code, scans, last_seen_at)
    select ${shop}, 'dhl', 'CODE' || n, 100, ${now} from generate_series(1, 20) as n`.execute(db)
  await sql`
    insert into unmapped_scans (shop_id, provider, code, shipment_id, event_time, event_key, is_recorded)
    select ${shop}, 'dhl', 'CODE' || n % 20 + 1, ${id}, ${now}, 'MORE_INFO_ON_CARRIER_WEBSITE', true from ${fewer}`.execute(
    db,
  )
}

/** No table is scanned, and no node reads more rows than these. */
function expectBounded(plan: Plan | undefined, rows: number): void {
  expectNoScan(plan)
  for (const node of nodesOf(plan)) {
    const read = rowsReadBy(node)
    expect(read, JSON.stringify(node)).toBeLessThanOrEqual(rows)
  }
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

describe('the evaluation of exceptions reads no more than a step', () => {
  it('to find the shops that have work', async () => {
    const [plan] = await explain(context, (context) => listShopsWithWork(context, undefined, 200))
    const big = nodesOf(plan).filter((node) => ['shipments', 'exception_checks'].includes(node['Relation Name'] ?? ''))
    expect(big.length).toBeGreaterThan(0)
    for (const node of big) {
      expect(node['Node Type'], JSON.stringify(node)).toMatch(/^Index/)
      expect(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(1)
    }
  })

  it('to find what changed', async () => {
    const from = { at: after(now, -dayMs), id: lastId }
    const [plan] = await explain(context, (context) => listChanged(context, context.shop.id, from, 50))
    expect(indexesOf(plan)).toContain('shipments_updated')
    expectBounded(plan, 100)
  })

  it('to find what is due', async () => {
    const [plan] = await explain(context, (context) => listDue(context, context.shop.id, 20))
    expect(indexesOf(plan)).toEqual(['exception_checks_due'])
    expectBounded(plan, 20)
  })

  it('to walk back', async () => {
    const before = { at: after(now, -5 * dayMs), id: lastId }
    const since = after(now, -60 * dayMs)
    const [plan] = await explain(context, (context) => listWalked(context, context.shop.id, { before, since }, 50))
    expect(indexesOf(plan)).toEqual(['shipments_updated'])
    expectBounded(plan, 50)
  })

  it('to read and write a batch', async () => {
    const { id } = context.shop
    const plans = await explain(context, async (context) => {
      await findParcels(context, id, some)
      await lockExceptions(context, id, some)
      await deleteChecks(context, id, some)
      await putChecks(
        context,
        id,
        some.map((shipmentId) => ({ shipmentId, checkAt: after(now, hourMs) })),
      )
    })
    expect(plans).toHaveLength(4)
    for (const plan of plans.slice(0, 3)) expectBounded(plan, 2 * some.length)
    expectNoScan(plans[3])
  })

  it('to learn the pauses of its routes', async () => {
    const [plan] = await explain(context, (context) => learnPauses(context, context.shop.id))
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(['shipments_delivered', 'shipment_events_pkey']))
    // 3,000 parcels with 2 scans each, however many the shop has.
    expectBounded(plan, 6_000)
  })
})

describe('the list of exceptions reads no more than its page', () => {
  const page = 2
  const perPage = 30
  const rowsOfRun = page * perPage + 1
  const plansOf = (query: Record<string, unknown>) => {
    const input = { path: {}, query: { page, per_page: perPage, ...query }, body: undefined, upload: undefined }
    return explain(context, (context) => searchExceptions.handle(context, input))
  }

  it.each([
    [{}, 'exceptions_severity', 1],
    [{ sort: 'since' }, 'exceptions_since', 1],
    [{ sort: '-since' }, 'exceptions_since', 1],
    [{ kind: 'stuck' }, 'exceptions_severity', 1],
    [{ kind: 'late', sort: '-since' }, 'exceptions_severity', 1],
    [{ state: 'resolved' }, 'exceptions_severity', 1],
    [{ state: 'all' }, 'exceptions_severity', 3],
    [{ state: 'all', sort: 'since' }, 'exceptions_since', 3],
    [{ country: 'DE' }, 'exceptions_severity', 4],
    [{ carrier: 'dhl', sort: 'since' }, 'exceptions_since', 4],
  ])('by %j', async (query, index, runs) => {
    const [list, count] = await plansOf(query)
    expect(indexesOf(list)).toContain(index)
    expectBounded(list, runs * rowsOfRun)
    expectNoScan(count)
  })

  it('by whom it is assigned to, decided within the index', async () => {
    const [list, count] = await plansOf({ assigned_to: 'Ada' })
    expectNoScan(list)
    expectNoScan(count)
    for (const node of nodesOf(list)) {
      if ((node['Rows Removed by Filter'] ?? 0) > rowsOfRun) expect(node['Node Type']).toBe('Index Only Scan')
    }
  })

  it('of certain shipments, and the first of each kind', async () => {
    const [plan] = await explain(context, (context) => findExceptions(context, some))
    expectBounded(plan, some.length)
    const [counts, parcels] = await explain(context, (context) =>
      summarizeExceptions(context, { count: 100, parcels: 3 }),
    )
    expect(indexesOf(counts)).toEqual(['exceptions_severity'])
    expectBounded(counts, 100 * exceptionKinds.length)
    expectBounded(parcels, 3 * exceptionKinds.length)
  })
})

describe('what needs attention is found without reading the history', () => {
  it('claims, codes and first steps', async () => {
    const plans = await explain(context, async (context) => {
      await countOpenClaims(context, ['pending', 'accepted'])
      await countUnmapped(context)
    })
    expectBounded(plans[0], 1_000)
    // Up to 1,000 scans of each of the 20 codes, until there are 1,000.
    expectBounded(plans[1], 1_000)
    const [steps] = await explain(context, (context) => findDoneSteps(context, integrationNames).catch(() => undefined))
    for (const node of nodesOf(steps)) expect(node['Actual Rows']).toBeLessThanOrEqual(20)
  })

  it('dead letters of the last days', async () => {
    const limits = { failingBefore: now, givenUpAfter: after(now, -minuteMs) }
    const [plan] = await explain(context, (context) => listFailingReceivers(context, integrationNames, limits))
    const deliveries = nodesOf(plan).filter((node) => node['Relation Name'] === 'deliveries')
    expect(deliveries.length).toBeGreaterThan(0)
    for (const node of deliveries) {
      expect(node['Index Name']).toBe('deliveries_log')
      expect(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), JSON.stringify(node)).toBeLessThanOrEqual(1)
    }
  })

  it('notes and views', async () => {
    const input = (query: Record<string, unknown>) => ({ path: {}, query, body: undefined, upload: undefined })
    const [byOrder] = await explain(context, (context) =>
      searchNotes.handle(context, input({ order_id: one.order_id })),
    )
    expect(indexesOf(byOrder)).toEqual(['notes_order'])
    expectBounded(byOrder, 1)
    const [byShipment] = await explain(context, (context) =>
      searchNotes.handle(context, input({ shipment_id: one.id })),
    )
    expect(indexesOf(byShipment)).toEqual(['notes_shipment'])
    const [views] = await explain(context, (context) => searchViews.handle(context, input({})))
    expect(nodesOf(views).length).toBeGreaterThan(0)
  })
})

describe('if all exceptions are of one kind', () => {
  it('the first of each kind are found without reading the others', async () => {
    await sql`update exceptions set kind = 'stuck', severity = 3`.execute(context.db)
    await sql`vacuum analyze exceptions`.execute(context.db)
    const [counts, parcels] = await explain(context, (context) =>
      summarizeExceptions(context, { count: 100, parcels: 3 }),
    )
    expectBounded(counts, 100 * exceptionKinds.length)
    expectBounded(parcels, 3 * exceptionKinds.length)
  })
})
