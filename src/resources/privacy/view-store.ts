import { type RawBuilder, sql } from 'kysely'
import type { ShopContext } from '../../foundation/context.ts'
import { customerDigest } from '../../journey/orders/customer-store.ts'

/** What a customer is to campaigns and tests by the e-mail address alone: orders may have come without an id once. */
export async function digestOfEmail(context: ShopContext, email: string): Promise<string> {
  const { rows } = await sql<{ customer: string }>`
    select encode(${customerDigest('orders')}, 'hex') as customer
    from (select '{}'::jsonb as details, ${email}::text as email_id, ''::text as id) as orders`.execute(context.db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement without a table answers one row')
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

/** What these customers were shown on the pages of these orders. */
export async function findViews(context: ShopContext, customers: string[], orderIds: string[]): Promise<StoredView[]> {
  const { rows } = await sql<StoredView>`
    select order_id, subject_id, action, test_id, day::text as day, recorded_at from campaign_views
    where shop_id = ${context.shop.id} and customer = any(${digests(customers)})
      and order_id = any(${orderIds}::uuid[])
    order by recorded_at, subject_id, action`.execute(context.db)
  return rows
}

export async function eraseViews(context: ShopContext, customers: string[], orderIds: string[]): Promise<number> {
  const { rows } = await sql<{ day: string }>`
    delete from campaign_views
    where shop_id = ${context.shop.id} and customer = any(${digests(customers)})
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
    where shop_id = ${context.shop.id} and customer = any(${digests(customers)})
    order by assigned_at, test_id`.execute(context.db)
  return rows
}

/** With the customer's views, so that a test loses both sides of a share: what is left of it is not skewed. */
export async function eraseAssignments(context: ShopContext, customers: string[]): Promise<number> {
  const { rows } = await sql<{ test_id: string }>`
    delete from ab_test_assignments
    where shop_id = ${context.shop.id} and customer = any(${digests(customers)})
    returning test_id`.execute(context.db)
  return rows.length
}

/** Made once for a statement, so that an index is asked for each. */
function digests(customers: string[]): RawBuilder<unknown> {
  return sql`array(select decode(hex, 'hex') from unnest(${customers}::text[]) as hex)`
}
