import { sql } from 'kysely'
import type { Context } from '../../foundation/context.ts'

/** How many orders say what a shop's currency is: enough that one foreign order does not change it. */
const latestOrders = 20

/** Lets the currency of these shops follow their latest orders, unless their shop system has said which it is. */
export async function followCurrency(context: Context, shopIds: string[]): Promise<void> {
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
