import { sql } from 'kysely'
import type { Context, ShopContext } from '../../foundation/context.ts'
import type { PageOrder } from './page-token.ts'
import { ordersWhere } from './search-store.ts'
import type { OrderName } from './store.ts'

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

/** The products of each of the shop's last orders, by the ids that the shop gave them. */
export async function lastOrderedProducts(context: Context, shopId: string, limit: number): Promise<string[][]> {
  const { rows } = await sql<{ ids: string[] }>`
    select jsonb_path_query_array(details, '$.products[*].product_id') as ids
    from orders where shop_id = ${shopId}
    order by order_placed_at desc, id desc
    limit ${limit}`.execute(context.db)
  return rows.map(({ ids }) => ids)
}
