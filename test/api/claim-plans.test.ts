import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { claimDecision, listDueDecisions, lockClaimStatuses } from '../../src/claims/claims/decision-store.ts'
import {
  countClaimsSince,
  findClaimableOrder,
  findFiledClaim,
  hasOpenClaim,
  lockOrderForClaim,
} from '../../src/claims/claims/form-store.ts'
import { searchClaims } from '../../src/claims/claims/operations.ts'
import { claimReasons, resolutionPreferences } from '../../src/claims/claims/schema.ts'
import { findClaim, listClaims, lockClaim } from '../../src/claims/claims/store.ts'
import { searchWithdrawals } from '../../src/claims/withdrawals/operations.ts'
import { findWithdrawableOrder } from '../../src/claims/withdrawals/order-store.ts'
import { countAll, countByCarrier, countByProduct } from '../../src/figures/claim-figures/store.ts'
import { findShipmentForClaim } from '../../src/orders/shipments/store.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import { findUnexpiredImages, listExpiredImages } from '../../src/shops/images/store.ts'
import { findOrdersOfShops } from '../../src/webhooks/payloads/orders-store.ts'
import { conditionsOf, expectNoScan, explain, indexesOf, loadRows, nodesOf, type Plan } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const claimsOfShop = 4_000
const perPage = 30
const page = 2
/** The rows that one index scan returns for a page: all pages up to it, and one row to detect a next page. */
const rowsOfRun = page * perPage + 1

let context: ShopContext
let one: { id: string; order_id: string; shipment_id: string }
const now = new Date()
const ago = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()

beforeAll(async () => {
  const shops = await Promise.all([makeShop(), makeShop(), makeShop()])
  const service = await theService()
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const [index, { slug }] of shops.entries()) await load(db, slug, index === 1 ? claimsOfShop : claimsOfShop / 8)
  })
  await sql`vacuum analyze orders, shipments, shipment_events, claims`.execute(db)
  const shop = await db.selectFrom('shops').where('slug', '=', shops[1].slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
  one = await db
    .selectFrom('claims')
    .where('shop_id', '=', shop.id)
    .select(['id', 'order_id', 'shipment_id'])
    .executeTakeFirstOrThrow()
})

