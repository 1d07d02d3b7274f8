import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { listOrderSummaries, listShipmentSummaries } from '../../src/orders/search/list-operations.ts'
import { findMatches } from '../../src/orders/search/match-store.ts'
import { findOrderSummaries, findShipmentSummaries } from '../../src/orders/search/summary-store.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import { expectNoScan, explain, indexesOf, loadRows, nodesOf, type Plan, rowsReadBy } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

/** A list examines a window of 10,000, and this shop has more. */
const [ordersOfShop, ordersOfOther] = [10_500, 1_000]
/** A range is read to its limit of 100, or as a whole if it is hardly longer. */
const indexRows = 300
let context: ShopContext
const now = new Date()
const ago = (days: number) => new Date(now.getTime() - days * dayMs)

beforeAll(async () => {
  const shops = await Promise.all([makeShop(), makeShop()])
  const service = await theService()
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const [index, { slug }] of shops.entries()) await load(db, slug, index === 0 ? ordersOfShop : ordersOfOther)
  })
  await sql`vacuum analyze orders, shipments`.execute(db)
  const shop = await db
    .selectFrom('shops')
    .where('slug', '=', shops[0]?.slug ?? '')
    .selectAll()
    .executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
})

describe('search', () => {
  const indexes = [
    'orders_number',
    'orders_bare_number',
    'orders_bare_name',
    'orders_email',
    'orders_zip_key',
    'orders_name_key',
    'orders_reversed_name',
    'shipments_tracking',
    'shipments_bare_number',
  ]

  // A letter, a digit and a word that thousands begin with; and one that a few do.
  it.each(['c', '1', 'customer', 'ada exa', '1100', 't1', '#1', 'r'])(
    'reads a limited range of each index: %s',
    async (text) => {
      const [plan] = await explain(context, (context) => findMatches(context, text))
      expectNoScan(plan)
      expect(indexesOf(plan)).toEqual(expect.arrayContaining(indexes))
      for (const node of nodesOf(plan))
        expect(rowsReadBy(node), JSON.stringify(node, undefined, 1)).toBeLessThanOrEqual(900)
      for (const node of nodesOf(plan)) {
        if (indexes.includes(node['Index Name'] ?? '')) expect(rowsReadBy(node)).toBeLessThanOrEqual(indexRows)
      }
    },
  )

  it('compares a limited number of the newest orders with a text that too many begin with', async () => {
    const { found, isCut } = await findMatches(context, 'customer')
    expect(isCut).toBe(true)
    expect(found.length).toBeLessThanOrEqual(1_400)
    const newest = Math.max(...found.map(({ placedAt }) => placedAt.getTime()))
    expect(newest).toBeGreaterThan(ago(1).getTime())
  })

  it('reads what it shows by keys', async () => {
    const orders = await context.db
      .selectFrom('shipments')
      .where('shop_id', '=', context.shop.id)
      .select(['id', 'order_id'])
      .limit(20)
      .execute()
    const plans = [
      ...(await explain(context, (context) =>
        findOrderSummaries(
          context,
          orders.map(({ order_id }) => order_id),
        ),
      )),
      ...(await explain(context, (context) =>
        findShipmentSummaries(
          context,
          orders.map(({ id }) => id),
        ),
      )),
    ]
    expect(plans).toHaveLength(2)
    for (const plan of plans) expectBounded(plan, 60)
  })
})

describe('list of shipments reads no more than its page', () => {
  const filters: [name: string, filter: Record<string, unknown>, index: string, read?: number][] = [
    ['no filter', {}, 'shipments_updated'],
    ['creation', { sort: '-created_at' }, 'shipments_created'],
    ['creation, oldest first', { sort: 'created_at', include_drafts: false }, 'shipments_created'],
    ['a phase of most', { phase: 'delivered' }, 'shipments_phase'],
    ['a phase of few', { phase: 'collect' }, 'shipments_phase'],
    ['several phases', { phase: 'collect,delivery_failed,in_transit' }, 'shipments_phase'],
    ['oldest first in a phase', { phase: 'in_transit', sort: 'updated_at' }, 'shipments_phase'],
    ['a flag', { flag: 'error' }, 'shipments_flag'],
    ['flags in a phase', { flag: 'delay,error', phase: 'in_transit' }, 'shipments_flag', 400],
    ['a carrier of most', { carrier_reference: 'dhl' }, 'shipments_updated'],
    [
      'a period of change',
      { updated_from: ago(40).toISOString(), updated_to: ago(30).toISOString() },
      'shipments_updated',
    ],
  ]

  it.each(filters)('by %s', async (_, filter, index, read = 200) => {
    const { list, count } = await plansOf(listShipmentSummaries, filter)
    expect(indexesOf(list)).toContain(index)
    expectBounded(list, read)
    expectNoScan(count)
  })

  it.each([
    ['a carrier that nobody uses', { carrier_reference: 'gls' }],
    ['a country that no parcel goes to', { country_code: 'SE', phase: 'delivered' }],
    ['a phase of none, by creation', { phase: 'return_failed', sort: '-created_at' }],
  ])('and examines no more than its window by %s', async (_, filter) => {
    const { list, count } = await plansOf(listShipmentSummaries, filter)
    for (const plan of [list, count]) {
      expectNoScan(plan)
      for (const node of nodesOf(plan)) expect(rowsReadBy(node), JSON.stringify(node)).toBeLessThanOrEqual(ordersOfShop)
    }
  })

  it('says that others may match where it stopped', async () => {
    const input = { path: {}, query: { carrier_reference: 'gls' }, body: undefined, upload: undefined }
    const reply = (await listShipmentSummaries.handle(context, input)) as { pagination: Record<string, unknown> }
    expect(reply.pagination).toMatchObject({ is_complete: false, total_is_estimate: true, total: 0 })
    const all = { ...input, query: {} }
    const { pagination } = (await listShipmentSummaries.handle(context, all)) as typeof reply
    expect(pagination).toMatchObject({ is_complete: true, total_is_estimate: true })
    expect(pagination.total).toBeGreaterThanOrEqual(10_000)
  })
})

