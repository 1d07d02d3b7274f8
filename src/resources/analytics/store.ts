import { sql } from 'kysely'
import { runsOfLog } from '../../deliveries/queue-store.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { earliestId } from '../../foundation/ids.ts'
import type { AttributedOrders, CampaignName, DayCount, Period, ViewCount } from './rules.ts'

// Every statement here reads only the range of an index that belongs to the period.

/** Orders placed on each day. */
export async function countOrders(context: ShopContext, { from, until }: Period): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select to_char(order_placed_at at time zone 'UTC', 'YYYY-MM-DD') as date, count(*) as count
    from orders
    where shop_id = ${context.shop.id} and order_placed_at >= ${from} and order_placed_at < ${until}
    group by 1`.execute(context.db)
  return rows
}

/** Orders placed in the period that will never be tracked. Each count has its own partial index. */
export async function countOrdersWithoutTracking(
  context: ShopContext,
  { from, until }: Period,
): Promise<{ nothing_to_send: number; handed_over_without_tracking: number }> {
  const within = sql`shop_id = ${context.shop.id} and order_placed_at >= ${from} and order_placed_at < ${until}`
  const { rows } = await sql<{ nothing_to_send: number; handed_over_without_tracking: number }>`
    select
      (select count(*) from orders where ${within} and nothing_to_send) as nothing_to_send,
      (select count(*) from orders where ${within} and handed_over_without_tracking) as handed_over_without_tracking
  `.execute(context.db)
  return rows[0] ?? { nothing_to_send: 0, handed_over_without_tracking: 0 }
}

/** Drafts created in the period that still have to be sent. */
export async function countDraftsToSend(context: ShopContext, { from, until }: Period): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from shipments
    cross join lateral (
      select nothing_to_send or handed_over_without_tracking as is_done from orders
      where orders.shop_id = shipments.shop_id and orders.id = shipments.order_id limit 1
    ) as of_order
    where shop_id = ${context.shop.id} and is_draft = true and created_at >= ${from} and created_at < ${until}
      and phase = 'order_created' and direction in ('merchant_customer', 'partner_customer') and not is_done`.execute(
    context.db,
  )
  return rows[0]?.count ?? 0
}

export interface ShipmentCount {
  phase: string
  flag: string
  count: number
}

/** Shipments created in the period, by phase and flag. */
export async function countShipments(context: ShopContext, { from, until }: Period): Promise<ShipmentCount[]> {
  const { rows } = await sql<ShipmentCount>`
    select phase, flag, count(*) as count
    from shipments
    where shop_id = ${context.shop.id} and is_draft in (false, true) and created_at >= ${from} and created_at < ${until}
    group by phase, flag`.execute(context.db)
  return rows
}

/** Deliveries to customers on each day. */
export async function countDelivered(context: ShopContext, { from, until }: Period): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select to_char(delivered_at at time zone 'UTC', 'YYYY-MM-DD') as date, count(*) as count
    from shipments
    where shop_id = ${context.shop.id} and delivered_at >= ${from} and delivered_at < ${until}
      and direction in ('merchant_customer', 'partner_customer')
    group by 1`.execute(context.db)
  return rows
}

export interface TransitDays {
  median: number | null
  p90: number | null
}

/** Days from fulfilment to delivery. Ignores shipments that were delivered before they were sent. */
export async function measureTransit(context: ShopContext, { from, until }: Period): Promise<TransitDays> {
  const { rows } = await sql<TransitDays>`
    select percentile_cont(0.5) within group (order by days) as median,
      percentile_cont(0.9) within group (order by days) as p90
    from (
      select extract(epoch from delivered_at - placed_at)::float8 / 86400 as days
      from shipments
      where shop_id = ${context.shop.id} and delivered_at >= ${from} and delivered_at < ${until}
        and direction in ('merchant_customer', 'partner_customer') and delivered_at >= placed_at
    ) as journeys`.execute(context.db)
  return rows[0] ?? { median: null, p90: null }
}

/** Failed delivery attempts. The condition on the event must match that of the partial index literally. */
export async function countFailedAttempts(context: ShopContext, { from, until }: Period): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from shipment_events
    where shop_id = ${context.shop.id} and event_time >= ${from} and event_time < ${until}
      and (event_key like 'DELIVERY_ATTEMPTED%' or event_key = 'ATTEMPTED_DELIVERY_UNDELIVERABLE')`.execute(context.db)
  return rows[0]?.count ?? 0
}

