import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'

/** Limits how many shipments are read, however long the shop's history is. */
const sampleSize = 1_000

/**
 * Counts the shop's latest shipments per carrier. Only carriers that the sender named count: a guess would confirm
 * itself.
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
