import { type RawBuilder, sql } from 'kysely'
import { customerDigest } from '../orders/orders/customer-store.ts'
import type { ShopContext } from '../platform/foundation/context.ts'

/** The hash of a customer's e-mail address, which campaigns and tests use for orders without a customer id. */
export async function hashOfEmail(context: ShopContext, email: string): Promise<string> {
  const { rows } = await sql<{ customer: string }>`
    select encode(${customerDigest('orders')}, 'hex') as customer
    from (select '{}'::jsonb as details, ${email}::text as email_id, ''::text as id) as orders`.execute(context.db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement without a table returns one row')
  return row.customer
}

export interface StoredView {
  order_id: string
  subject_id: string
  action: string
  test_id: string | null
  day: string
  recorded_at: Date
}

/** The campaign views and clicks of these customers on the pages of these orders. */
export async function findViews(context: ShopContext, customers: string[], orderIds: string[]): Promise<StoredView[]> {
  const { rows } = await sql<StoredView>`
    select order_id, subject_id, action, test_id, day::text as day, recorded_at from campaign_views
    where shop_id = ${context.shop.id} and customer = any(${hashesOf(customers)})
      and order_id = any(${orderIds}::uuid[])
    order by recorded_at, subject_id, action`.execute(context.db)
  return rows
}

export async function eraseViews(context: ShopContext, customers: string[], orderIds: string[]): Promise<number> {
  const { rows } = await sql<{ day: string }>`
    delete from campaign_views
    where shop_id = ${context.shop.id} and customer = any(${hashesOf(customers)})
      and order_id = any(${orderIds}::uuid[])
    returning day`.execute(context.db)
  return rows.length
}

export interface StoredAssignment {
  test_id: string
  campaign_id: string | null
  assigned_at: Date
}

export async function findAssignments(context: ShopContext, customers: string[]): Promise<StoredAssignment[]> {
  const { rows } = await sql<StoredAssignment>`
    select test_id, campaign_id, assigned_at from ab_test_assignments
    where shop_id = ${context.shop.id} and customer = any(${hashesOf(customers)})
    order by assigned_at, test_id`.execute(context.db)
  return rows
}

/** Deleted together with the customer's views, so that the results of a test are not skewed. */
export async function eraseAssignments(context: ShopContext, customers: string[]): Promise<number> {
  const { rows } = await sql<{ test_id: string }>`
    delete from ab_test_assignments
    where shop_id = ${context.shop.id} and customer = any(${hashesOf(customers)})
    returning test_id`.execute(context.db)
  return rows.length
}

/** A subquery, so that PostgreSQL computes the hashes once and uses the index for each. */
function hashesOf(customers: string[]): RawBuilder<unknown> {
  return sql`array(select decode(hex, 'hex') from unnest(${customers}::text[]) as hex)`
}
