import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'

/** Stops polling shipments whose number was removed or now belongs to another parcel. */
export async function stopFollowing(context: Context, shopId: string, shipmentIds: string[]): Promise<void> {
  if (shipmentIds.length === 0) return
  await sql`
    delete from tracked_parcels
    where shop_id = ${shopId} and shipment_id = any(${shipmentIds}::uuid[])`.execute(context.db)
}
