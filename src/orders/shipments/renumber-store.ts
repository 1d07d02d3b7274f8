import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'

/**
 * Turns shipments whose tracking numbers were withdrawn back into drafts, and returns their ids. A parcel that a
 * carrier has scanned is in transit, whatever the shop says, and stays as it is.
 *
 *   reverted         the shipments, reset to ORDER_CREATED
 *   removed_events   their ORDER_PROCESSED events, deleted
 */
export async function revertToDrafts(
  context: Context,
  order: { shopId: string; id: string },
  trackingNumbers: string[],
): Promise<string[]> {
  if (trackingNumbers.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    with reverted as (
      update shipments set
        tracking_number = null, carrier_reference = null, is_carrier_given = false, tracking_company = null,
        service = nullif(orders.details ->> 'shipping_method', ''), tracking_url = null, external_shipment_id = null, products = null, phase = 'order_created', flag = 'normal',
        current_event_key = 'ORDER_CREATED', current_event_at = coalesce((
          select max(event_time) from shipment_events
          where shipment_events.shop_id = shipments.shop_id and shipment_id = shipments.id
            and event_key = 'ORDER_CREATED'
        ), orders.order_placed_at),
        latest_event_at = coalesce((
          select max(event_time) from shipment_events
          where shipment_events.shop_id = shipments.shop_id and shipment_id = shipments.id
            and event_key <> 'ORDER_PROCESSED'
        ), orders.order_placed_at),
        is_scanned = false,
        placed_at = orders.order_placed_at, predicted_from = null, predicted_to = null, expected_delivery = null,
        updated_at = greatest(shipments.updated_at, ${context.now})
      from orders
      where shipments.shop_id = ${order.shopId} and shipments.order_id = ${order.id}
        and orders.shop_id = shipments.shop_id and orders.id = shipments.order_id
        and shipments.tracking_number = any(${trackingNumbers}::text[])
        and shipments.phase in ('order_created', 'order_processed', 'order_cancelled')
      returning shipments.shop_id, shipments.id
    ), removed_events as (
      delete from shipment_events using reverted
      where shipment_events.shop_id = reverted.shop_id and shipment_events.shipment_id = reverted.id
        and shipment_events.event_key = 'ORDER_PROCESSED'
    )
    select id from reverted`.execute(context.db)
  return rows.map(({ id }) => id)
}

/** Deletes scans that belong to another parcel, and resets their shipments to ORDER_PROCESSED. */
export async function clearScans(context: Context, shopId: string, shipmentIds: string[]): Promise<void> {
  if (shipmentIds.length === 0) return
  await sql`
    with cleared as (
      delete from shipment_events
      where shop_id = ${shopId} and shipment_id = any(${shipmentIds}::uuid[])
        and event_key not in ('ORDER_CREATED', 'ORDER_PROCESSED', 'ORDER_CANCELLED')
      returning shipment_id
    )
    update shipments set
      phase = 'order_processed', flag = 'normal', current_event_key = 'ORDER_PROCESSED', current_event_at = placed_at,
      latest_event_at = placed_at, is_scanned = false, in_transit_at = null, delivered_at = null, origin_country = null, expected_delivery = null, pickup = null,
      proof_of_delivery = null
    where shop_id = ${shopId} and id in (select shipment_id from cleared)`.execute(context.db)
}

/** The time at which a parcel was handed over, and whether its sender named the carrier. */
export async function findSending(
  context: Context,
  shopId: string,
  shipmentId: string,
): Promise<{ sentAt: Date; isCarrierGiven: boolean }> {
  return context.db
    .selectFrom('shipments')
    .where('shop_id', '=', shopId)
    .where('id', '=', shipmentId)
    .select(['placed_at as sentAt', 'is_carrier_given as isCarrierGiven'])
    .executeTakeFirstOrThrow()
}
