import { sql } from 'kysely'
import type { ShopContext } from '../platform/foundation/context.ts'

/** Parcels that are examined, and ways that are distinguished: bounded, whatever the shop's history is. */
const sampleSize = 20_000
const maxWays = 5_000

/** How parcels were sent: so many of a carrier and service, from one country to another. */
export interface Way {
  carrier: string
  service: string | null
  /** Null: no scan said where they came from. */
  origin: string | null
  destination: string | null
  parcels: number
}

/** The ways of the last delivered parcels, most used first. */
export async function lastWays(context: ShopContext): Promise<Way[]> {
  const { rows } = await sql<Way>`
    select carrier_reference as carrier, service, origin_country as origin, destination_country as destination,
      count(*)::int as parcels
    from (
      select carrier_reference, service, origin_country, destination_country
      from shipments
      where shop_id = ${context.shop.id} and delivered_at is not null and direction = 'merchant_customer'
      order by delivered_at desc
      limit ${sql.lit(sampleSize)}
    ) as newest
    where carrier_reference is not null
    group by carrier_reference, service, origin_country, destination_country
    order by count(*) desc, carrier_reference, service, origin_country, destination_country
    limit ${sql.lit(maxWays)}`.execute(context.db)
  return rows
}
