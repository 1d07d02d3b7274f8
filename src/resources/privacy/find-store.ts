import { sql } from 'kysely'
import type { ShopContext } from '../../foundation/context.ts'
import { customerDigest } from '../../journey/orders/customer-store.ts'
import type { StoredDetails } from '../claims/rules.ts'

/** An order of the customer, as far as it leads to everything else. */
export interface FoundOrder {
  id: string
  external_id: string
  order_placed_at: Date
  details: Record<string, unknown>
  /** Who the customer is to campaigns and tests: a digest in hexadecimal. */
  customer: string
}

/** Where the next page begins. */
export type Place = Pick<FoundOrder, 'id' | 'order_placed_at'>

/** The customer's orders, newest first, from behind the given place on. */
export async function findOrdersOfCustomer(
  context: ShopContext,
  email: string,
  limit: number,
  after?: Place,
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

/** An order of the customer by its id, as the place behind which a page begins. */
export async function findPlace(context: ShopContext, email: string, id: string): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select id, order_placed_at from orders
    where shop_id = ${context.shop.id} and id = ${id} and lower(email_id) = lower(${email})`.execute(context.db)
  return rows[0]
}

/** What the claims of these orders keep, those that are hidden too. */
export async function findClaimDetails(context: ShopContext, orderIds: string[]): Promise<StoredDetails[]> {
  const { rows } = await sql<{ details: StoredDetails }>`
    select details from claims
    where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[])`.execute(context.db)
  return rows.map(({ details }) => details)
}

/** Keys of photos and signatures that came with forms of these orders, whether a claim was made of the form or not. */
export async function findUploads(context: ShopContext, orderIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from images
    where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[])`.execute(context.db)
  return rows.map(({ key }) => key)
}

/** Imports whose files are still there. */
export async function countUnfinishedImports(context: ShopContext): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from imports
    where shop_id = ${context.shop.id} and due_at is not null and finished_at is null`.execute(context.db)
  return rows[0]?.count ?? 0
}
