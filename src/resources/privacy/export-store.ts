import { sql } from 'kysely'
import { automationsTarget } from '../../deliveries/delivery.ts'
import type { StoredAttempt } from '../../deliveries/log-store.ts'
import type { ShopContext } from '../../foundation/context.ts'

/** A notification with what became of it; times inside are ISO 8601 text. */
export interface StoredTold {
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

/** What was told of these orders, so many of each, the newest first. */
export async function findToldOf(context: ShopContext, orderIds: string[], limit: number): Promise<StoredTold[]> {
  const { rows } = await sql<StoredTold>`
    select told.order_id, told.id, told.ref, told.event_group, told.triggered_at, told.body,
      (
        select coalesce(json_agg(json_build_object('id', id, 'target', target, 'status', status,
          'created_at', created_at, 'finished_at', finished_at, 'attempts', attempt_log) order by id), '[]')
        from deliveries
        where deliveries.shop_id = told.shop_id and deliveries.notification_id = told.id
          and deliveries.target <> ${automationsTarget}
      ) as deliveries,
      (
        select coalesce(json_agg(json_build_object('id', runs.id, 'automation_id', runs.automation_id,
          'name', automations.name, 'status', runs.status, 'triggered_at', runs.triggered_at,
          'finished_at', runs.finished_at) order by runs.id), '[]')
        from automation_runs as runs
        join automations on automations.shop_id = runs.shop_id and automations.id = runs.automation_id
        where runs.shop_id = told.shop_id and runs.notification_id = told.id
      ) as runs
    from unnest(${orderIds}::uuid[]) as given (order_id)
    cross join lateral (
      select * from notifications
      where notifications.shop_id = ${context.shop.id} and notifications.order_id = given.order_id
      order by notifications.id desc
      limit ${sql.lit(limit)}
    ) as told
    order by told.order_id, told.id desc`.execute(context.db)
  return rows
}

export interface StoredSnapshot {
  system: string
  external_id: string
  changed_at: Date | null
  cancelled_at: Date | null
  deleted_at: Date | null
  fulfilments: Record<string, unknown>
}

export async function findSnapshotsOf(
  context: ShopContext,
  externalIds: string[],
  systems: readonly string[],
): Promise<StoredSnapshot[]> {
  const { rows } = await sql<StoredSnapshot>`
    select system, external_id, changed_at, cancelled_at, deleted_at, fulfilments from shop_system_orders
    where shop_id = ${context.shop.id} and system = any(${systems}::text[]) and external_id = any(${externalIds}::text[])
    order by system, external_id`.execute(context.db)
  return rows
}
