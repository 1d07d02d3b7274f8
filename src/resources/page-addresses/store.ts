import { sql } from 'kysely'
import type { Context, ShopContext } from '../../foundation/context.ts'
import { ordersWhere, zipKey } from '../../journey/orders/search-store.ts'
import type { OrderName } from '../../journey/orders/store.ts'
import { isGenuine, type PageOrder, readPageToken } from './page-token.ts'

export interface OrderKey {
  shopId: string
  orderId: string
}

/** The order that a name means, with what its page's address is made from; of several with one order_name the newest. */
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

/** The order that a token opens now, for whoever needs no more of it. */
export async function findOrderOfToken(context: Context, token: string): Promise<OrderKey | undefined> {
  const opened = readPageToken(token)
  if (opened === undefined) return undefined
  const { shopId, orderId } = opened
  const row = await context.db
    .selectFrom('orders')
    .where('shop_id', '=', shopId)
    .where('id', '=', orderId)
    .where('erased_at', 'is', null)
    .select('page_nonce')
    .executeTakeFirst()
  return row && isGenuine(context, opened, row.page_nonce) ? { shopId, orderId } : undefined
}

/** Ends every address of the order's page that was given out; false where there is no such order. */
export async function revokePage(context: ShopContext, orderId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update orders set page_nonce = gen_random_uuid()
    where shop_id = ${context.shop.id} and id = ${orderId}
    returning id`.execute(context.db)
  return rows.length > 0
}

/** The newest order that a customer can name and prove: by its number or name, and by zip code or e-mail address. */
export async function findProvenOrder(
  context: Pick<Context, 'db'>,
  shopId: string,
  { number, proof }: { number: string; proof: string },
): Promise<{ id: string; page_nonce: string | null } | undefined> {
  const bare = number.replace(/^#\s*/, '')
  const { rows } = await sql<{ id: string; page_nonce: string | null }>`
    select id, page_nonce from (
      (
        select id, page_nonce, zip_code, email_id from orders
        where shop_id = ${shopId} and order_number = any(${[number, bare]}::text[])
      )
      union all
      (
        -- A name may stand on several orders; of each, the last ones are looked at.
        select of_name.* from unnest(${[number, bare, `#${bare}`]}::text[]) as names (name)
        cross join lateral (
          select id, page_nonce, zip_code, email_id from orders
          where shop_id = ${shopId} and order_name = names.name
          order by order_placed_at desc, id desc
          limit 5
        ) as of_name
      )
    ) as named
    -- Of nothing but blanks, nothing is left to prove anything by.
    where ${zipKey(sql`zip_code`)} = nullif(${zipKey(sql`${proof}::text`)}, '')
      or lower(email_id) = lower(${proof})
    limit 1`.execute(context.db)
  return rows[0]
}
