import { sql } from 'kysely'
import type { ShopContext } from '../../foundation/context.ts'

export interface TimelineEvent {
  event_key: string
  event_time: Date
  recorded_at: Date
  source: string
  is_notified: boolean
  direction: string
}

/** The events of a shipment in the order they were recorded; undefined if the shop has no such shipment. */
export async function findTimelineEvents(
  context: ShopContext,
  shipmentId: string,
): Promise<TimelineEvent[] | undefined> {
  const { rows } = await sql<TimelineEvent & { event_key: string | null }>`
    select shipment_events.event_key, event_time, recorded_at, source, is_notified, shipments.direction
    from shipments
    left join shipment_events on shipment_events.shop_id = shipments.shop_id and shipment_events.shipment_id = shipments.id
    where shipments.shop_id = ${context.shop.id} and shipments.id = ${shipmentId}
    order by recorded_at, shipment_events.id`.execute(context.db)
  if (rows.length === 0) return undefined
  return rows.filter((row) => row.event_key !== null)
}

export interface TimelineNotification {
  id: string
  ref: string
  event_name: string
  event_group: string
  triggered_at: Date
}

/** The notifications about a shipment, oldest first. Limited, because an internal trigger could fire every minute. */
export async function findTimelineNotifications(
  context: ShopContext,
  shipmentId: string,
): Promise<TimelineNotification[]> {
  const { rows } = await sql<TimelineNotification>`
    select id, ref, event_name, event_group, triggered_at from notifications
    where shop_id = ${context.shop.id} and shipment_id = ${shipmentId}
    order by id
    limit 1000`.execute(context.db)
  return rows
}
