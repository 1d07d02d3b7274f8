import { sql } from 'kysely'
import { customerDigest } from '../../orders/orders/customer-store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { endOf } from './rules.ts'
import type { StoredTest } from './store.ts'

/** The figures of one variant or of the holdout. */
export interface ArmCounts {
  /** Null: the holdout. */
  campaignId: string | null
  customers: number
  exposures: number
  clicks: number
  orders: number
  converted: number
  revenue: number
  /** Sum of squares of each customer's revenue. */
  revenueSquares: number
  otherCurrencies: number
}

/**
 * Counts each arm of a test. Only orders that came from tracking pages while it ran are included.
 *
 *   assigned     the customers of the test, with their arms
 *   named        the campaigns of the test, by id and by name
 *   from_pages   orders that came from a tracking page, with their customer and the customer of the page
 *   ordered      orders and revenue per customer
 *   viewed       exposures and clicks per arm
 *   earned       orders and revenue per arm
 *   counted      customers per arm
 */
export async function countResults(
  context: ShopContext,
  test: StoredTest,
  names: ReadonlyMap<string, string>,
): Promise<ArmCounts[]> {
  // Order analytics name a campaign by its id or by its name.
  const named = [...names].flatMap(([id, name]) => [id, name].map((key) => ({ key, id })))
  const { rows } = await sql<ArmCounts>`
    with assigned as materialized (
      select customer, campaign_id, assigned_at from ab_test_assignments
      where shop_id = ${context.shop.id} and test_id = ${test.id}
    ), named as materialized (
      select * from json_to_recordset(${JSON.stringify(named)}::json) as named (key text, id uuid)
    ), from_pages as materialized (
      select orders.order_placed_at, orders.order_analytics ->> 'campaign' as campaign,
        (orders.details ->> 'total_order_price')::numeric as total,
        orders.details ->> 'currency' = ${context.shop.currency} as is_own_currency,
        ${customerDigest()} as customer, referrer.customer as referrer
      from orders
      left join lateral (
        select ${customerDigest('earlier')} as customer from orders as earlier
        where earlier.shop_id = orders.shop_id and earlier.id = case
          when orders.order_analytics ->> 'reference_order_id' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
          then (orders.order_analytics ->> 'reference_order_id')::uuid end
      ) as referrer on true
      where orders.shop_id = ${context.shop.id} and orders.order_analytics ->> 'source' = 'trackpages'
        and orders.order_placed_at >= ${test.start_date} and orders.order_placed_at < ${endOf(test, context.now)}
    ), ordered as (
      select buyer.customer, buyer.campaign_id, count(*) as orders,
        coalesce(sum(total) filter (where is_own_currency), 0) as revenue,
        count(*) filter (where is_own_currency is not true) as other_currencies
      from from_pages
      join lateral (
        select * from assigned where assigned.customer in (from_pages.customer, from_pages.referrer)
        order by assigned.customer = from_pages.customer desc limit 1
      ) as buyer on true
      where from_pages.order_placed_at >= buyer.assigned_at and not exists (
        select 1 from named
        where named.key = from_pages.campaign and named.id is distinct from buyer.campaign_id
      )
      group by buyer.customer, buyer.campaign_id
    ), viewed as (
      select nullif(subject_id, ${test.id}) as campaign_id,
        count(*) filter (where action = 'exposure') as exposures, count(*) filter (where action = 'click') as clicks
      from campaign_views where shop_id = ${context.shop.id} and test_id = ${test.id}
      group by subject_id
    ), earned as (
      select campaign_id, count(*) as converted, sum(orders) as orders, sum(revenue) as revenue,
        sum(revenue * revenue) as squares, sum(other_currencies) as other_currencies
      from ordered group by campaign_id
    ), counted as (
      select campaign_id, count(*) as customers from assigned group by campaign_id
    )
    select counted.campaign_id as "campaignId", counted.customers,
      coalesce(exposures, 0) as exposures, coalesce(clicks, 0) as clicks, coalesce(orders, 0) as orders,
      coalesce(converted, 0) as converted, coalesce(revenue, 0) as revenue,
      coalesce(squares, 0) as "revenueSquares", coalesce(other_currencies, 0) as "otherCurrencies"
    from counted
    left join viewed on viewed.campaign_id is not distinct from counted.campaign_id
    left join earned on earned.campaign_id is not distinct from counted.campaign_id`.execute(context.db)
  return rows
}
