import { sql } from 'kysely'
import { finalEventLast } from '../orders/events/order-store.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { earliestId } from '../platform/foundation/ids.ts'

/** An event of a shipment. */
export interface StoredEvent {
  eventName: string
  orderId: string
  shipmentId: string
  direction: string
  happenedAt: Date
  /** The time of the oldest shipment that was read. */
  readFrom: Date
  /** Whether there are more. */
  isCut: boolean
}

/** A published event of a claim. */
export interface ClaimEvent {
  ref: string
  orderId: string
  shipmentId: string
  happenedAt: Date
  notificationId: string
}

/** The shipments with the newest events are read, this many of them, with at most this many events each. */
const maxShipments = 2_000
const maxEventsEach = 50

/**
 * The newest events of a shop's shipments that receivers were meant to get, newest first. The number of rows that are read
 * does not depend on how many the shop has. Those of the demo shop count too: they are stored as if nobody received them.
 *
 *   walked     the shipments with the newest events
 *   edge       before this time, not all shipments were read
 */
export async function listShipmentEvents(context: ShopContext, since: Date, limit: number): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    with walked as materialized (
      select id, order_id, direction, latest_event_at from shipments
      where shop_id = ${context.shop.id} and latest_event_at >= ${since}
      order by latest_event_at desc
      limit ${sql.lit(maxShipments)}
    ), edge as materialized (
      select case when count(*) = ${sql.lit(maxShipments)} then min(latest_event_at) else ${since}::timestamptz end as at,
        count(*) = ${sql.lit(maxShipments)} as is_cut
      from walked
    )
    select events.event_key as "eventName", walked.order_id as "orderId", walked.id as "shipmentId", walked.direction,
      events.event_time as "happenedAt", edge.at as "readFrom", edge.is_cut as "isCut"
    from walked
    cross join edge
    cross join lateral (
      select event_key, event_time from shipment_events
      where shop_id = ${context.shop.id} and shipment_id = walked.id and event_time >= ${since}
        and (is_notified or source = 'demo')
      order by event_time desc, ${finalEventLast} desc, id desc
      limit ${sql.lit(maxEventsEach)}
    ) as events
    where events.event_time >= edge.at
    order by events.event_time desc, walked.id desc
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** The newest published events of claims. */
export async function listClaimEvents(context: ShopContext, since: Date, limit: number): Promise<ClaimEvent[]> {
  const { rows } = await sql<ClaimEvent>`
    select ref, order_id as "orderId", shipment_id as "shipmentId", triggered_at as "happenedAt", id as "notificationId"
    from (
      select * from notifications where shop_id = ${context.shop.id} and id > ${earliestId(since)}
      order by id desc limit ${sql.lit(limit)}
    ) as newest
    where source = 'claims' and order_id is not null and shipment_id is not null
    order by id desc`.execute(context.db)
  return rows
}

/** The payload that was published for an event of a shipment: the newest, if it was published more than once. */
export interface StoredPayload {
  /** The position in the list that was given. */
  position: number
  notificationId: string
  body: string
  causedBy: string[]
}

export async function findPayloads(
  context: ShopContext,
  events: readonly { shipmentId: string; ref: string; notificationId: string | null }[],
): Promise<StoredPayload[]> {
  const given = events.map(({ shipmentId, ref, notificationId }, position) => ({
    position,
    shipment_id: shipmentId,
    ref,
    id: notificationId,
  }))
  const { rows } = await sql<StoredPayload>`
    select given.position, published.id as "notificationId", published.body, published.caused_by as "causedBy"
    from json_to_recordset(${JSON.stringify(given)}::json) as given (position int, shipment_id uuid, ref text, id uuid)
    cross join lateral (
      select id, body, caused_by from notifications
      where shop_id = ${context.shop.id} and shipment_id = given.shipment_id and ref = given.ref
        and (given.id is null or id = given.id)
      order by id desc limit 1
    ) as published`.execute(context.db)
  return rows
}