export interface ClaimCount {
  reason: string
  status: string
  count: number
}

/** Claims created in the period that are not deleted. */
export async function countClaims(context: ShopContext, { from, until }: Period): Promise<ClaimCount[]> {
  const { rows } = await sql<ClaimCount>`
    select reason, status, count(*) as count
    from claims
    where shop_id = ${context.shop.id} and deleted_at is null and created_at >= ${from} and created_at < ${until}
    group by reason, status`.execute(context.db)
  return rows
}

export interface DeliveryCount {
  kind: 'webhook' | 'integration'
  status: string
  count: number
}

/**
 * Deliveries queued in the period. Their ids start with a timestamp, so the period is a range of ids per receiver, status
 * and event in the index of the log, and an index-only scan can count it.
 */
export async function countDeliveries(
  context: ShopContext,
  { from, until }: Period,
  integrations: readonly string[],
): Promise<DeliveryCount[]> {
  const { rows } = await sql<DeliveryCount>`
    select receiver.kind, runs.status, sum(counted.count) as count
    from (
      select id::text as target, 'webhook' as kind from webhook_endpoints where shop_id = ${context.shop.id}
      union all
      select name, 'integration' from unnest(${integrations}::text[]) as name
    ) as receiver
    cross join lateral ${runsOfLog(sql`${context.shop.id}`, sql`receiver.target`)} as runs
    cross join lateral (
      select count(*) as count from deliveries
      where deliveries.shop_id = ${context.shop.id} and deliveries.target = receiver.target
        and deliveries.status = runs.status and deliveries.event_name = runs.event_name
        and deliveries.id >= ${earliestId(from)} and deliveries.id < ${earliestId(until)}
    ) as counted
    group by receiver.kind, runs.status`.execute(context.db)
  return rows
}

/** Campaign views and clicks in the period. */
export async function countViews(context: ShopContext, { firstDay, lastDay }: Period): Promise<ViewCount[]> {
  const { rows } = await sql<ViewCount>`
    select subject_id as "subjectId", action, count(*) as count
    from campaign_views
    where shop_id = ${context.shop.id} and day >= ${firstDay}::date and day <= ${lastDay}::date
    group by subject_id, action`.execute(context.db)
  return rows
}

/** Orders of the period that came from tracking pages, by campaign. */
export async function sumAttributed(context: ShopContext, { from, until }: Period): Promise<AttributedOrders[]> {
  const { rows } = await sql<AttributedOrders>`
    select order_analytics ->> 'campaign' as campaign, coalesce(details ->> 'currency', 'EUR') as currency,
      count(*) as orders, coalesce(sum((details ->> 'total_order_price')::numeric), 0) as revenue
    from orders
    where shop_id = ${context.shop.id} and order_analytics ->> 'source' = 'trackpages'
      and order_placed_at >= ${from} and order_placed_at < ${until}
    group by 1, 2`.execute(context.db)
  return rows
}

/** The campaigns with these ids, including deleted ones, and those with these names that are not deleted. */
export async function findCampaignNames(context: ShopContext, ids: string[], names: string[]): Promise<CampaignName[]> {
  const { rows } = await sql<CampaignName>`
    select id, name from campaigns where shop_id = ${context.shop.id} and id = any(${ids}::uuid[])
    union
    select id, name from campaigns
    where shop_id = ${context.shop.id} and name = any(${names}::text[]) and deleted_at is null
    order by id desc`.execute(context.db)
  return rows
}
