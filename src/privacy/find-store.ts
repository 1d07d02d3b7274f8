import { sql } from 'kysely'
import type { StoredClaimDetails } from '../claims/claims/rules.ts'
import { customerDigest } from '../orders/orders/customer-store.ts'
import type { ShopContext } from '../platform/foundation/context.ts'

/** The fields of a customer's order by which everything else is found. */
export interface FoundOrder {
  id: string
  external_id: string
  order_placed_at: Date
  details: Record<string, unknown>
  /** Identifies the customer for campaigns and A/B tests: a hash in hexadecimal. */
  customer: string
}

/** The last order of a page; the next page starts after it. */
export type Cursor = Pick<FoundOrder, 'id' | 'order_placed_at'>

/** The customer's orders, newest first, starting after the given cursor. */
export async function findOrdersOfCustomer(
  context: ShopContext,
  email: string,
  limit: number,
  after?: Cursor,
): Promise<FoundOrder[]> {
  const { rows } = await sql<FoundOrder>`
    select id, external_id, order_placed_at, details, encode(${customerDigest()}, 'hex') as customer
    from orders
    where shop_id = ${context.shop.id} and lower(email_id) = lower(${email}) and email_id is not null
      ${after ? sql`and (order_placed_at, id) < (${after.order_placed_at}, ${after.id})` : sql``}
    order by order_placed_at desc, id desc
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

export async function findCursor(context: ShopContext, email: string, id: string): Promise<Cursor | undefined> {
  const { rows } = await sql<Cursor>`
    select id, order_placed_at from orders
    where shop_id = ${context.shop.id} and id = ${id} and lower(email_id) = lower(${email})`.execute(context.db)
  return rows[0]
}

/** The details of the claims of these orders, including deleted claims. */
export async function findClaimDetails(context: ShopContext, orderIds: string[]): Promise<StoredClaimDetails[]> {
  const { rows } = await sql<{ details: StoredClaimDetails }>`
    select details from claims
    where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[])`.execute(context.db)
  return rows.map(({ details }) => details)
}

/** Keys of photos and signatures that were uploaded to claim forms of these orders, submitted or not. */
export async function findUploads(context: ShopContext, orderIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from images
    where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[])`.execute(context.db)
  return rows.map(({ key }) => key)
}

/** Imports whose files are still stored. */
export async function countUnfinishedImports(context: ShopContext): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from imports
    where shop_id = ${context.shop.id} and due_at is not null and finished_at is null`.execute(context.db)
  return rows[0]?.count ?? 0
}
