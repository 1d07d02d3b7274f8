import { type RawBuilder, sql } from 'kysely'
import { automationsReceiver } from '../delivery/queue/delivery.ts'
import type { ShopContext } from '../platform/foundation/context.ts'

/** The notifications about an order that are not erased, oldest first, starting after the given one. */
export async function listUnerasedNotifications(
  context: ShopContext,
  orderId: string,
  afterId: string,
  limit: number,
): Promise<{ id: string; body: string }[]> {
  const { rows } = await sql<{ id: string; body: string }>`
    select id, body from notifications
    where shop_id = ${context.shop.id} and order_id = ${orderId} and id > ${afterId}
      and body not like '%"erased":true}'
    order by id
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

export async function replaceBodies(
  context: ShopContext,
  notifications: { id: string; body: string }[],
): Promise<void> {
  await sql`
    update notifications set body = given.body
    from json_to_recordset(${JSON.stringify(notifications)}::json) as given (id uuid, body text)
    where notifications.shop_id = ${context.shop.id} and notifications.id = given.id`.execute(context.db)
}

/** Removes notifications from the queue of the automations, and cancels pending runs. Returns how many runs. */
export async function cancelAutomations(context: ShopContext, orderIds: string[], reason: string): Promise<number> {
  // The queue first: this waits for an event that is being evaluated, and its runs are cancelled below.
  await sql`
    delete from deliveries using notifications
    where ${belongToOrders(context, orderIds)} and deliveries.shop_id = notifications.shop_id
      and deliveries.notification_id = notifications.id and deliveries.target = ${automationsReceiver}
      and deliveries.status = 'pending'`.execute(context.db)
  const { rows } = await sql<{ id: string }>`
    update automation_runs set status = 'cancelled', reason = ${reason}, finished_at = ${context.now}
    from notifications
    where ${belongToOrders(context, orderIds)} and automation_runs.shop_id = notifications.shop_id
      and automation_runs.notification_id = notifications.id and automation_runs.status = 'pending'
    returning automation_runs.id`.execute(context.db)
  return rows.length
}

/**
 * Skips pending deliveries to integrations, which cannot use an event without a customer. Pending webhooks keep their
 * position in the queue. The worker of an attempt in flight cannot reopen a skipped delivery.
 */
export async function cancelDeliveries(
  context: ShopContext,
  orderIds: string[],
  integrations: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set status = 'skipped', finished_at = ${context.now}
    from notifications
    where ${belongToOrders(context, orderIds)} and deliveries.shop_id = notifications.shop_id
      and deliveries.notification_id = notifications.id and deliveries.status = 'pending'
      and deliveries.target = any(${integrations}::text[])
    returning deliveries.id`.execute(context.db)
  return rows.length
}

/**
 * Removes the responses of receivers, and errors that quote the customer. `is_erased` keeps an attempt in flight from
 * recording either.
 */
export async function eraseReceiverResponses(context: ShopContext, orderIds: string[], pattern: string): Promise<void> {
  await sql`
    update deliveries set is_erased = true, attempt_log = coalesce((
      select jsonb_agg(entry || '{"answer": null}'
        || case when entry ->> 'error' ~* ${pattern} then '{"error": null}'::jsonb else '{}' end order by position)
      from jsonb_array_elements(attempt_log) with ordinality as attempts (entry, position)
    ), '[]')
    from notifications
    where ${belongToOrders(context, orderIds)} and deliveries.shop_id = notifications.shop_id
      and deliveries.notification_id = notifications.id`.execute(context.db)
}

function belongToOrders(context: ShopContext, orderIds: string[]): RawBuilder<boolean> {
  return sql`notifications.shop_id = ${context.shop.id} and notifications.order_id = any(${orderIds}::uuid[])`
}
