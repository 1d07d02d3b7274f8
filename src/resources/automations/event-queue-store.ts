import { sql } from 'kysely'
import { laneOf } from '../../deliveries/queue-store.ts'
import type { Context } from '../../foundation/context.ts'
import { automationsTarget } from '../../notifications/store.ts'

/** An event that is queued for a shop's automations. */
export interface AwaitedEvent {
  deliveryId: string
  notificationId: string
  ref: string
  body: string
  triggeredAt: Date
  /** The chain of automations that led to it, oldest first. */
  causedBy: string[]
}

/**
 * Commits without waiting for the disk. Only for a transaction that can be repeated from the queue: a crash undoes it
 * as a whole, and everything that depends on it is written after it.
 */
export async function commitWithoutWaiting(context: Context): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(context.db)
}

/** Queued events of a shop, locked: other nodes skip them, and claim them if this process dies. */
export async function lockAwaitedEvents(context: Context, shopId: string, limit: number): Promise<AwaitedEvent[]> {
  const { rows } = await sql<AwaitedEvent>`
    select deliveries.id as "deliveryId", notifications.id as "notificationId", notifications.ref, notifications.body,
      notifications.triggered_at as "triggeredAt", notifications.caused_by as "causedBy"
    from deliveries
    join notifications on notifications.shop_id = deliveries.shop_id and notifications.id = deliveries.notification_id
    where ${laneOf('deliveries')} = ${shopId}::text || ${automationsTarget}::text
      and deliveries.finished_at is null and deliveries.next_attempt_at <= ${context.now}
    order by deliveries.next_attempt_at, deliveries.id
    limit ${sql.lit(limit)}
    for update of deliveries skip locked`.execute(context.db)
  return rows
}

/** Removes evaluated events from the queue; the runs are the log. */
export async function removeAwaitedEvents(context: Context, shopId: string, events: AwaitedEvent[]): Promise<void> {
  await context.db
    .deleteFrom('deliveries')
    .where('shop_id', '=', shopId)
    .where('id', '=', sql<string>`any(${events.map(({ deliveryId }) => deliveryId)}::uuid[])`)
    .execute()
}

/** An additional receiver of an existing notification. */
export interface AddedDelivery {
  shopId: string
  id: string
  notificationId: string
  /** The name of an integration, or a URL. */
  target: string
  /** Null: the notification's own. */
  eventGroup: string | null
}

/** Queues existing notifications for additional receivers. */
export async function addDeliveries(context: Context, deliveries: AddedDelivery[]): Promise<void> {
  const rows = deliveries.map(({ shopId, id, notificationId, target, eventGroup }) => ({
    shop_id: shopId,
    id,
    notification_id: notificationId,
    target,
    event_group: eventGroup,
  }))
  await sql`
    insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status,
      next_attempt_at, created_at)
    select given.shop_id, given.id, given.notification_id, given.target, notifications.shipment_id,
      notifications.event_name, coalesce(given.event_group, notifications.event_group), 'pending', ${context.now}, ${context.now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (shop_id uuid, id uuid, notification_id uuid, target text, event_group text)
    join notifications on notifications.shop_id = given.shop_id and notifications.id = given.notification_id`.execute(
    context.db,
  )
}

/** A past notification, for a dry run. */
export interface PastEvent extends Omit<AwaitedEvent, 'deliveryId'> {
  shipmentId: string | null
  orderId: string | null
}

/** A shop's notifications about orders since then, newest first, starting before the given one. */
export async function listPastEvents(
  context: Context,
  shopId: string,
  range: { afterId: string; beforeId: string | undefined; limit: number },
): Promise<PastEvent[]> {
  const { rows } = await sql<PastEvent>`
    select id as "notificationId", ref, body, triggered_at as "triggeredAt", caused_by as "causedBy",
      shipment_id as "shipmentId", order_id as "orderId"
    from notifications
    where shop_id = ${shopId} and id > ${range.afterId}
      and id < ${range.beforeId ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'}
    order by id desc
    limit ${sql.lit(range.limit)}`.execute(context.db)
  return rows
}
