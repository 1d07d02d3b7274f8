import { sql } from 'kysely'
import type { Context } from '../../foundation/context.ts'

/** Shipments that are looked at: bounded, whatever the shop's history is. */
const sampleSize = 1_000

/**
 * How many of the shop's last shipments went with each carrier. Only carriers that were named count: a guess that
 * counted would confirm itself.
 */
export async function countCarriers(
  context: Context,
  shopId: string,
): Promise<{ carrierReference: string; shipments: number }[]> {
  const { rows } = await sql<{ carrierReference: string; shipments: number }>`
    select carrier_reference as "carrierReference", count(*) as shipments
    from (
      select carrier_reference, is_carrier_given from shipments
      where shop_id = ${shopId} and is_draft = false
      order by created_at desc, id desc
      limit ${sql.lit(sampleSize)}
    ) as last_sent
    where is_carrier_given and carrier_reference is not null
    group by carrier_reference`.execute(context.db)
  return rows
}
