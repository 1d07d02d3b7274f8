import { sql } from 'kysely'
import type { StoredAttempt } from '../delivery/log/store.ts'
import { automationsReceiver } from '../delivery/queue/delivery.ts'
import type { ShopContext } from '../platform/foundation/context.ts'

/** A notification with its deliveries and automation runs; nested times are ISO 8601 text. */
export interface StoredNotification {
  order_id: string
  id: string
  ref: string
  event_group: string
  triggered_at: Date
  body: string
  deliveries: {
    id: string
    target: string
    status: string
    created_at: string
    finished_at: string | null
    attempts: StoredAttempt[]
  }[]
  runs: {
    id: string
    automation_id: string
    name: string
    status: string
    triggered_at: string
    finished_at: string | null
  }[]
}

/** The newest notifications about these orders, at most `limit` per order. */
export async function findNotificationsOf(
  context: ShopContext,
  orderIds: string[],
  limit: number,
): Promise<StoredNotification[]> {
  const { rows } = await sql<StoredNotification>`
    select notification.order_id, notification.id, notification.ref, notification.event_group, notification.triggered_at, notification.body,
      (
        select coalesce(json_agg(json_build_object('id', id, 'target', target, 'status', status,
          'created_at', created_at, 'finished_at', finished_at, 'attempts', attempt_log) order by id), '[]')
        from deliveries
        where deliveries.shop_id = notification.shop_id and deliveries.notification_id = notification.id
          and deliveries.target <> ${automationsReceiver}
      ) as deliveries,
      (
        select coalesce(json_agg(json_build_object('id', runs.id, 'automation_id', runs.automation_id,
          'name', automations.name, 'status', runs.status, 'triggered_at', runs.triggered_at,
          'finished_at', runs.finished_at) order by runs.id), '[]')
        from automation_runs as runs
        join automations on automations.shop_id = runs.shop_id and automations.id = runs.automation_id
        where runs.shop_id = notification.shop_id and runs.notification_id = notification.id
      ) as runs
    from unnest(${orderIds}::uuid[]) as given (order_id)
    cross join lateral (
      select * from notifications
      where notifications.shop_id = ${context.shop.id} and notifications.order_id = given.order_id
      order by notifications.id desc
      limit ${sql.lit(limit)}
    ) as notification
    order by notification.order_id, notification.id desc`.execute(context.db)
  return rows
}

export interface StoredNote {
  order_id: string
  shipment_id: string | null
  text: string
  author: string
  created_at: Date
}

/** The newest notes about these orders, at most `limit` per order. */
export async function findNotesOf(context: ShopContext, orderIds: string[], limit: number): Promise<StoredNote[]> {
  const { rows } = await sql<StoredNote>`
    select note.* from unnest(${orderIds}::uuid[]) as given (order_id)
    cross join lateral (
      select order_id, shipment_id, text, author, created_at from notes
      where notes.shop_id = ${context.shop.id} and notes.order_id = given.order_id
      order by id desc
      limit ${sql.lit(limit)}
    ) as note`.execute(context.db)
  return rows
}

export interface StoredShopSystemOrder {
  system: string
  external_id: string
  changed_at: Date | null
  cancelled_at: Date | null
  deleted_at: Date | null
  fulfilments: Record<string, unknown>
}

export async function findShopSystemOrders(
  context: ShopContext,
  externalIds: string[],
  systems: readonly string[],
): Promise<StoredShopSystemOrder[]> {
  const { rows } = await sql<StoredShopSystemOrder>`
    select system, external_id, changed_at, cancelled_at, deleted_at, fulfilments from shop_system_orders
    where shop_id = ${context.shop.id} and system = any(${systems}::text[]) and external_id = any(${externalIds}::text[])
    order by system, external_id`.execute(context.db)
  return rows
}
