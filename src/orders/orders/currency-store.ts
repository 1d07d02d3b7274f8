import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'

/** A shop's currency is the most frequent one of this many orders, so that one foreign order does not change it. */
const latestOrders = 20

/** Sets the currency of these shops from their latest orders, unless their shop system has stated it. */
export async function updateShopCurrencies(context: Context, shopIds: string[]): Promise<void> {
  const { rows } = await sql<{ id: string; slug: string }>`
    with wanted as materialized (
      select shops.id, latest.currency from shops
      cross join lateral (
        select mode() within group (order by currency) as currency
        from (
          select orders.details ->> 'currency' as currency from orders
          where orders.shop_id = shops.id
          order by order_placed_at desc, orders.id desc
          limit ${sql.lit(latestOrders)}
        ) as newest
      ) as latest
      where shops.id = any(${shopIds}::uuid[]) and shops.system_currency is null and latest.currency <> shops.currency
    )
    update shops set currency = wanted.currency from wanted where shops.id = wanted.id
    returning shops.id, shops.slug`.execute(context.db)
  for (const { id, slug } of rows) await context.services.announce(context, { kind: 'shop', id, slug })
}
