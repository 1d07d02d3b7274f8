import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { type Learnt, type Pauses, routeKey } from './rules.ts'

/** Parcels that are examined to learn a shop's pauses: bounded, whatever the shop's history is. */
const sampleSize = 3_000
/** Fewer parcels than this do not show what is usual on a route. */
const leastParcels = 20
const longestDays = 30

/** The pauses between two scans of the shop's last delivered parcels, by carrier and destination country. */
export async function learnPauses(context: Context, shopId: string): Promise<Learnt> {
  const { rows } = await sql<{
    carrierReference: string | null
    destinationCountry: string | null
    parcels: number
    longestHours: number
    usualHours: number
  }>`
    select parcel.carrier_reference as "carrierReference", parcel.destination_country as "destinationCountry",
      count(*)::int as parcels,
      percentile_disc(0.95) within group (order by pause.hours) as "longestHours",
      percentile_disc(0.5) within group (order by pause.hours) as "usualHours"
    from (
      select id, carrier_reference, destination_country, in_transit_at, delivered_at from shipments
      where shop_id = ${shopId} and delivered_at is not null and direction in ('merchant_customer', 'partner_customer')
      order by delivered_at desc
      limit ${sql.lit(sampleSize)}
    ) as parcel
    cross join lateral (
      -- The longest pause of the parcel.
      select max(extract(epoch from scan.pause)::float8) / 3600 as hours
      from (
        select event_time - lag(event_time) over (order by event_time) as pause
        from shipment_events
        where shipment_events.shop_id = ${shopId} and shipment_events.shipment_id = parcel.id
          and event_time between parcel.in_transit_at and parcel.delivered_at
      ) as scan
    ) as pause
    where pause.hours is not null
    group by parcel.carrier_reference, parcel.destination_country
    order by 1, 2`.execute(context.db)
  const routes: Record<string, Pauses> = {}
  for (const row of rows) {
    if (row.parcels < leastParcels) continue
    routes[routeKey(row.carrierReference, row.destinationCountry)] = {
      days: Math.min(longestDays, roundUp(row.longestHours, 24) / 24),
      usualHours: roundUp(row.usualHours, 6),
    }
  }
  const carriers = rows.flatMap(({ carrierReference }) => carrierReference ?? [])
  return { carriers: [...new Set(carriers)], routes }
}

/** In whole steps, at least one, so that one more parcel hardly ever changes what was learnt. */
function roundUp(hours: number, step: number): number {
  return Math.max(1, Math.ceil(hours / step)) * step
}
