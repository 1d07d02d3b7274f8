import { type RawBuilder, sql } from 'kysely'
import type { Endpoint, TakenDelivery, WokenTarget } from '../deliveries/delivery.ts'
import { endpointOf, isHeldBack } from '../deliveries/queue-store.ts'
import type { Context } from '../foundation/context.ts'

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
  /** An integration is told of a group once for what this names; null: an endpoint, and who wants every delivery, each time. */
  oncePer: ShipmentGroupKey | null
}

/** What "once per shipment" counts by, a setting of each integration. */
export type ShipmentGroupKey = 'shipment_id' | 'tracking_number' | 'external_shipment_id'

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
      select given.*, trigger_settings.integration, trigger_settings.trigger_delivered_all_events as tells_all,
        coalesce(trigger_settings.extra ->> 'shipment_group_key', 'shipment_id') as group_key
      from given
      join trigger_settings using (shop_id)
      -- What arrives too late is stored and not told.
      where trigger_settings.status
        and given.event_time >= given.now - make_interval(hours => trigger_settings.stale_event_threshold)
    )
    select n, webhook_endpoints.id::text as target, event_group as "eventGroup", null as "oncePer"
    from switched
    join webhook_endpoints using (shop_id)
    where switched.integration = 'webhook' and webhook_endpoints.status = 'active'
      and webhook_endpoints.enabled_events && switched.filters
    union all
    select n, integration, event_group, group_key from switched where integration <> 'webhook'
    union all
    select n, integration, delivered_group, null from switched
    where integration <> 'webhook' and delivered_group is not null and tells_all
    union all
    -- Together they are one receiver, however many there are; none of them finds an event too old.
    select n, ${automationsTarget}::text, event_group, null
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
  targets: NotificationTarget[]
}

export interface NotificationTarget {
  deliveryId: string
  target: string
  eventGroup: string
  /** What the integration is told of this group once for: a shipment, or all with its number; null: told each time. */
  onceKey: string | null
}

/** What became of notifications: which receivers have something waiting, and what this process was given at once. */
export interface Queued {
  woken: WokenTarget[]
  taken: TakenDelivery[]
}

/**
 * Writes notifications with a delivery for each receiver. An integration that was told of the group before is left out;
 * a notification without receivers is not kept. What the workers of this process have room for is taken in their name as
 * it is written, unless its shipment has an earlier one to wait for: nobody has to look for it, and a worker that dies has
 * only a lease. Of everything else the workers of all nodes hear when the transaction is committed.
 */
