import { sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { sha256 } from '../../platform/foundation/crypto.ts'
import { ordersWhere, zipKey } from '../orders/search-store.ts'
import type { OrderName } from '../orders/store.ts'
import { isGenuine, type PageOrder, type ParsedToken, parsePageToken } from './page-token.ts'

export interface OrderKey {
  shopId: string
  orderId: string
}

/**
 * The order with this name, and the values that its page's address is made from. If several share an order_name, the
 * newest.
 */
export async function findPageOfOrder(
  context: ShopContext,
  idType: OrderName['idType'],
  id: string,
): Promise<Omit<PageOrder, 'shopId'> | undefined> {
  const { rest, sortedBy } = ordersWhere(context.shop.id, { [idType]: id })
  const { rows } = await sql<Omit<PageOrder, 'shopId'>>`
    select orders.id as "orderId", orders.page_nonce as nonce ${rest} order by ${sortedBy} limit 1`.execute(context.db)
  return rows[0]
}

/** The key of the order that a token opens. */
export async function findOrderByToken(context: Context, token: string): Promise<OrderKey | undefined> {
  const opened = parsePageToken(token)
  if (opened === undefined) return undefined
  const { shopId, orderId } = opened
  const row = await context.db
    .selectFrom('orders')
    .where('shop_id', '=', shopId)
    .where('id', '=', orderId)
    .where('erased_at', 'is', null)
    .select('page_nonce')
    .executeTakeFirst()
  return row && (await opensPage(context, opened, row.page_nonce)) ? { shopId, orderId } : undefined
}

/** Whether the token opens the page of an order with this nonce: we have made it, or the installation that the shop came from. */
export async function opensPage(context: Context, token: ParsedToken, nonce: string | null): Promise<boolean> {
  if (isGenuine(context, token, nonce)) return true
  const { rows } = await sql`
    select 1 from moved_page_links
    where shop_id = ${token.shopId} and order_id = ${token.orderId} and proof_hash = ${sha256(token.proof)}
      and nonce is not distinct from ${nonce}`.execute(context.db)
  return rows.length > 0
}

/** Revokes every address of the order's page; false if there is no such order. */
export async function revokePage(context: ShopContext, orderId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update orders set page_nonce = gen_random_uuid()
    where shop_id = ${context.shop.id} and id = ${orderId}
    returning id`.execute(context.db)
  return rows.length > 0
}

/** An order by its number or name, if zip code or e-mail address prove that the customer knows it. */
export async function findProvenOrder(
  context: Pick<Context, 'db'>,
  shopId: string,
  { number, proof }: { number: string; proof: string },
): Promise<{ id: string; page_nonce: string | null } | undefined> {
  const bare = number.replace(/^#\s*/, '')
  const { rows } = await sql<{ id: string; page_nonce: string | null }>`
    select id, page_nonce from (
      (
        select id, page_nonce, zip_code, email_id, order_placed_at from orders
        where shop_id = ${shopId} and order_number = any(${[number, bare]}::text[])
      )
      union all
      (
        -- Several orders may have the same name; the latest five of each name are checked.
        select of_name.* from unnest(${[number, bare, `#${bare}`]}::text[]) as names (name)
        cross join lateral (
          select id, page_nonce, zip_code, email_id, order_placed_at from orders
          where shop_id = ${shopId} and order_name = names.name
          order by order_placed_at desc, id desc
          limit 5
        ) as of_name
      )
    ) as named
    -- A proof of blanks only becomes an empty key, and must match nothing.
    where ${zipKey(sql`zip_code`)} = nullif(${zipKey(sql`${proof}::text`)}, '')
      or lower(email_id) = lower(${proof})
    -- At most 17 rows are left here; several may fit, and the latest is meant.
    order by order_placed_at desc, id desc
    limit 1`.execute(context.db)
  return rows[0]
}
