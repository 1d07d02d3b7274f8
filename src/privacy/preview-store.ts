import { sql } from 'kysely'
import type { ShopContext } from '../platform/foundation/context.ts'

export interface CountedData {
  orders: number
  first_order_at: Date | null
  last_order_at: Date | null
  shipments: number
  events: number
  claims: number
  images: number
  notifications: number
  deliveries_pending: number
}

/**
 * Counts what belongs to the newest orders of a customer.
 *
 *   found    the orders, one more than the limit if there are more
 *   counted  those within the limit
 *   parcels  their shipments
 */
export async function countCustomerData(context: ShopContext, email: string, limit: number): Promise<CountedData> {
  const shopId = context.shop.id
  const { rows } = await sql<CountedData>`
    with found as materialized (
      select id, order_placed_at from orders
      where shop_id = ${shopId} and lower(email_id) = lower(${email}) and email_id is not null
      order by order_placed_at desc, id desc
      limit ${sql.lit(limit + 1)}
    ), counted as materialized (
      select id from found order by order_placed_at desc, id desc limit ${sql.lit(limit)}
    ), parcels as materialized (
      select shipments.id from counted
      join shipments on shipments.shop_id = ${shopId} and shipments.order_id = counted.id
    )
    select
      (select count(*) from found)::int as orders,
      (select min(order_placed_at) from found) as first_order_at,
      (select max(order_placed_at) from found) as last_order_at,
      (select count(*) from parcels)::int as shipments,
      (select count(*) from parcels join shipment_events as events
        on events.shop_id = ${shopId} and events.shipment_id = parcels.id)::int as events,
      (select count(*) from counted join claims
        on claims.shop_id = ${shopId} and claims.order_id = counted.id)::int as claims,
      (select count(*) from counted join images
        on images.shop_id = ${shopId} and images.order_id = counted.id)::int as images,
      (select count(*) from counted join notifications
        on notifications.shop_id = ${shopId} and notifications.order_id = counted.id)::int as notifications,
      (select count(*) from counted
        join notifications on notifications.shop_id = ${shopId} and notifications.order_id = counted.id
        join deliveries on deliveries.shop_id = ${shopId} and deliveries.notification_id = notifications.id
          and deliveries.finished_at is null)::int as deliveries_pending`.execute(context.db)
  const [counts] = rows
  if (counts === undefined) throw new Error('a statement without a table returns one row')
  return counts
}
