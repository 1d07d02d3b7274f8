import { sql } from 'kysely'
import { automationsTarget } from '../../deliveries/delivery.ts'
import { receiverKey } from '../../deliveries/queue-store.ts'
import type { Context } from '../../foundation/context.ts'

/** An event that a shop's automations are to look at. */
export interface AwaitedEvent {
  deliveryId: string
  notificationId: string
  ref: string
  body: string
  triggeredAt: Date
  /** The automations whose actions led to it, first one first. */
  causedBy: string[]
}

/**
 * Lets the transaction end without waiting for the disk. For one that only takes over from the queue what can be taken
 * over again: a crash undoes it as a whole, and whatever builds on it is written behind it.
 */
export async function commitWithoutWaiting(context: Context): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(context.db)
}

/** Events that wait for a shop's automations, locked: another node takes others, and takes these if this one dies. */
export async function lockAwaitedEvents(context: Context, shopId: string, limit: number): Promise<AwaitedEvent[]> {
  const { rows } = await sql<AwaitedEvent>`
    select deliveries.id as "deliveryId", notifications.id as "notificationId", notifications.ref, notifications.body,
      notifications.triggered_at as "triggeredAt", notifications.caused_by as "causedBy"
    from deliveries
    join notifications on notifications.shop_id = deliveries.shop_id and notifications.id = deliveries.notification_id
    where ${receiverKey('deliveries')} = ${shopId}::text || ${automationsTarget}::text
      and deliveries.finished_at is null and deliveries.next_attempt_at <= ${context.now}
    order by deliveries.next_attempt_at, deliveries.id
    limit ${sql.lit(limit)}
    for update of deliveries skip locked`.execute(context.db)
  return rows
}

/** Takes events that were looked at out of the queue. What followed from them is in the log of runs. */
export async function removeAwaitedEvents(context: Context, shopId: string, events: AwaitedEvent[]): Promise<void> {
  await context.db
    .deleteFrom('deliveries')
    .where('shop_id', '=', shopId)
    .where('id', '=', sql<string>`any(${events.map(({ deliveryId }) => deliveryId)}::uuid[])`)
    .execute()
}

/** An event as it was told, for whoever asks what would have followed from it. */
export interface PastEvent extends Omit<AwaitedEvent, 'deliveryId'> {
  shipmentId: string | null
  orderId: string | null
}

/** What was told of a shop's orders since then, newest first, from before the given one on. */
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
