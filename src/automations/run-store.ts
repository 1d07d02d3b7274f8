import { sql } from 'kysely'
import type { Subject } from '../delivery/log/store.ts'
import type { Context, ShopContext } from '../platform/foundation/context.ts'
import { cutPage, offsetOf, type Page, type PageRequest } from '../platform/foundation/page.ts'
import { countUpTo } from '../platform/store/count.ts'
import type { Action } from './schema.ts'

/** The outcome of an executed action. */
export interface ActionOutcome {
  status: 'done' | 'skipped'
  detail: string | null
  /** The delivery of an action that sends; its progress is in the delivery log. */
  deliveryId: string | null
  claimIds: string[]
}

export interface NewRun {
  shopId: string
  id: string
  automationId: string
  notificationId: string
  /** The reason to prevent the run; null if there is none. */
  prevented: string | null
  actions: Action[]
  triggeredAt: Date
  dueAt: Date
  now: Date
}

/** Inserts runs. An event runs an automation once: duplicates are ignored. */
export async function insertRuns(context: Context, runs: NewRun[]): Promise<void> {
  const rows = runs.map((run) => ({
    shop_id: run.shopId,
    id: run.id,
    automation_id: run.automationId,
    notification_id: run.notificationId,
    status: run.prevented === null ? 'pending' : 'prevented',
    reason: run.prevented,
    actions: run.actions,
    triggered_at: run.triggeredAt,
    due_at: run.dueAt,
    finished_at: run.prevented === null ? null : run.now,
  }))
  await sql`
    insert into automation_runs (shop_id, id, automation_id, notification_id, status, reason, actions, outcomes,
      triggered_at, due_at, finished_at)
    select shop_id, id, automation_id, notification_id, status, reason, actions, '[]', triggered_at, due_at, finished_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (shop_id uuid, id uuid, automation_id uuid, notification_id uuid, status text, reason text, actions jsonb,
       triggered_at timestamptz, due_at timestamptz, finished_at timestamptz)
    on conflict do nothing`.execute(context.db)
}

/** A run that is due, with the fields of its event that actions need. */
export interface DueRun {
  shopId: string
  id: string
  automationId: string
  notificationId: string
  actions: Action[]
  attempts: number
  /** False if the automation was switched off, or it or its shop was deleted, after the run was inserted. */
  isActive: boolean
  isDeleted: boolean
  shipmentId: string | null
  orderId: string | null
  /** Set if the event is about a claim. */
  claimId: string | null
  causedBy: string[]
}

/**
 * Locks due runs until the transaction ends; other nodes skip them. A run is executed in the same transaction and so needs
 * no lease: if the process dies, everything is rolled back and the run is still due.
 */