describe('search of claims reads no more than its page', () => {
  const sorts = ['-created_at', 'created_at', '-updated_at', 'updated_at']
  const times: [name: string, filter: Record<string, unknown>][] = [
    ['no filter', {}],
    ['created_from', { created_from: ago(20) }],
    ['created_to', { created_to: ago(20) }],
    ['updated_from', { updated_from: ago(20) }],
    ['updated_to', { updated_to: ago(20) }],
  ]
  const inTime = sorts.flatMap((sort) => times.map(([name, filter]) => ({ name, sort, filter })))

  it.each(inTime)('by $name, sorted by $sort', async ({ sort, filter }) => {
    const [list, count] = await plansOf({ ...filter, sort })
    expect(indexesOf(list)).toContain(sort.endsWith('updated_at') ? 'claims_updated' : 'claims_created')
    if (isSkipping(sort, filter)) expectWalk(list)
    else expectBounded(list, 1)
    expectNoScan(count)
  })

  /** Rows excluded by the other time are before the first row of the page: the scan skips them within the index. */
  const isSkipping = (sort: string, filter: Record<string, unknown>) =>
    (sort === '-updated_at' && 'created_to' in filter) || (sort === 'created_at' && 'updated_from' in filter)

  const kinds: [name: string, filter: Record<string, unknown>, runs: number][] = [
    ['status', { status: 'closed' }, 36],
    ['reason', { reason: 'damage' }, 16],
    ['resolution_preference', { resolution_preference: 'reorder' }, 36],
    ['status and reason', { status: 'pending', reason: 'return' }, 8],
    ['all three', { status: 'pending', reason: 'return', resolution_preference: 'refund' }, 2],
    ['status and time', { status: 'closed', created_from: ago(30), created_to: ago(10) }, 36],
    ['kind', { kind: 'withdrawal' }, 16],
    ['all four', { kind: 'withdrawal', status: 'pending', reason: 'return', resolution_preference: 'refund' }, 1],
    ['a kind that there is none of', { status: 'rejected', reason: 'support' }, 4],
  ]
  const byKind = sorts.flatMap((sort) => kinds.map(([name, filter, runs]) => ({ name, sort, filter, runs })))

  it.each(byKind)('by $name, sorted by $sort', async ({ sort, filter, runs }) => {
    const [list, count] = await plansOf({ ...filter, sort })
    expect(indexesOf(list)).toContain(sort.endsWith('updated_at') ? 'claims_kind_updated' : 'claims_kind_created')
    if ('created_to' in filter && sort.endsWith('updated_at')) expectWalk(list)
    else expectBounded(list, runs)
    expectNoScan(count)
    // Withdrawals have an index of their own, which has nothing else in it.
    if (indexesOf(count).includes('claims_withdrawals')) expect(filter).toHaveProperty('kind')
    else expect(conditionsOf(count)).toMatch('kind' in filter ? /status = / : /status = .*reason = /s)
  })

  it.each(sorts)('by order and by shipment, sorted by %s', async (sort) => {
    const [byOrder, ofOrder] = await plansOf({ order_id: one.order_id, sort })
    expect(indexesOf(byOrder)).toContain('claims_order')
    expectBounded(byOrder, 1)
    expectNoScan(ofOrder)
    const [byShipment] = await plansOf({ shipment_id: one.shipment_id, status: 'pending', sort })
    expect(indexesOf(byShipment)).toContain('claims_shipment')
    expectBounded(byShipment, 1)
  })
})

describe('list of withdrawals reads no more than its page', () => {
  const lists: [name: string, filter: Record<string, unknown>, runs: number][] = [
    ['no filter', {}, 8],
    ['status', { status: 'closed' }, 2],
    ['lateness', { late: true }, 4],
    ['both', { status: 'closed', late: false }, 1],
  ]
  it.each(lists)('by %s', async (_name, filter, runs) => {
    const query = { page, per_page: perPage, ...filter }
    const input = { path: {}, query, body: undefined, upload: undefined }
    const [list, count] = await explain(context, (context) => searchWithdrawals.handle(context, input))
    expect(indexesOf(list)).toContain('claims_withdrawals')
    expectBounded(list, runs)
    expectNoScan(count)
  })

  it('and an order with all that its withdrawal depends on is found by indexes', async () => {
    const plans = await explain(context, (context) => findWithdrawableOrder(context, one.order_id))
    expectBounded(plans[0], 1)
  })
})

