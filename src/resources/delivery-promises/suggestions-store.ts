import { sql } from 'kysely'
import type { ShopContext } from '../../foundation/context.ts'

/** Parcels that suggestions are made from, and how many are made: bounded, whatever the shop's history is. */
const sampleSize = 5_000
const maxSuggestions = 50

export interface WayOfSending {
  carrier: string | null
  service: string | null
  countries: string[]
  parcels: number
}

/** How the last delivered parcels were sent, most frequent first. */
export async function waysOfSending(context: ShopContext): Promise<WayOfSending[]> {
  const { rows } = await sql<WayOfSending>`
    select carrier_reference as carrier, service,
      coalesce(array_agg(distinct destination_country order by destination_country)
        filter (where destination_country is not null), '{}') as countries,
      count(*)::int as parcels
    from (
      select carrier_reference, service, destination_country
      from shipments
      where shop_id = ${context.shop.id} and delivered_at is not null and direction = 'merchant_customer'
      order by delivered_at desc
      limit ${sql.lit(sampleSize)}
    ) as newest
    where carrier_reference is not null
    group by carrier_reference, service
    order by count(*) desc, carrier_reference, service
    limit ${sql.lit(maxSuggestions)}`.execute(context.db)
  return rows
}