export async function insertNotifications(
  context: Context,
  notifications: NewNotification[],
  leaseUntil: Date,
): Promise<Queued> {
  const bodies = joinTexts(notifications.map(({ body }) => body))
  const rows = notifications.map((notification, n) => ({
    at: bodies.places[n]?.at,
    length: bodies.places[n]?.length,
    shop_id: notification.shopId,
    id: notification.id,
    source: notification.source,
    ref: notification.ref,
    event_name: notification.eventName,
    event_group: notification.eventGroup,
    shipment_id: notification.shipmentId,
    order_id: notification.orderId,
    triggered_at: notification.triggeredAt,
    caused_by: notification.causedBy,
  }))
  const offered = offer(context, notifications)
  const targets = notifications.flatMap((notification) =>
    notification.targets.map((target) => ({
      shop_id: notification.shopId,
      notification_id: notification.id,
      shipment_id: notification.shipmentId,
      id: target.deliveryId,
      target: target.target,
      is_told_once: target.onceKey !== null,
      once_key: target.onceKey,
      is_offered: offered.has(target.deliveryId),
      event_group: target.eventGroup,
    })),
  )
  const { rows: queued } = await sql<QueuedForTarget>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, id uuid, source text, ref text, event_name text, event_group text, shipment_id uuid,
         order_id uuid, at int, length int, triggered_at timestamptz, caused_by uuid[])
    ), wanted as materialized (
      select * from json_to_recordset(${JSON.stringify(targets)}::json) as wanted
        (shop_id uuid, notification_id uuid, shipment_id uuid, id uuid, target text, is_told_once boolean,
         once_key uuid, is_offered boolean, event_group text)
    ), first_told as (
      insert into notified_groups (shop_id, shipment_id, integration, event_group, notification_id)
      select shop_id, once_key, target, event_group, notification_id
      from wanted
      where is_told_once
      order by shop_id, once_key, target, event_group, notification_id
      on conflict do nothing
      returning shop_id, integration, event_group, notification_id
    ), told as materialized (
      select wanted.*, wanted.is_offered and not ${isHeldBack('wanted', context.now)} as is_taken
      from wanted
      left join first_told on first_told.shop_id = wanted.shop_id and first_told.integration = wanted.target
        and first_told.event_group = wanted.event_group and first_told.notification_id = wanted.notification_id
      -- Asked of a boolean: of a key that is null the planner expects hardly any, and compares all with all.
      where not wanted.is_told_once or first_told.integration is not null
    ), kept as (
      insert into notifications (shop_id, id, source, ref, event_name, event_group, shipment_id, order_id, body,
        triggered_at, caused_by)
      select shop_id, id, source, ref, event_name, event_group, shipment_id, order_id,
        convert_from(substring(${bodies.bytes}::bytea from at for length), 'UTF8'), triggered_at, caused_by
      from given
      where exists (select 1 from told where told.shop_id = given.shop_id and told.notification_id = given.id)
    ), queued as (
      insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status,
        next_attempt_at, created_at)
      select told.shop_id, told.id, told.notification_id, told.target, told.shipment_id, given.event_name,
        told.event_group, 'pending', case when told.is_taken then ${leaseUntil} else given.triggered_at end, given.triggered_at
      from told
      join given on given.shop_id = told.shop_id and given.id = told.notification_id
      returning shop_id, target, id, next_attempt_at > created_at as is_taken
    ), by_target as materialized (
      select shop_id, target, array_agg(id::text) filter (where is_taken) as taken, bool_or(not is_taken) as waits
      from queued
      group by shop_id, target
    ), announced as materialized (
      select ${announcement(context, sql`all_woken.targets`)}
      from (
        select json_agg(json_build_object('shopId', shop_id, 'target', target))::text as targets from by_target where waits
      ) as all_woken
      where targets is not null
    )
    select by_target.shop_id as "shopId", by_target.target, by_target.taken, by_target.waits, endpoint.*
    from by_target
    left join lateral ${endpointOf('by_target')} as endpoint on by_target.taken is not null
    left join announced on true`.execute(context.db)
  return { woken: queued.filter(({ waits }) => waits), taken: takenOf(notifications, bodies.parts, queued) }
}

/** What became of the deliveries to one receiver. */
interface QueuedForTarget extends WokenTarget, Pick<Endpoint, 'secret' | 'formerSecret' | 'formerSecretUntil'> {
  taken: string[] | null
  /** Whether some were left in the queue. */
  waits: boolean
  /** Null where the receiver is no endpoint. */
  url: string | null
}

/** The deliveries that this process can begin at once: as many as a receiver's lane has room for, one of a shipment. */
function offer(context: Context, notifications: NewNotification[]): Set<string> {
  const { deliveries } = context.services
  const offered = new Set<string>()
  const lanes = new Map<string, { room: number; shipments: Set<string | null> }>()
  for (const { shopId, shipmentId, targets } of notifications) {
    for (const { deliveryId, target } of targets) {
      const key = `${shopId} ${target}`
      const lane = lanes.get(key) ?? { room: deliveries.roomFor(shopId, target), shipments: new Set() }
      lanes.set(key, lane)
      if (lane.room <= 0 || (shipmentId !== null && lane.shipments.has(shipmentId))) continue
      lane.room -= 1
      lane.shipments.add(shipmentId)
      offered.add(deliveryId)
    }
  }
  return offered
}

function takenOf(notifications: NewNotification[], bodies: Buffer[], queued: QueuedForTarget[]): TakenDelivery[] {
  const byId = new Map<string, { endpoint: Endpoint | null }>()
  for (const { taken, url, secret, formerSecret, formerSecretUntil } of queued) {
    // One for all of them, so that its secrets are opened once.
    const endpoint = url === null ? null : { url, secret, formerSecret, formerSecretUntil }
    for (const id of taken ?? []) byId.set(id, { endpoint })
  }
  if (byId.size === 0) return []
  return notifications.flatMap(({ shopId, id: notificationId, targets }, n) =>
    targets.flatMap(({ deliveryId, target, eventGroup }) => {
      const row = byId.get(deliveryId)
      const body = bodies[n]
      if (row === undefined || body === undefined) return []
      return [
        {
          shopId,
          id: deliveryId,
          target,
          notificationId,
          eventGroup,
          number: 1,
          numberOfSchedule: 1,
          body,
          endpoint: row.endpoint,
        },
      ]
    }),
  )
}

/**
 * Texts as one run of bytes, and where each lies in it. As values within the JSON of their rows they would be escaped here
 * and unescaped there, character by character: 0.6 ms for a payload of 6 KB, and 0.02 this way.
 */
function joinTexts(texts: string[]): { bytes: Buffer; parts: Buffer[]; places: { at: number; length: number }[] } {
  const parts = texts.map((text) => Buffer.from(text))
  let at = 1
  const places = parts.map(({ length }) => {
    const place = { at, length }
    at += length
    return place
  })
  return { bytes: Buffer.concat(parts), parts, places }
}

/** A notification holds no more: many targets at once are found by a look at the queue instead. */
const announcedBytes = 7_900

/** Tells the workers of all nodes, when the transaction is committed. */
export async function notifyWorkers(context: Context, woken: WokenTarget[]): Promise<void> {
  await sql`select ${announcement(context, sql`${JSON.stringify(woken)}::text`)}`.execute(context.db)
}

/** Says which node it is from, which knows already, and the targets as JSON; none where they are too many. */
function announcement(context: Context, targets: RawBuilder<unknown>): RawBuilder<unknown> {
  const from = sql`${`${context.services.deliveries.id} `}::text`
  return sql`pg_notify(${wakeChannel},
    ${from} || case when octet_length(${targets}) < ${sql.lit(announcedBytes)} then ${targets} else '[]' end)`
}

/** What an announcement says; undefined where it is from the node that reads it. */
export function readAnnouncement(id: string, payload: string): WokenTarget[] | undefined {
  const space = payload.indexOf(' ')
  if (payload.slice(0, space) === id) return undefined
  return JSON.parse(payload.slice(space + 1)) as WokenTarget[] // only announcements are on the channel
}
