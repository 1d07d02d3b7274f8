import { type RawBuilder, sql } from 'kysely'
import { integrationNames } from '../../adapters/marketing/registry.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'
import { runsOfLog } from '../../delivery/queue/queue-store.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { earliestId } from '../../platform/foundation/ids.ts'
import type { CountedDay } from './day-figures.ts'
import { endOfDay, startOfDay } from './period.ts'

export interface ShopDay {
  shopId: string
  date: string
}

/** Orders can name any campaign; a day keeps the most frequent ones, and the rest without their campaign. */
const maxCampaignsPerDay = 500

export const toCustomers = sql`direction in ('merchant_customer', 'partner_customer')`

/**
 * Counts everything of the given days. Each figure reads the range of one index that belongs to its day.
 *
 *   placed           orders by the day they were placed
 *   created          shipments by the day they were created, by current phase and flag; of these, drafts that wait
 *   delivered        shipments by the day they were delivered, by carrier
 *   failed           failed delivery attempts
 *   filed            claims that are not deleted
 *   queued           deliveries of notifications by receiver and current status
 *   viewed           views and clicks of campaigns
 *   attributed       orders that came from tracking pages, by campaign and currency
 */
export async function countDays(context: Pick<Context, 'db'>, days: ShopDay[]): Promise<CountedDay[]> {
  if (days.length === 0) return []
  const rows = days.map(({ shopId, date }) => ({
    shop_id: shopId,
    date,
    first_id: earliestId(startOfDay(date)),
    end_id: earliestId(endOfDay(date)),
  }))
  const { rows: counted } = await sql<CountedDay>`
    select day.shop_id as "shopId", day.date, jsonb_build_object(
      'orders', placed.figures, 'shipments', created.figures, 'waiting', waiting.count, 'carriers', delivered.figures,
      'failed_attempts', failed.count, 'claims', filed.figures, 'notifications', queued.figures,
      'views', viewed.figures, 'attributed', attributed.figures
    ) as figures
    from (
      select *, date::timestamp at time zone 'UTC' as starts, (date::date + 1)::timestamp at time zone 'UTC' as ends
      from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, date text, first_id uuid, end_id uuid)
    ) as day
    cross join lateral (${placed}) as placed
    cross join lateral (${listOf(created)}) as created
    cross join lateral (${waiting}) as waiting
    cross join lateral (${listOf(delivered)}) as delivered
    cross join lateral (${failed}) as failed
    cross join lateral (${listOf(filed)}) as filed
    cross join lateral (${listOf(queued)}) as queued
    cross join lateral (${listOf(viewed)}) as viewed
    cross join lateral (${listOf(attributed)}) as attributed`.execute(context.db)
  return counted
}