describe('lookup by id uses an index', () => {
  it("a claim, its shipment, and the claims in an event's payload", async () => {
    const { id: shopId } = context.shop
    const plans = [
      ...(await explain(context, (context) => findClaim(context, one.id))),
      ...(await explain(context, (context) => lockClaim(context, shopId, one.id))),
      ...(await explain(context, (context) =>
        findShipmentForClaim(context, { column: 'tracking_number', value: 'T7' }),
      )),
      ...(await explain(context, (context) => findShipmentForClaim(context, { column: 'id', value: one.shipment_id }))),
      ...(await explain(context, (context) => findOrdersOfShops(context, [{ shopId, orderId: one.order_id }]))),
    ]
    expect(plans).toHaveLength(5)
    for (const plan of plans.slice(0, 4)) expectBounded(plan, 1)
    expect(indexesOf(plans[4])).toContain('claims_order')
    // The planner does not know the number of orders, and may scan all of a few.
    const scans = nodesOf(plans[4]).filter((node) => node['Node Type'] === 'Seq Scan')
    expect(scans.map((node) => node['Relation Name'])).not.toContain('claims')
  })

  it('the queries of a customer’s form, and the uploads without a form', async () => {
    const { db } = (await theService()).database
    await sql`
      insert into images (shop_id, key, image_type, media_type, size_bytes, width, height, created_at, expires_at)
      select ${context.shop.id}::uuid, 'claim-' || n, 'claim', 'image/jpeg', 1, 1, 1, ${now}::timestamptz,
        case when n % 100 = 0 then ${now}::timestamptz end
      from generate_series(1, 2000) as n`.execute(db)
    await sql`vacuum analyze images`.execute(db)
    const questions: ((context: ShopContext) => Promise<unknown>)[] = [
      (context) => findClaimableOrder(context, one.order_id),
      (context) => lockOrderForClaim(context, one.order_id),
      (context) => findFiledClaim(context, one.id),
      (context) => hasOpenClaim(context, one.shipment_id, 'damage'),
      (context) => countClaimsSince(context, one.order_id, new Date(ago(1))),
      (context) => findUnexpiredImages(context, ['claim-1', 'claim-2']),
      (context) => listExpiredImages(context, context.now, 20),
    ]
    for (const question of questions) {
      const [plan] = await explain(context, question)
      expectBounded(plan, 1)
    }
  })
})

describe('claims desk', () => {
  it('finds the claims of matched orders by index, whatever their number', async () => {
    const orders = await context.db
      .selectFrom('orders')
      .where('shop_id', '=', context.shop.id)
      .select('id')
      .limit(50)
      .execute()
    const [plan] = await explain(context, (context) =>
      listClaims(context, {
        orderId: undefined,
        foundOrderIds: orders.map(({ id }) => id),
        shipmentId: undefined,
        status: 'pending',
        reason: undefined,
        kind: undefined,
        resolutionPreference: undefined,
        createdFrom: undefined,
        createdTo: undefined,
        updatedFrom: undefined,
        updatedTo: undefined,
        sortBy: 'created_at',
        isDescending: false,
        limit: perPage + 1,
        offset: 0,
      }),
    )
    expect(indexesOf(plan)).toContain('claims_order')
    expectBounded(plan, 1)
  })

  it('finds due decisions among many that are not', async () => {
    const { db } = (await theService()).database
    await sql`
      insert into claim_decisions
        (shop_id, claim_id, status, changes, decided_by, actor_kind, actor_id, decided_at, due_at)
      select shop_id, id, 'closed', '{}', 'Ada', 'key', '1', ${now}, ${now}::timestamptz + interval '1 day' from claims
      where shop_id = ${context.shop.id}`.execute(db)
    await sql`vacuum analyze claim_decisions`.execute(db)
    const key = { shopId: context.shop.id, id: one.id }
    const [due] = await explain(context, (context) => listDueDecisions(context, 100))
    expect(indexesOf(due)).toContain('claim_decisions_due')
    expectBounded(due, 1)
    for (const question of [
      (context: ShopContext) => lockClaimStatuses(context, [one.id]),
      (context: ShopContext) => claimDecision(context, key),
      (context: ShopContext) => findClaim(context, one.id),
    ]) {
      const [plan] = await explain(context, question)
      expectBounded(plan, 1)
    }
    await sql`delete from claim_decisions where shop_id = ${context.shop.id}`.execute(db)
  })

  it('counts no more claims than the limit, from an index', async () => {
    const range = { from: new Date(ago(30)), until: now, limit: 100 }
    const plans = [
      ...(await explain(context, (context) => countAll(context, range).catch(() => undefined))),
      ...(await explain(context, (context) => countByCarrier(context, range, 50))),
      ...(await explain(context, (context) => countByProduct(context, range, 100))),
    ]
    expect(plans).toHaveLength(3)
    for (const plan of plans) {
      expect(indexesOf(plan)).toContain('claims_created')
      expectNoScan(plan)
      for (const node of nodesOf(plan)) {
        if (node['Node Type'].includes('Index')) expect(node['Actual Rows']).toBeLessThanOrEqual(range.limit + 1)
      }
    }
  })
})