export async function lockDueRuns(context: Context, limit: number, only?: DueRun): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    with due as materialized (
      select shop_id, id from automation_runs
      where status = 'pending' and due_at <= ${context.now}
        and not exists (select 1 from shops where shops.id = automation_runs.shop_id and shops.paused_at is not null)
        and ${only === undefined ? sql`true` : sql`shop_id = ${only.shopId} and id = ${only.id}`}
      order by due_at
      limit ${sql.lit(limit)}
      for update skip locked
    )
    select runs.shop_id as "shopId", runs.id, runs.automation_id as "automationId",
      runs.notification_id as "notificationId", runs.actions, runs.attempts,
      automations.enabled and automations.deleted_at is null and shops.deleted_at is null as "isActive",
      automations.deleted_at is not null or shops.deleted_at is not null as "isDeleted",
      notifications.shipment_id as "shipmentId", notifications.order_id as "orderId",
      notifications.caused_by as "causedBy",
      case when notifications.source = 'claims' then notifications.body::json #>> '{event_data,claim_id}' end as "claimId"
    from due
    join automation_runs as runs on runs.shop_id = due.shop_id and runs.id = due.id
    join automations on automations.shop_id = runs.shop_id and automations.id = runs.automation_id
    join shops on shops.id = runs.shop_id
    join notifications on notifications.shop_id = runs.shop_id and notifications.id = runs.notification_id
    order by runs.due_at, runs.id`.execute(context.db)
  return rows
}

export interface FinishedRun {
  shopId: string
  id: string
  status: 'done' | 'cancelled'
  reason: string | null
  outcomes: ActionOutcome[]
}

export async function finishRuns(context: Context, runs: FinishedRun[]): Promise<void> {
  const rows = runs.map(({ shopId, ...run }) => ({ shop_id: shopId, ...run }))
  await sql`
    update automation_runs as runs set status = given.status, reason = given.reason, outcomes = given.outcomes,
      attempts = runs.attempts + 1, finished_at = ${context.now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (shop_id uuid, id uuid, status text, reason text, outcomes jsonb)
    where runs.shop_id = given.shop_id and runs.id = given.id`.execute(context.db)
}

/** Records that executing a run failed. It is due again at `dueAt`, or has failed permanently if that is undefined. */
export async function postponeRun(
  context: Context,
  run: DueRun,
  dueAt: Date | undefined,
  reason: string,
): Promise<void> {
  await context.db
    .updateTable('automation_runs')
    .set({
      attempts: run.attempts + 1,
      reason,
      ...(dueAt === undefined ? { status: 'failed', finished_at: context.now } : { due_at: dueAt }),
    })
    .where('shop_id', '=', run.shopId)
    .where('id', '=', run.id)
    .where('status', '=', 'pending')
    .execute()
}

/** A run as the API presents it. */
export interface StoredRun {
  id: string
  automation_id: string
  automation_name: string
  notification_id: string
  ref: string
  shipment_id: string | null
  order_id: string | null
  order_number: string | null
  caused_by: string[]
  status: string
  reason: string | null
  actions: Action[]
  outcomes: ActionOutcome[]
  triggered_at: Date
  due_at: Date
  finished_at: Date | null
}

const runColumns = sql`
  runs.id, runs.automation_id, automations.name as automation_name, runs.notification_id, notifications.ref,
  notifications.shipment_id, notifications.order_id, orders.order_number, notifications.caused_by, runs.status, runs.reason, runs.actions,
  runs.outcomes, runs.triggered_at, runs.due_at, runs.finished_at`

const joinEvent = sql`
  join automations on automations.shop_id = runs.shop_id and automations.id = runs.automation_id
  join notifications on notifications.shop_id = runs.shop_id and notifications.id = runs.notification_id
  left join orders on orders.shop_id = notifications.shop_id and orders.id = notifications.order_id`

/** One page of an automation's runs, newest first. */
export async function listRuns(
  context: ShopContext,
  automationId: string,
  request: PageRequest,
): Promise<Page<StoredRun>> {
  const rest = sql`from automation_runs where shop_id = ${context.shop.id} and automation_id = ${automationId}`
  const { rows } = await sql<StoredRun>`
    select ${runColumns}
    from (select * ${rest} order by id desc limit ${request.perPage + 1} offset ${offsetOf(request)}) as runs
    ${joinEvent}
    order by runs.id desc`.execute(context.db)
  return cutPage(request, rows, () => countUpTo(context, `automation runs ${context.shop.id} ${automationId}`, rest))
}

/** The runs that events of a shipment or an order triggered, oldest first. */
export async function findRunsAbout(context: ShopContext, { column, id }: Subject): Promise<StoredRun[]> {
  const { rows } = await sql<StoredRun>`
    select ${runColumns}
    from automation_runs as runs
    ${joinEvent}
    where notifications.shop_id = ${context.shop.id} and ${sql.ref(`notifications.${column}`)} = ${id}
    order by runs.id
    limit 2000`.execute(context.db)
  return rows
}

/** The status of the deliveries of these runs, by delivery id. */
export async function findDeliveryStatuses(context: ShopContext, runs: StoredRun[]): Promise<Map<string, string>> {
  const ids = runs.flatMap(({ outcomes }) => outcomes.flatMap(({ deliveryId }) => deliveryId ?? []))
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from deliveries where shop_id = ${context.shop.id} and id = any(${ids}::uuid[])`.execute(
    context.db,
  )
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** The claims about a shipment that are not deleted, oldest first. */
export async function findClaimIdsOfShipment(context: Context, shopId: string, shipmentId: string): Promise<string[]> {
  const rows = await context.db
    .selectFrom('claims')
    .where('shop_id', '=', shopId)
    .where('shipment_id', '=', shipmentId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function hasShipment(context: Context, shopId: string, shipmentId: string): Promise<boolean> {
  const row = await context.db
    .selectFrom('shipments')
    .where('shop_id', '=', shopId)
    .where('id', '=', shipmentId)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}
