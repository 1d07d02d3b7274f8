import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { type ShopDay, toCustomers } from './count-store.ts'
import { type CountedJourney, type DayTimes, groupJourneys, maxJourneyDays } from './day-times.ts'

/** Shops can name any service; a day keeps the most frequent groups, and the rest as one without names. */
const maxGroupsPerDay = 500

export interface CountedTimes extends ShopDay {
  times: DayTimes
}

/**
 * Counts the deliveries of the given days. From the innermost: the parcels to customers that were delivered on the day,
 * each with its order; how many had the same journey; the rank of their group; the groups beyond the limit as one.
 *
 * A parcel is fulfilled when it was sent, `placed_at`: every fulfilled shipment has it, while the first scan in transit is
 * missing where a carrier reports deliveries only. That of a draft is when it was ordered, so drafts have none.
 */
export async function countDeliveryTimes(context: Pick<Context, 'db'>, days: ShopDay[]): Promise<CountedTimes[]> {
  if (days.length === 0) return []
  const rows = days.map(({ shopId, date }) => ({ shop_id: shopId, date }))
  const { rows: counted } = await sql<ShopDay & { journeys: CountedJourney[] }>`
    select day.shop_id as "shopId", day.date, journeys.list as journeys
    from (
      select *, date::timestamp at time zone 'UTC' as starts, (date::date + 1)::timestamp at time zone 'UTC' as ends
      from json_to_recordset(${JSON.stringify(rows)}::json) as given (shop_id uuid, date text)
    ) as day
    cross join lateral (
      select coalesce(json_agg(json_build_object('carrier', carrier, 'country', country, 'service', service,
        'placed', placed, 'fulfilled', fulfilled,
        'counts', json_build_array(delivered, expected, on_time, predicted, early, held, late))), '[]') as list
      from (
        select case when is_named then carrier end as carrier, case when is_named then country end as country,
          case when is_named then service end as service, placed, fulfilled, sum(delivered)::int as delivered,
          sum(expected)::int as expected, sum(on_time)::int as on_time, sum(predicted)::int as predicted,
          sum(early)::int as early, sum(held)::int as held, sum(late)::int as late
        from (
          select *, dense_rank() over (order by group_size desc, carrier, country, service)
            <= ${sql.lit(maxGroupsPerDay)} as is_named
          from (
            select *, sum(delivered) over (partition by carrier, country, service) as group_size
            from (${journeys}) as journey
          ) as sized
        ) as ranked
        group by 1, 2, 3, 4, 5
      ) as named
    ) as journeys`.execute(context.db)
  return counted.map(({ journeys, ...day }) => ({ ...day, times: groupJourneys(journeys) }))
}

const journeys = sql`
  select carrier, country, service, placed, fulfilled, count(*) as delivered,
    count(*) filter (where expected_by is not null) as expected,
    count(*) filter (where delivered_at <= expected_by) as on_time,
    count(*) filter (where is_predicted) as predicted,
    count(*) filter (where is_predicted and delivered_at < predicted_from) as early,
    count(*) filter (where is_predicted and delivered_at between predicted_from and predicted_to) as held,
    count(*) filter (where is_predicted and delivered_at > predicted_to) as late
  from (
    select carrier_reference as carrier, destination_country as country, service, delivered_at, predicted_from,
      predicted_to, coalesce((expected_delivery ->> 'end')::timestamptz, predicted_to) as expected_by,
      predicted_from is not null and delivered_at >= placed_at as is_predicted,
      case when delivered_at >= order_placed_at then ${daysSince(sql`order_placed_at`)} end as placed,
      case when not is_draft and delivered_at >= placed_at then ${daysSince(sql`placed_at`)} end as fulfilled
    from shipments
    left join lateral (
      select order_placed_at from orders
      where orders.shop_id = shipments.shop_id and orders.id = shipments.order_id limit 1
    ) as of_order on true
    where shipments.shop_id = day.shop_id and delivered_at >= day.starts and delivered_at < day.ends and ${toCustomers}
  ) as parcel
  group by 1, 2, 3, 4, 5`

function daysSince(start: ReturnType<typeof sql>) {
  return sql`least(day.date::date - utc_day(${start}), ${sql.lit(maxJourneyDays)})`
}
