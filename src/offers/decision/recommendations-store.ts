import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'

/** The products of each of the shop's last orders, by the ids that the shop gave them. */
export async function lastOrderedProducts(context: Context, shopId: string, limit: number): Promise<string[][]> {
  const { rows } = await sql<{ ids: string[] }>`
    select jsonb_path_query_array(details, '$.products[*].product_id') as ids
    from orders where shop_id = ${shopId}
    order by order_placed_at desc, id desc
    limit ${limit}`.execute(context.db)
  return rows.map(({ ids }) => ids)
}
