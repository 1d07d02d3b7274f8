import { type Selectable, sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Page, PageRequest } from '../../platform/foundation/page.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { fetchPage, updateRecord } from '../../platform/store/shop-records.ts'
import type { Variant } from './rules.ts'

export type TestRow = Selectable<Tables['ab_tests']>

export interface StoredTest extends TestRow {
  /** In the order they were given. */
  variants: Variant[]
}

const variantsOfTest = sql`(
  select json_agg(json_build_object('campaignId', campaign_id, 'allocation', allocation) order by position)
  from ab_test_campaigns
  where ab_test_campaigns.shop_id = ab_tests.shop_id and ab_test_campaigns.test_id = ab_tests.id
)`

export async function insertTest(context: ShopContext, { variants, ...test }: StoredTest): Promise<void> {
  await context.db.insertInto('ab_tests').values(test).execute()
  await context.db
    .insertInto('ab_test_campaigns')
    .values(
      variants.map(({ campaignId, allocation }, position) => ({
        shop_id: test.shop_id,
        test_id: test.id,
        campaign_id: campaignId,
        position,
        allocation,
      })),
    )
    .execute()
}

export async function findTest(context: ShopContext, id: string): Promise<StoredTest | undefined> {
  const { rows } = await sql<StoredTest>`
    select ab_tests.*, ${variantsOfTest} as variants from ab_tests
    where shop_id = ${context.shop.id} and id = ${id}`.execute(context.db)
  return rows[0]
}

/** One page of a shop's tests, newest first. */
export function listTests(context: ShopContext, request: PageRequest): Promise<Page<StoredTest>> {
  const query = {
    name: `ab-tests ${context.shop.id}`,
    columns: sql`ab_tests.*, ${variantsOfTest} as variants`,
    rows: sql`from ab_tests where shop_id = ${context.shop.id}`,
    orderBy: sql`id desc`,
  }
  return fetchPage(context, query, request)
}

/** All tests of a shop, for deciding what its customers are shown. */
export async function loadTests(context: Context, shopId: string): Promise<StoredTest[]> {
  const { rows } = await sql<StoredTest>`
    select ab_tests.*, ${variantsOfTest} as variants from ab_tests
    where shop_id = ${shopId} order by id`.execute(context.db)
  return rows
}

/**
 * Another test of the segment whose actual run overlaps this one. A test does not run before it was created, and one
 * that was ended early runs until then.
 */
export async function findOverlap(
  context: ShopContext,
  test: Pick<TestRow, 'segment' | 'start_date' | 'end_date'>,
): Promise<{ name: string } | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from ab_tests
    cross join lateral (
      select greatest(start_date, created_at) as starts, coalesce(least(end_date, ended_at), 'infinity') as ends
    ) as run
    cross join (
      select greatest(${test.start_date}::timestamptz, ${context.now}::timestamptz) as starts,
        coalesce(${test.end_date}::timestamptz, 'infinity') as ends
    ) as planned
    where shop_id = ${context.shop.id} and segment = ${test.segment}
      and greatest(run.starts, planned.starts) < least(run.ends, planned.ends)
    order by start_date limit 1`.execute(context.db)
  return rows[0]
}

export async function endTest(context: ShopContext, id: string): Promise<void> {
  await updateRecord(context, 'ab_tests', id, { ended_at: context.now, updated_at: context.now })
}

/** Stores a customer's assignment; the first one stays. */
export async function storeAssignment(
  context: Context,
  assignment: { shopId: string; testId: string; customer: string; campaignId: string | null },
): Promise<void> {
  await context.db
    .insertInto('ab_test_assignments')
    .values({
      shop_id: assignment.shopId,
      customer: Buffer.from(assignment.customer, 'hex'),
      test_id: assignment.testId,
      campaign_id: assignment.campaignId,
      assigned_at: context.now,
    })
    .onConflict((conflict) => conflict.columns(['shop_id', 'customer', 'test_id']).doNothing())
    .execute()
}
