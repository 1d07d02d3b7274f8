import { sql } from 'kysely'
import { automationsReceiver } from '../delivery/queue/delivery.ts'
import { receiverKey } from '../delivery/queue/queue-store.ts'
import type { Context } from '../platform/foundation/context.ts'

/** An event in the queue of a shop's automations. */
export interface QueuedEvent {
  deliveryId: string
  notificationId: string
  ref: string
  body: string
  triggeredAt: Date
  /** The automations whose actions led to it, in order. */
  causedBy: string[]
}

/**
 * Lets the transaction commit without waiting for the disk. Safe for one that only moves events out of the queue: a crash
 * undoes it as a whole, and everything that builds on it is written after it.
 */
export async function commitAsynchronously(context: Context): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(context.db)
}

/** Locks queued events of a shop. Other nodes skip them, and get them if this process dies. */
export async function lockQueuedEvents(context: Context, shopId: string, limit: number): Promise<QueuedEvent[]> {
  const { rows } = await sql<QueuedEvent>`
    select deliveries.id as "deliveryId", notifications.id as "notificationId", notifications.ref, notifications.body,
      notifications.triggered_at as "triggeredAt", notifications.caused_by as "causedBy"
    from deliveries
    join notifications on notifications.shop_id = deliveries.shop_id and notifications.id = deliveries.notification_id
    where ${receiverKey('deliveries')} = ${shopId}::text || ${automationsReceiver}::text
      and deliveries.finished_at is null
      and (deliveries.next_attempt_at <= ${context.now} or deliveries.reserved_due_at <= ${context.now})
      and not exists (select 1 from shops where shops.id = deliveries.shop_id and shops.paused_at is not null)
    order by deliveries.next_attempt_at, deliveries.id
    limit ${sql.lit(limit)}
    for update of deliveries skip locked`.execute(context.db)
  return rows
}

/** Removes evaluated events from the queue. What followed from them is in the log of runs. */
export async function removeQueuedEvents(context: Context, shopId: string, events: QueuedEvent[]): Promise<void> {
  await context.db
    .deleteFrom('deliveries')
    .where('shop_id', '=', shopId)
    .where('id', '=', sql<string>`any(${events.map(({ deliveryId }) => deliveryId)}::uuid[])`)
    .execute()
}

/** An event that was published before, for dry runs. */
export interface PublishedEvent extends Omit<QueuedEvent, 'deliveryId'> {
  shipmentId: string | null
  orderId: string | null
}

/** Published events of a shop in a range of ids, newest first. */
export async function listPublishedEvents(
  context: Context,
  shopId: string,
  range: { afterId: string; beforeId: string | undefined; limit: number },
): Promise<PublishedEvent[]> {
  const { rows } = await sql<PublishedEvent>`
    select id as "notificationId", ref, body, triggered_at as "triggeredAt", caused_by as "causedBy",
      shipment_id as "shipmentId", order_id as "orderId"
    from notifications
    where shop_id = ${shopId} and id > ${range.afterId}
      and id < ${range.beforeId ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'}
    order by id desc
    limit ${sql.lit(range.limit)}`.execute(context.db)
  return rows
}
