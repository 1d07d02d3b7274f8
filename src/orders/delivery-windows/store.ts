import { sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Journey } from './rules.ts'

/** Journeys from which a shop's routes are learnt: bounded, however long the shop's history is. */
const sampleSize = 3_000

/** The shop's last finished journeys to customers. */
export async function lastJourneys(context: Context, shopId: string): Promise<Journey[]> {
  const { rows } = await sql<Journey>`
    select carrier_reference as "carrierReference", destination_country as "destinationCountry",
      placed_at as "placedAt", delivered_at as "deliveredAt"
    from shipments
    where shop_id = ${shopId} and delivered_at is not null and direction = 'merchant_customer'
    order by delivered_at desc
    limit ${sql.lit(sampleSize)}`.execute(context.db)
  return rows
}

export interface WindowRecord {
  carrier_reference: string | null
  predicted: number
  early: number
  held: number
  late: number
}

/**
 * Counts, by carrier, the parcels delivered in a period before, within and after their predicted window. A parcel that
 * was delivered before it was sent was imported late; it does not count, because nothing was predicted for it.
 */
export async function countWindows(context: ShopContext, from: Date, to: Date): Promise<WindowRecord[]> {
  const { rows } = await sql<WindowRecord>`
    select carrier_reference, count(*) as predicted,
      count(*) filter (where delivered_at < predicted_from) as early,
      count(*) filter (where delivered_at between predicted_from and predicted_to) as held,
      count(*) filter (where delivered_at > predicted_to) as late
    from shipments
    where shop_id = ${context.shop.id} and delivered_at >= ${from} and delivered_at <= ${to}
      and predicted_from is not null and delivered_at >= placed_at
    group by carrier_reference
    order by count(*) desc, carrier_reference`.execute(context.db)
  return rows
}
