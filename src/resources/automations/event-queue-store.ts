import { sql } from 'kysely'
import { automationsTarget } from '../../deliveries/delivery.ts'
import { receiverKey } from '../../deliveries/queue-store.ts'
import type { Context } from '../../foundation/context.ts'

/** An event that waits for a shop's automations. */
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
 * Lets the transaction commit without waiting for the disk. Safe for one that only moves events out of the queue: a crash
 * undoes it as a whole, and everything that builds on it is written after it.
 */
export async function commitWithoutWaiting(context: Context): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(context.db)
}

/** Locks events that wait for a shop's automations: other nodes skip them, and get them if this one dies. */
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

/** Removes evaluated events from the queue. What followed from them is in the log of runs. */
export async function removeAwaitedEvents(context: Context, shopId: string, events: AwaitedEvent[]): Promise<void> {
  await context.db
    .deleteFrom('deliveries')
    .where('shop_id', '=', shopId)
    .where('id', '=', sql<string>`any(${events.map(({ deliveryId }) => deliveryId)}::uuid[])`)
    .execute()
}

/** A past event, for a dry run of an automation. */
export interface PastEvent extends Omit<AwaitedEvent, 'deliveryId'> {
  shipmentId: string | null
  orderId: string | null
}

/** Past events of a shop since then, newest first, starting before the given one. */
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