describe('list of orders reads no more than its page', () => {
  const filters: [name: string, filter: Record<string, unknown>, index: string][] = [
    ['no filter', {}, 'orders_placed'],
    ['oldest first', { sort: 'placed_at' }, 'orders_placed'],
    ['nothing to send', { nothing_to_send: true }, 'orders_nothing_to_send'],
    ['something to send', { nothing_to_send: false }, 'orders_placed'],
    ['handed over', { handed_over_without_tracking: true }, 'orders_handed_over'],
    ['a period', { placed_from: ago(40).toISOString(), placed_to: ago(30).toISOString() }, 'orders_placed'],
    ['a status of most', { status: 'fulfilled' }, 'orders_placed'],
  ]

  it.each(filters)('by %s', async (_, filter, index) => {
    const { list, count } = await plansOf(listOrderSummaries, filter)
    expect(indexesOf(list)).toContain(index)
    expectBounded(list, 200)
    expectNoScan(count)
  })

  it('and examines a limited number by a status of few', async () => {
    const { list } = await plansOf(listOrderSummaries, { status: 'partially_fulfilled' })
    expectNoScan(list)
    for (const node of nodesOf(list)) expect(rowsReadBy(node), JSON.stringify(node)).toBeLessThanOrEqual(ordersOfShop)
  })
})

/** The plans of a list's statements: its page, at first from a part of the window, and its count. */
async function plansOf(
  operation: typeof listOrderSummaries,
  query: Record<string, unknown>,
): Promise<{ list: Plan | undefined; count: Plan | undefined }> {
  const input = { path: {}, query: { page: 2, per_page: 30, ...query }, body: undefined, upload: undefined }
  const plans = await explain(context, (context) => operation.handle(context, input))
  return { list: plans.at(0), count: plans.at(-1) }
}

function expectBounded(plan: Plan | undefined, readAtMost: number): void {
  expectNoScan(plan)
  for (const node of nodesOf(plan))
    expect(rowsReadBy(node), JSON.stringify(node, undefined, 1)).toBeLessThanOrEqual(readAtMost)
}

/** Orders over eight months, most of them delivered; a few of everything else. */
async function load(db: Kysely<Tables>, slug: string, count: number): Promise<void> {
  const step = sql`interval '30 minutes'`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_name, email_id, zip_code, order_placed_at,
      expected_number_of_shipments, nothing_to_send, handed_over_without_tracking, details, name_key, reversed_name_key,
      created_at, updated_at)
    select shops.id, gen_random_uuid(), case when n % 50 = 0 then 'Re-' else '' end || (10000 + n), 'external-' || n,
      case when n % 40 = 0 then 'Gift ' else '#' end || (10000 + n), 'customer-' || n % 4000 || '@Example.com',
      (10000 + n % 90)::text, ${now}::timestamptz - n * ${step}, 1, n % 60 = 0, n % 70 = 0,
      jsonb_build_object('address', jsonb_build_object('name', names.name)), fold_name(names.name),
      reversed_name(fold_name(names.name)), ${now}::timestamptz - n * ${step}, ${now}::timestamptz - n * ${step}
    from shops, generate_series(1, ${count}::int) as n,
      lateral (select 'Customer Ada ' || chr(97 + n % 26) || 'exa' || n as name) as names
    where shops.slug = ${slug}`.execute(db)
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, carrier_reference, destination_country, direction,
      phase, flag, current_event_key, current_event_at, latest_event_at, placed_at, created_at, updated_at)
    select shop_id, gen_random_uuid(), orders.id,
      case when n % 45 = 0 then null when n % 30 = 0 then 'T-' || n else 'T' || n end, 'dhl', 'DE', 'merchant_customer',
      case when n % 45 = 0 then 'order_created' when n % 300 = 1 then 'collect' when n % 100 = 2 then 'in_transit'
        when n % 400 = 3 then 'delivery_failed' else 'delivered' end,
      case when n % 200 = 2 then 'delay' when n % 400 = 3 then 'error' else 'normal' end,
      'ORDER_CREATED', order_placed_at, order_placed_at, order_placed_at, order_placed_at,
      least(${now}::timestamptz, order_placed_at + n % 100 * interval '2 hours')
    from (
      select orders.*, substring(external_id from 10)::int as n from orders
      join shops on shops.id = orders.shop_id where shops.slug = ${slug} offset 0
    ) as orders`.execute(db)
}
