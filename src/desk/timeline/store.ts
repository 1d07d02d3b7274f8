import { sql } from 'kysely'
import type { Subject } from '../../delivery/log/store.ts'
import { finalEventLast } from '../../orders/events/order-store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'

export interface TimelineEvent {
  event_key: string
  event_time: Date
  recorded_at: Date
  source: string
  is_notified: boolean
  direction: string
}

/** The events of a shipment in the order they were recorded; undefined if the shop has no such shipment. */
export async function findTimelineOfShipment(
  context: ShopContext,
  shipmentId: string,
): Promise<{ orderId: string; events: TimelineEvent[] } | undefined> {
  const { rows } = await sql<TimelineEvent & { event_key: string | null; order_id: string }>`
    select shipment_events.event_key, event_time, recorded_at, source, is_notified, shipments.direction,
      shipments.order_id
    from shipments
    left join shipment_events on shipment_events.shop_id = shipments.shop_id and shipment_events.shipment_id = shipments.id
    where shipments.shop_id = ${context.shop.id} and shipments.id = ${shipmentId}
    order by recorded_at, shipment_events.id`.execute(context.db)
  const [first] = rows
  if (first === undefined) return undefined
  return { orderId: first.order_id, events: rows.filter((row) => row.event_key !== null) }
}

export interface TimelineNotification {
  id: string
  shipment_id: string | null
  ref: string
  event_name: string
  event_group: string
  triggered_at: Date
}

/** The notifications about it, oldest first. Limited, because an internal trigger could fire every minute. */
export async function findTimelineNotifications(
  context: ShopContext,
  { column, id }: Subject,
): Promise<TimelineNotification[]> {
  const { rows } = await sql<TimelineNotification>`
    select id, shipment_id, ref, event_name, event_group, triggered_at from notifications
    where shop_id = ${context.shop.id} and ${sql.ref(column)} = ${id}
    order by id
    limit 1000`.execute(context.db)
  return rows
}

export interface OrderEvent extends TimelineEvent {
  id: string
  shipment_id: string
  location: Record<string, unknown> | null
}

export interface OrderClaim {
  id: string
  shipment_id: string
  kind: string
  reason: string
  status: string
  created_at: Date
  updated_at: Date
}

/** The time an order was placed; undefined if the shop has no such order. */
export async function findPlacedAt(context: ShopContext, orderId: string): Promise<Date | undefined> {
  const order = await context.db
    .selectFrom('orders')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', orderId)
    .select('order_placed_at')
    .executeTakeFirst()
  return order?.order_placed_at
}

/** The newest events of all parcels of an order. */
export async function findEventsOfOrder(context: ShopContext, orderId: string): Promise<OrderEvent[]> {
  const { rows } = await sql<OrderEvent>`
    select shipment_events.id, shipment_events.shipment_id, event_key, event_time, recorded_at, source, is_notified,
      shipments.direction, location
    from shipments
    join shipment_events on shipment_events.shop_id = shipments.shop_id and shipment_events.shipment_id = shipments.id
    where shipments.shop_id = ${context.shop.id} and shipments.order_id = ${orderId}
    order by event_time desc, ${finalEventLast} desc, shipment_events.id desc
    limit 2000`.execute(context.db)
  return rows
}

export async function findClaimsOfOrder(context: ShopContext, orderId: string): Promise<OrderClaim[]> {
  const { rows } = await sql<OrderClaim>`
    select id, shipment_id, kind, reason, status, created_at, updated_at from claims
    where shop_id = ${context.shop.id} and order_id = ${orderId} and deleted_at is null
    order by created_at, id
    limit 200`.execute(context.db)
  return rows
}
