import { type RawBuilder, sql } from 'kysely'
import { automationsTarget } from '../../deliveries/delivery.ts'
import type { ShopContext } from '../../foundation/context.ts'

/** What was told of an order and is not erased, oldest first, from behind the given one on. */
export async function listTold(
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

export async function replaceBodies(context: ShopContext, told: { id: string; body: string }[]): Promise<void> {
  await sql`
    update notifications set body = given.body
    from json_to_recordset(${JSON.stringify(told)}::json) as given (id uuid, body text)
    where notifications.shop_id = ${context.shop.id} and notifications.id = given.id`.execute(context.db)
}

/** Takes back what has yet to follow from what was told: automations do not look at it, and those that wait do not run. */
export async function cancelAutomations(context: ShopContext, orderIds: string[], reason: string): Promise<number> {
  // First what waits for them: where one is looked at this moment, the runs that it makes are found below.
  await sql`
    delete from deliveries using notifications
    where ${areOf(context, orderIds)} and deliveries.shop_id = notifications.shop_id
      and deliveries.notification_id = notifications.id and deliveries.target = ${automationsTarget}
      and deliveries.status = 'pending'`.execute(context.db)
  const { rows } = await sql<{ id: string }>`
    update automation_runs set status = 'cancelled', reason = ${reason}, finished_at = ${context.now}
    from notifications
    where ${areOf(context, orderIds)} and automation_runs.shop_id = notifications.shop_id
      and automation_runs.notification_id = notifications.id and automation_runs.status = 'pending'
    returning automation_runs.id`.execute(context.db)
  return rows.length
}

/**
 * Ends what waits for integrations, which can do nothing with an event of nobody; what waits for webhooks stays in the
 * queue at its place. Where an attempt is under way, its worker cannot bring back what was ended.
 */
export async function cancelDeliveries(
  context: ShopContext,
  orderIds: string[],
  integrations: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set status = 'skipped', finished_at = ${context.now}
    from notifications
    where ${areOf(context, orderIds)} and deliveries.shop_id = notifications.shop_id
      and deliveries.notification_id = notifications.id and deliveries.status = 'pending'
      and deliveries.target = any(${integrations}::text[])
    returning deliveries.id`.execute(context.db)
  return rows.length
}

/**
 * Forgets what receivers answered, and errors that quote the customer. Of an attempt that is under way neither is noted
 * when it ends.
 */
export async function eraseAnswersOfReceivers(
  context: ShopContext,
  orderIds: string[],
  pattern: string,
): Promise<void> {
  await sql`
    update deliveries set is_erased = true, attempt_log = coalesce((
      select jsonb_agg(entry || '{"answer": null}'
        || case when entry ->> 'error' ~* ${pattern} then '{"error": null}'::jsonb else '{}' end order by place)
      from jsonb_array_elements(attempt_log) with ordinality as noted (entry, place)
    ), '[]')
    from notifications
    where ${areOf(context, orderIds)} and deliveries.shop_id = notifications.shop_id
      and deliveries.notification_id = notifications.id`.execute(context.db)
}

function areOf(context: ShopContext, orderIds: string[]): RawBuilder<boolean> {
  return sql`notifications.shop_id = ${context.shop.id} and notifications.order_id = any(${orderIds}::uuid[])`
}
