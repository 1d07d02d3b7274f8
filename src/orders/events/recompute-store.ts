import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { finalEventLast } from './order-store.ts'

/** The key of an event. */
export interface EventKey {
  shopId: string
  shipmentId: string
  eventTime: Date
  eventKey: string
}

export interface RemovedEvent extends EventKey {
  id: string
  externalId: string | null
  timezone: string | null
  location: unknown
  additionalInfo: unknown
}

/** Deletes events of carriers and returns them. Their shipments stay locked until the transaction ends. */
export async function deleteCarrierEvents(context: Context, events: EventKey[]): Promise<RemovedEvent[]> {
  if (events.length === 0) return []
  const rows = events.map((event) => ({
    shop_id: event.shopId,
    shipment_id: event.shipmentId,
    event_time: event.eventTime,
    event_key: event.eventKey,
  }))
  const { rows: removed } = await sql<RemovedEvent>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, shipment_id uuid, event_time timestamptz, event_key text)
    ), locked as materialized (
      select shipments.shop_id, shipments.id from shipments
      join (select distinct shop_id, shipment_id as id from given) as wanted using (shop_id, id)
      order by shipments.shop_id, shipments.id
      for no key update of shipments
    )
    delete from shipment_events using given, locked
    where locked.shop_id = given.shop_id and locked.id = given.shipment_id
      and shipment_events.shop_id = given.shop_id and shipment_events.shipment_id = given.shipment_id
      and shipment_events.event_time = given.event_time and shipment_events.event_key = given.event_key
      and shipment_events.source = 'carrier'
    returning shipment_events.shop_id as "shopId", shipment_events.shipment_id as "shipmentId",
      shipment_events.event_time as "eventTime", shipment_events.event_key as "eventKey", shipment_events.id,
      shipment_events.external_id as "externalId", shipment_events.timezone, shipment_events.location,
      shipment_events.additional_info as "additionalInfo"`.execute(context.db)
  return removed
}

/** Locks shipments until the transaction ends, in the same order as everything that writes events. */
export async function lockShipments(
  context: Context,
  shipments: { shopId: string; shipmentId: string }[],
): Promise<void> {
  const given = shipments.map(({ shopId, shipmentId }) => ({ shop_id: shopId, id: shipmentId }))
  await sql`
    select shipments.id from shipments
    join json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, id uuid) using (shop_id, id)
    order by shipments.shop_id, shipments.id
    for no key update of shipments`.execute(context.db)
}

/** The events of these shipments, sorted by time; at equal times, as they were stored, and the end of a journey last. */
export async function findEventKeys(
  context: Context,
  shipments: { shopId: string; shipmentId: string }[],
): Promise<EventKey[]> {
  const given = shipments.map(({ shopId, shipmentId }) => ({ shop_id: shopId, shipment_id: shipmentId }))
  const { rows } = await sql<EventKey>`
    select shop_id as "shopId", shipment_id as "shipmentId", event_time as "eventTime", event_key as "eventKey"
    from json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, shipment_id uuid)
    join shipment_events using (shop_id, shipment_id)
    order by shop_id, shipment_id, event_time, ${finalEventLast}, id`.execute(context.db)
  return rows
}

/** The state of a shipment, computed from its events. */
export interface ComputedShipment {
  shopId: string
  shipmentId: string
  phase: string
  flag: string
  currentEventKey: string
  currentEventAt: Date
  latestEventAt: Date
  isScanned: boolean
  isCancelled: boolean
  inTransitAt: Date | undefined
  deliveredAt: Date | undefined
  now: Date
}

export async function updateShipmentStates(context: Context, shipments: ComputedShipment[]): Promise<void> {
  if (shipments.length === 0) return
  const rows = shipments.map((shipment) => ({
    shop_id: shipment.shopId,
    id: shipment.shipmentId,
    phase: shipment.phase,
    flag: shipment.flag,
    current_event_key: shipment.currentEventKey,
    current_event_at: shipment.currentEventAt,
    latest_event_at: shipment.latestEventAt,
    is_scanned: shipment.isScanned,
    is_cancelled: shipment.isCancelled,
    in_transit_at: shipment.inTransitAt ?? null,
    delivered_at: shipment.deliveredAt ?? null,
    now: shipment.now,
  }))
  await sql`
    update shipments set
      phase = given.phase, flag = given.flag, current_event_key = given.current_event_key,
      current_event_at = given.current_event_at, latest_event_at = given.latest_event_at,
      is_scanned = given.is_scanned, is_cancelled = given.is_cancelled,
      in_transit_at = given.in_transit_at,
      delivered_at = given.delivered_at, updated_at = greatest(shipments.updated_at, given.now)
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (shop_id uuid, id uuid, phase text, flag text, current_event_key text, current_event_at timestamptz,
       latest_event_at timestamptz, is_scanned boolean, is_cancelled boolean, in_transit_at timestamptz, delivered_at timestamptz, now timestamptz)
    where shipments.shop_id = given.shop_id and shipments.id = given.id`.execute(context.db)
}