/** Claims over six weeks, each of its own order; most are closed, and no rejected one requests support. */
async function load(db: Kysely<Tables>, slug: string, count: number): Promise<void> {
  const placed = sql`${now}::timestamptz - n * interval '15 minutes'`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
      created_at, updated_at)
    select shops.id, gen_random_uuid(), n::text, n::text, ${placed}, 1, '{}', ${placed}, ${placed}
    from shops, generate_series(1, ${count}::int) as n
    where shops.slug = ${slug}`.execute(db)
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, direction, phase, flag, current_event_key,
      current_event_at, latest_event_at, placed_at, created_at, updated_at)
    select shop_id, gen_random_uuid(), orders.id, 'T' || order_number, 'merchant_customer', 'order_created', 'normal',
      'ORDER_CREATED', order_placed_at, order_placed_at, order_placed_at, order_placed_at, order_placed_at
    from orders join shops on shops.id = orders.shop_id
    where shops.slug = ${slug}`.execute(db)
  await sql`
    insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, source, is_notified, recorded_at)
    select shop_id, shipments.id, shipments.created_at, 'IN_DELIVERY', gen_random_uuid(), 'api', false, shipments.created_at
    from shipments join shops on shops.id = shipments.shop_id
    where shops.slug = ${slug}`.execute(db)
  await sql`
    insert into claims (shop_id, id, order_id, shipment_id, reason, resolution_preference, status, details, created_at,
      updated_at, deleted_at, kind, is_late)
    select shop_id, gen_random_uuid(), order_id, id, reason, preference,
      case when n % 20 = 0 then 'pending' when n % 21 = 0 and reason <> 'support' then 'rejected'
        when n % 22 = 0 then 'accepted' else 'closed' end,
      '{}', created_at, least(${now}::timestamptz, created_at + n % 100 * interval '2 hours'),
      case when n % 50 = 0 then ${now}::timestamptz end,
      case when reason = 'return' and n % 2 = 0 then 'withdrawal' else 'claim' end, reason = 'return' and n % 80 = 0
    from (
      select shipments.*, substr(tracking_number, 2)::int as n,
        (${[...claimReasons]}::text[])[1 + substr(tracking_number, 2)::int / 3 % ${sql.lit(claimReasons.length)}] as reason,
        (${[...resolutionPreferences]}::text[])[1 + substr(tracking_number, 2)::int % 4] as preference
      from shipments join shops on shops.id = shipments.shop_id
      where shops.slug = ${slug}
    ) as numbered`.execute(db)
}

/** The plans of the page, and of the count that follows an empty one. */
function plansOf(query: Record<string, unknown>): Promise<Plan[]> {
  const input = { path: {}, query: { page, per_page: perPage, ...query }, body: undefined, upload: undefined }
  return explain(context, (context) => searchClaims.handle(context, input))
}

/** No table is scanned, no more rows are sorted than the index scans return, and none reads beyond the page. */
function expectBounded(plan: Plan | undefined, runs: number): void {
  expectNoScan(plan)
  for (const node of nodesOf(plan)) {
    const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
    const where = JSON.stringify(node, undefined, 1)
    if (node['Node Type'].endsWith('Sort')) expect(rows, where).toBeLessThanOrEqual(runs * rowsOfRun)
    if (node['Node Type'].includes('Index')) expect(rows, where).toBeLessThanOrEqual(6 * rowsOfRun)
  }
}

/** No table is scanned, and rows that an index scan skips are not fetched from the table. */
function expectWalk(plan: Plan | undefined): void {
  expectNoScan(plan)
  for (const node of nodesOf(plan)) {
    const where = JSON.stringify(node, undefined, 1)
    if ((node['Rows Removed by Filter'] ?? 0) > rowsOfRun) expect(node['Node Type'], where).toBe('Index Only Scan')
  }
}
