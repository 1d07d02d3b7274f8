import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import type { Delivery, Endpoint, Receiver } from './delivery.ts'
import type { Notice } from './notice.ts'
import { type EndpointColumns, endpointOf, toEndpoint, waitsForEarlier } from './queue-store.ts'
import { announcement } from './wake-store.ts'

/** Outcome of enqueueing notices. */
export interface Enqueued {
  /** Deliveries that this process starts at commit. */
  leased: Delivery[]
  /** Receivers that still have deliveries in the queue. */
  waiting: Receiver[]
}

/**
 * Writes notices with a delivery for each receiver, in one statement. An integration that was notified of the group
 * before is omitted, and a notice without receivers is not stored, unless the event feed has it. An offered delivery
 * gets a lease of its own, unless an earlier one of its shipment is unfinished.
 *
 *   given       the notices
 *   wanted      their receivers
 *   first_of_group   the groups that an integration is notified of for the first time
 *   accepted    the receivers that remain, and whether each is leased
 *   stored      the notices with receivers
 *   fed         those that the event feed has, without a position; only if there are some
 *   queued      their deliveries
 *   by_receiver   per receiver: what was leased, and whether something waits
 *   announced   NOTIFY for the workers of other nodes
 */
export async function insertNotices(
  context: Context,
  notices: Notice[],
  lease: { offered: ReadonlySet<string>; leaseUntil: Date },
): Promise<Enqueued> {
  const bodies = joinTexts(notices.map(({ body }) => body))
  const given = notices.map((notice, n) => ({
    at: bodies.places[n]?.at,
    length: bodies.places[n]?.length,
    shop_id: notice.shopId,
    id: notice.id,
    source: notice.source,
    ref: notice.ref,
    event_name: notice.eventName,
    event_group: notice.eventGroup,
    shipment_id: notice.shipmentId,
    order_id: notice.orderId,
    triggered_at: notice.triggeredAt,
    caused_by: notice.causedBy,
    is_in_feed: notice.isInFeed,
  }))
  const wanted = notices.flatMap(({ shopId, id, shipmentId, receivers }) =>
    receivers.map(({ deliveryId, receiverId, eventGroup, onceKey }) => ({
      shop_id: shopId,
      notification_id: id,
      shipment_id: shipmentId,
      id: deliveryId,
      target: receiverId,
      is_once: onceKey !== null,
      once_key: onceKey,
      is_offered: lease.offered.has(deliveryId),
      event_group: eventGroup,
    })),
  )
  const { rows } = await sql<EnqueuedForReceiver>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as given
        (shop_id uuid, id uuid, source text, ref text, event_name text, event_group text, shipment_id uuid,
         order_id uuid, at int, length int, triggered_at timestamptz, caused_by uuid[], is_in_feed boolean)
    ), wanted as materialized (
      select * from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted
        (shop_id uuid, notification_id uuid, shipment_id uuid, id uuid, target text, is_once boolean,
         once_key uuid, is_offered boolean, event_group text)
    ), first_of_group as (
      insert into notified_groups (shop_id, shipment_id, integration, event_group, notification_id)
      select shop_id, once_key, target, event_group, notification_id
      from wanted
      where is_once
      order by shop_id, once_key, target, event_group, notification_id
      on conflict do nothing
      returning shop_id, integration, event_group, notification_id
    ), accepted as materialized (
      select wanted.*, wanted.is_offered and not ${waitsForEarlier('wanted', context.now)} as is_leased
      from wanted
      left join first_of_group as first on first.shop_id = wanted.shop_id and first.integration = wanted.target
        and first.event_group = wanted.event_group and first.notification_id = wanted.notification_id
      -- A boolean, because for "once_key is null" the planner expects hardly any row and joins all with all.
      where not wanted.is_once or first.integration is not null
    ), stored as (
      insert into notifications (shop_id, id, source, ref, event_name, event_group, shipment_id, order_id, body,
        triggered_at, caused_by)
      select shop_id, id, source, ref, event_name, event_group, shipment_id, order_id,
        convert_from(substring(${bodies.bytes}::bytea from at for length), 'UTF8'), triggered_at, caused_by
      from given
      where exists (select 1 from accepted where accepted.shop_id = given.shop_id and accepted.notification_id = given.id)
        or given.is_in_feed
    ), ${notices.some(({ isInFeed }) => isInFeed) ? fed : sql``} queued as (
      insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status,
        next_attempt_at, created_at)
      select accepted.shop_id, accepted.id, accepted.notification_id, accepted.target, accepted.shipment_id,
        given.event_name, accepted.event_group, 'pending',
        case when accepted.is_leased then ${lease.leaseUntil} else given.triggered_at end, given.triggered_at
      from accepted
      join given on given.shop_id = accepted.shop_id and given.id = accepted.notification_id
      -- For newer nodes only: then another column says when it is due.
      returning shop_id, target, id, coalesce(reserved_due_at, next_attempt_at) > created_at as is_leased
    ), by_receiver as materialized (
      select shop_id, target, array_agg(id::text) filter (where is_leased) as leased, bool_or(not is_leased) as waits
      from queued
      group by shop_id, target
    ), announced as materialized (
      select ${announcement(context, sql`waiting.receivers`)}
      from (
        select json_agg(json_build_object('shopId', shop_id, 'target', target))::text as receivers
        from by_receiver
        where waits
      ) as waiting
      where receivers is not null
    )
    select by_receiver.shop_id as "shopId", by_receiver.target as "receiverId", by_receiver.leased, by_receiver.waits, endpoint.*
    from by_receiver
    left join lateral ${endpointOf('by_receiver')} as endpoint on by_receiver.leased is not null
    left join announced on true`.execute(context.db)
  return { leased: toDeliveries(notices, bodies.parts, rows), waiting: rows.filter(({ waits }) => waits) }
}

const fed = sql`fed as (
  insert into feed_arrivals (shop_id, notification_id, ref, triggered_at)
  select shop_id, id, ref, triggered_at from given
  where is_in_feed
  order by id
),`

/** Outcome of enqueueing the deliveries to one receiver. */
interface EnqueuedForReceiver extends Receiver, EndpointColumns {
  leased: string[] | null
  /** Whether some stay in the queue. */
  waits: boolean
}

function toDeliveries(notices: Notice[], bodies: Buffer[], rows: EnqueuedForReceiver[]): Delivery[] {
  const endpoints = new Map<string, Endpoint | null>()
  for (const row of rows) {
    // One object for all of them, so that its secrets are opened once.
    const endpoint = toEndpoint(row)
    for (const id of row.leased ?? []) endpoints.set(id, endpoint)
  }
  if (endpoints.size === 0) return []
  return notices.flatMap(({ shopId, id: notificationId, receivers }, n) =>
    receivers.flatMap(({ deliveryId, receiverId, eventGroup }) => {
      const endpoint = endpoints.get(deliveryId)
      const body = bodies[n]
      if (endpoint === undefined || body === undefined) return []
      return [
        {
          shopId,
          id: deliveryId,
          receiverId,
          notificationId,
          eventGroup,
          attemptNumber: 1,
          attemptSinceResend: 1,
          body,
          endpoint,
        },
      ]
    }),
  )
}

/**
 * Texts as one run of bytes, and the place of each in it. Inside the JSON of their rows they would be escaped here and
 * unescaped there, character by character: 0.6 ms for a payload of 6 KB, against 0.02 ms.
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

/** A further receiver of a notice that is already stored. */
export interface AddedDelivery extends Receiver {
  id: string
  notificationId: string
  /** Null: the notice's own. */
  eventGroup: string | null
}

/** Enqueues stored notices for further receivers, such as those that an automation names. */
export async function addDeliveries(context: Context, deliveries: AddedDelivery[]): Promise<void> {
  const rows = deliveries.map(({ shopId, id, notificationId, receiverId, eventGroup }) => ({
    shop_id: shopId,
    id,
    notification_id: notificationId,
    target: receiverId,
    event_group: eventGroup,
  }))
  await sql`
    insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status,
      next_attempt_at, created_at)
    select given.shop_id, given.id, given.notification_id, given.target, notifications.shipment_id,
      notifications.event_name, coalesce(given.event_group, notifications.event_group), 'pending', ${context.now}, ${context.now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (shop_id uuid, id uuid, notification_id uuid, target text, event_group text)
    join notifications on notifications.shop_id = given.shop_id and notifications.id = given.notification_id`.execute(
    context.db,
  )
}
