import { type RawBuilder, sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { toCustomers } from '../analytics/count-store.ts'
import type { Filter } from './rules.ts'

/** A delivered parcel, with the day of each time in UTC. */
export interface ParcelRow extends Position {
  orderId: string
  orderNumber: string
  trackingNumber: string | null
  carrier: string | null
  country: string | null
  service: string | null
  orderPlacedAt: Date
  fulfilledAt: Date | null
  placedAt: Date
  deliveredAt: Date
  expectedBy: Date | null
  predictedFrom: Date | null
  predictedTo: Date | null
}

/** The position of a parcel in the list: the time of delivery, in microseconds, and its id. */
export interface Position {
  micros: string
  id: string
}

export interface Examined {
  /** Of the examined deliveries, those that match the filter. */
  parcels: ParcelRow[]
  examined: number
  /** That of the last examined one. */
  last: Position | undefined
}

/** Examines the next deliveries of a period, newest first, and returns those that match. */
export async function examineDeliveries(
  context: ShopContext,
  { from, until, before }: { from: Date; until: Date; before: Position | undefined },
  filter: Filter,
  limit: number,
): Promise<Examined> {
  // One upper bound only: of two, the index scan may start at the earlier one and pass over all of the page before.
  const isBehind =
    before && Number(before.micros) < until.getTime() * 1_000
      ? sql`(delivered_at, id) < ('epoch'::timestamptz + ${before.micros}::bigint * interval '1 microsecond',
          ${before.id}::uuid)`
      : sql`delivered_at < ${until}`
  const { rows } = await sql<ParcelRow & { isMatch: boolean; examined: number }>`
    select examined.id, examined.order_id as "orderId", of_order.order_number as "orderNumber",
      tracking_number as "trackingNumber", carrier_reference as carrier, destination_country as country, service,
      of_order.order_placed_at as "orderPlacedAt", case when not is_draft then placed_at end as "fulfilledAt",
      placed_at as "placedAt", delivered_at as "deliveredAt",
      coalesce((expected_delivery ->> 'end')::timestamptz, predicted_to) as "expectedBy",
      predicted_from as "predictedFrom", predicted_to as "predictedTo",
      (extract(epoch from delivered_at) * 1000000)::bigint::text as micros, is_match as "isMatch", examined_rows as examined
    from (
      select *, ${matching(filter)} as is_match, count(*) over () as examined_rows,
        row_number() over (order by delivered_at desc, id desc) as position
      from (
        select * from shipments
        where shop_id = ${context.shop.id} and delivered_at >= ${from} and ${isBehind}
        order by delivered_at desc, id desc
        limit ${sql.lit(limit)}
      ) as newest
    ) as examined
    left join lateral (
      select order_number, order_placed_at from orders
      where orders.shop_id = examined.shop_id and orders.id = examined.order_id limit 1
    ) as of_order on true
    where is_match or position = examined_rows
    order by position`.execute(context.db)
  const last = rows.at(-1)
  return { parcels: rows.filter(({ isMatch }) => isMatch), examined: last?.examined ?? 0, last }
}

function matching({ carrier, country, service }: Filter): RawBuilder<unknown> {
  const equals = (column: string, value: string | null | undefined) => {
    if (value === undefined) return []
    return [value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`]
  }
  const conditions = [
    toCustomers,
    ...equals('carrier_reference', carrier),
    ...equals('destination_country', country),
    ...equals('service', service),
  ]
  // A condition on null is unknown, which is no match.
  return sql`coalesce(${sql.join(conditions, sql` and `)}, false)`
}
