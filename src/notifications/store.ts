import { sql } from 'kysely'
import type { Context } from '../foundation/operation.ts'

export const wakeChannel = 'doorstep_deliveries'

/** The receiver that stands for all automations of a shop. */
export const automationsTarget = 'automations'

/** Whether a receiver is an address that an automation names, and not an endpoint or an integration. */
export function isAddress(target: string): boolean {
  return target.includes('://')
}

/** An event that may have to be told, and what decides to whom. */
export interface Candidate {
  shopId: string
  /** The filters of endpoints that it passes. */
  filters: string[]
  eventGroup: string
  /** Told to integrations under further groups too, such as every event of the phase delivered. */
  deliveredGroup: string | null
  shipmentId: string
  eventTime: Date
  now: Date
}

export interface Target {
  /** The candidate's position. */
  n: number
  target: string
  eventGroup: string
  /** An integration is told of a group once for a shipment; an endpoint, and who wants every delivery, each time. */
  isToldOnce: boolean
}

/**
 * Who is to be told of which event: active endpoints whose filters it passes, integrations that are switched on, and
 * the shop's automations where it passes the filters of one.
 */
export async function findTargets(context: Context, candidates: Candidate[]): Promise<Target[]> {
  const rows = candidates.map((candidate, n) => ({
    n,
    shop_id: candidate.shopId,
    filters: candidate.filters,
    event_group: candidate.eventGroup,
    delivered_group: candidate.deliveredGroup,
    event_time: candidate.eventTime,
    now: candidate.now,
  }))
  const { rows: targets } = await sql<Target>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (n int, shop_id uuid, filters text[], event_group text, delivered_group text, event_time timestamptz, now timestamptz)
    ), switched as materialized (
      select given.*, trigger_settings.integration, trigger_settings.trigger_delivered_all_events as tells_all
      from given
      join trigger_settings using (shop_id)
      -- What arrives too late is stored and not told.
      where trigger_settings.status
        and given.event_time >= given.now - make_interval(hours => trigger_settings.stale_event_threshold)
    )
    select n, webhook_endpoints.id::text as target, event_group as "eventGroup", false as "isToldOnce"
    from switched
    join webhook_endpoints using (shop_id)
    where switched.integration = 'webhook' and webhook_endpoints.status = 'active'
      and webhook_endpoints.enabled_events && switched.filters
    union all
    select n, integration, event_group, true from switched where integration <> 'webhook'
    union all
    select n, integration, delivered_group, false from switched
    where integration <> 'webhook' and delivered_group is not null and tells_all
    union all
    -- Together they are one receiver, however many there are; none of them finds an event too old.
    select n, ${automationsTarget}::text, event_group, false
    from given
    cross join lateral (
      select 1 from automation_filters
      where automation_filters.shop_id = given.shop_id and automation_filters.filter = any(given.filters)
      limit 1
    ) as listening`.execute(context.db)
  return targets
}

export interface NewNotification {
  shopId: string
  id: string
  source: string
  ref: string
  eventName: string
  eventGroup: string
  shipmentId: string | null
  orderId: string | null
  body: string
  triggeredAt: Date
  /** The automations whose actions led to it. */
  causedBy: readonly string[]
  targets: { deliveryId: string; target: string; isToldOnce: boolean; eventGroup: string }[]
}

/** A target that has something to do. */
export interface WokenTarget {
  shopId: string
  target: string
}

/**
 * Writes notifications with a delivery for each receiver. An integration that was told of the group before is left out;
 * a notification without receivers is not kept.
 */
export async function insertNotifications(context: Context, notifications: NewNotification[]): Promise<WokenTarget[]> {
  const rows = notifications.map((notification) => ({
    shop_id: notification.shopId,
    id: notification.id,
    source: notification.source,
    ref: notification.ref,
    event_name: notification.eventName,
    event_group: notification.eventGroup,
    shipment_id: notification.shipmentId,
    order_id: notification.orderId,
    body: notification.body,
    triggered_at: notification.triggeredAt,
    caused_by: notification.causedBy,
  }))
  const targets = notifications.flatMap((notification) =>
    notification.targets.map((target) => ({
      shop_id: notification.shopId,
      notification_id: notification.id,
      id: target.deliveryId,
      target: target.target,
      is_told_once: target.isToldOnce,
      event_group: target.eventGroup,
    })),
  )
  const { rows: woken } = await sql<WokenTarget>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, id uuid, source text, ref text, event_name text, event_group text, shipment_id uuid,
         order_id uuid, body text, triggered_at timestamptz, caused_by uuid[])
    ), wanted as materialized (
      select * from json_to_recordset(${JSON.stringify(targets)}::json) as wanted
        (shop_id uuid, notification_id uuid, id uuid, target text, is_told_once boolean, event_group text)
    ), first_told as (
      insert into notified_groups (shop_id, shipment_id, integration, event_group, notification_id)
      select wanted.shop_id, given.shipment_id, wanted.target, wanted.event_group, wanted.notification_id
      from wanted
      join given on given.shop_id = wanted.shop_id and given.id = wanted.notification_id
      where wanted.is_told_once and given.shipment_id is not null
      order by wanted.shop_id, given.shipment_id, wanted.target, wanted.event_group, wanted.notification_id
      on conflict do nothing
      returning shop_id, integration, event_group, notification_id
    ), told as materialized (
      select wanted.* from wanted
      left join given on given.shop_id = wanted.shop_id and given.id = wanted.notification_id
      left join first_told on first_told.shop_id = wanted.shop_id and first_told.integration = wanted.target
        and first_told.event_group = wanted.event_group and first_told.notification_id = wanted.notification_id
      where not wanted.is_told_once or given.shipment_id is null or first_told.integration is not null
    ), kept as (
      insert into notifications (shop_id, id, source, ref, event_name, event_group, shipment_id, order_id, body,
        triggered_at, caused_by)
      select shop_id, id, source, ref, event_name, event_group, shipment_id, order_id, body, triggered_at, caused_by
      from given
      where exists (select 1 from told where told.shop_id = given.shop_id and told.notification_id = given.id)
    ), queued as (
      insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status,
        next_attempt_at, created_at)
      select told.shop_id, told.id, told.notification_id, told.target, given.shipment_id, given.event_name,
        told.event_group, 'pending',
        given.triggered_at, given.triggered_at
      from told
      join given on given.shop_id = told.shop_id and given.id = told.notification_id
      returning shop_id, target
    )
    select distinct shop_id as "shopId", target from queued`.execute(context.db)
  return woken
}

/** Tells the workers of all nodes, when the transaction is committed. */
export async function notifyWorkers(context: Context, woken: WokenTarget[]): Promise<void> {
  const targets = JSON.stringify(woken)
  // A notification holds 8,000 bytes: many targets at once are found by a look at the queue instead.
  const payload = Buffer.byteLength(targets) < 7_900 ? targets : '[]'
  await sql`select pg_notify(${wakeChannel}, ${payload})`.execute(context.db)
}
