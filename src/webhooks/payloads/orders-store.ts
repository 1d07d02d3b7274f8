import { sql } from 'kysely'
import { claimsOfOrder, type StoredClaim } from '../../claims/claims/store.ts'
import { orderByKey, type StoredOrder, storedOrder } from '../../orders/orders/store.ts'
import type { Context, ShopIdentity } from '../../platform/foundation/context.ts'

/** An order with its shop and its claims. */
export interface OrderOfShop extends StoredOrder {
  shop: ShopIdentity
  claims: StoredClaim[]
}

/** These orders by id. They may belong to different shops. */
export async function findOrdersOfShops(
  context: Context,
  orders: { shopId: string; orderId: string }[],
): Promise<Map<string, OrderOfShop>> {
  const given = orders.map(({ shopId, orderId }) => ({ shop_id: shopId, id: orderId }))
  const { rows } = await sql<OrderOfShop>`
    select ${storedOrder}, ${claimsOfOrder} as claims,
      json_build_object('id', shops.id, 'slug', shops.slug, 'name', shops.name, 'language', shops.language,
        'currency', shops.currency) as shop
    from (
      select distinct shop_id, id from json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, id uuid)
    ) as wanted
    cross join lateral (${orderByKey(sql`wanted`)}) as orders
    -- For a join, the planner would scan the few shops first and look up all orders for each of them.
    cross join lateral (select * from shops where shops.id = orders.shop_id limit 1) as shops`.execute(context.db)
  return new Map(rows.map((order) => [order.id, order]))
}
