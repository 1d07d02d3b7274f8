import { sql } from 'kysely'
import type { Context } from '../../foundation/context.ts'

/** Asks no more about shipments whose number was taken back or stands for another parcel now. */
export async function stopFollowing(context: Context, shopId: string, shipmentIds: string[]): Promise<void> {
  if (shipmentIds.length === 0) return
  await sql`
    delete from tracked_parcels
    where shop_id = ${shopId} and shipment_id = any(${shipmentIds}::uuid[])`.execute(context.db)
}