/** The rows of a statement as one list. */
function listOf(statement: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select coalesce(jsonb_agg(to_jsonb(each)), '[]') as figures from (${statement}) as each`
}

/** Each count has its own index. */
const placed = sql`
  select jsonb_build_object(
    'placed', (select count(*) from orders where ${ordersOf()}),
    'nothing_to_send', (select count(*) from orders where ${ordersOf()} and nothing_to_send),
    'handed_over_without_tracking', (select count(*) from orders where ${ordersOf()} and handed_over_without_tracking)
  ) as figures`

function ordersOf(): RawBuilder<unknown> {
  return sql`orders.shop_id = day.shop_id and order_placed_at >= day.starts and order_placed_at < day.ends`
}

const created = sql`
  select phase, flag, count(*) as count
  from shipments
  where shipments.shop_id = day.shop_id and is_draft in (false, true)
    and created_at >= day.starts and created_at < day.ends
  group by phase, flag`

const waiting = sql`
  select count(*) as count
  from shipments
  cross join lateral (
    select nothing_to_send or handed_over_without_tracking as is_done from orders
    where orders.shop_id = shipments.shop_id and orders.id = shipments.order_id limit 1
  ) as of_order
  where shipments.shop_id = day.shop_id and is_draft = true and created_at >= day.starts and created_at < day.ends
    and phase = 'order_created' and ${toCustomers} and not is_done`

/** The expected time is the one that the customer was last shown: the carrier's, or else the predicted window. */
const delivered = sql`
  select carrier_reference as carrier, sum(delivered) as delivered, sum(expected) as expected, sum(on_time) as on_time,
    coalesce(jsonb_agg(jsonb_build_array(hours, delivered)) filter (where hours is not null), '[]') as transit,
    sum(predicted) as predicted, sum(early) as early, sum(held) as held, sum(late) as late
  from (
    select carrier_reference, hours,
      count(*) filter (where is_to_customer) as delivered,
      count(*) filter (where is_to_customer and expected_by is not null) as expected,
      count(*) filter (where is_to_customer and delivered_at <= expected_by) as on_time,
      count(*) filter (where is_predicted) as predicted,
      count(*) filter (where is_predicted and delivered_at < predicted_from) as early,
      count(*) filter (where is_predicted and delivered_at between predicted_from and predicted_to) as held,
      count(*) filter (where is_predicted and delivered_at > predicted_to) as late
    from (
      select carrier_reference, delivered_at, predicted_from, predicted_to, ${toCustomers} as is_to_customer,
        coalesce((expected_delivery ->> 'end')::timestamptz, predicted_to) as expected_by,
        predicted_from is not null and delivered_at >= placed_at as is_predicted,
        case when ${toCustomers} and delivered_at >= placed_at
          then round(extract(epoch from delivered_at - placed_at) / 3600)::int end as hours
      from shipments
      where shipments.shop_id = day.shop_id and delivered_at >= day.starts and delivered_at < day.ends
    ) as journey
    group by carrier_reference, hours
  ) as journeys
  group by carrier_reference`

/** The condition on the event must match that of the partial index literally. */
const failed = sql`
  select count(*) as count
  from shipment_events
  where shipment_events.shop_id = day.shop_id and event_time >= day.starts and event_time < day.ends
    and (event_key like 'DELIVERY_ATTEMPTED%' or event_key = 'ATTEMPTED_DELIVERY_UNDELIVERABLE')`

const filed = sql`
  select reason, status, count(*) as count
  from claims
  where claims.shop_id = day.shop_id and deleted_at is null and created_at >= day.starts and created_at < day.ends
  group by reason, status`

/**
 * Ids of deliveries start with a timestamp, so a day is a range of ids per receiver, status and event in the index of the
 * log, and an index-only scan can count it.
 */
const queued = sql`
  select receiver.target, runs.status, sum(counted.count) as count
  from (
    select id::text as target from webhook_endpoints where webhook_endpoints.shop_id = day.shop_id
    union all
    select unnest(array[${sql.join([...integrationNames, mailReceiver].map((name) => sql.lit(name)))}])
  ) as receiver
  cross join lateral ${runsOfLog(sql`day.shop_id`, sql`receiver.target`)} as runs
  cross join lateral (
    select count(*) as count from deliveries
    where deliveries.shop_id = day.shop_id and deliveries.target = receiver.target
      and deliveries.status = runs.status and deliveries.event_name = runs.event_name
      and deliveries.id >= day.first_id and deliveries.id < day.end_id
  ) as counted
  where counted.count > 0
  group by receiver.target, runs.status`

const viewed = sql`
  select subject_id, action, count(*) as count
  from campaign_views
  where campaign_views.shop_id = day.shop_id and campaign_views.day = day.date::date
  group by subject_id, action`

const attributed = sql`
  select case when position <= ${sql.lit(maxCampaignsPerDay)} then campaign end as campaign, currency,
    sum(orders) as orders, sum(revenue) as revenue
  from (
    select order_analytics ->> 'campaign' as campaign, coalesce(details ->> 'currency', 'EUR') as currency,
      count(*) as orders, coalesce(sum((details ->> 'total_order_price')::numeric), 0) as revenue,
      row_number() over (order by count(*) desc, order_analytics ->> 'campaign') as position
    from orders
    where ${ordersOf()} and order_analytics ->> 'source' = 'trackpages'
    group by 1, 2
  ) as groups
  group by 1, 2`
