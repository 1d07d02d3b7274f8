import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'

type Store = Pick<Context, 'db'>

/** A parcel as a push names it: of several shipments with the number, the newest. */
export interface PushedParcel {
  trackingNumber: string
  shopId: string
  shipmentId: string
  fulfilledAt: Date
  isPushed: boolean
  endedAt: Date | null
  isTracked: boolean
  carrierReference: string
  direction: string
  zipCode: string | null
  countryCode: string | null
}

export async function findParcelsByNumber(
  context: Store,
  shopId: string,
  trackingNumbers: string[],
): Promise<PushedParcel[]> {
  const { rows } = await sql<PushedParcel>`
    select given.number as "trackingNumber", newest.shop_id as "shopId", newest.id as "shipmentId",
      newest.placed_at as "fulfilledAt", tracked_parcels.shipment_id is not null as "isTracked",
      coalesce(tracked_parcels.is_pushed, false) as "isPushed", tracked_parcels.ended_at as "endedAt",
      coalesce(newest.carrier_reference, '') as "carrierReference", newest.direction, orders.zip_code as "zipCode",
      newest.destination_country as "countryCode"
    from unnest(${trackingNumbers}::text[]) as given (number)
    left join lateral (
      select id from shipments
      where shop_id = ${shopId} and tracking_number = given.number
      order by created_at desc, id desc
      limit 1
    ) as exact on true
    left join lateral (
      select shipment_id as id from tracked_parcels
      where shop_id = ${shopId} and bare_number = upper(regexp_replace(given.number, '\\s', '', 'g'))
      order by shipment_id desc
      limit 1
    ) as bare on exact.id is null
    join shipments as newest on newest.shop_id = ${shopId} and newest.id = coalesce(exact.id, bare.id)
    join orders on orders.shop_id = newest.shop_id and orders.id = newest.order_id
    left join tracked_parcels on tracked_parcels.shop_id = newest.shop_id and tracked_parcels.shipment_id = newest.id
  `.execute(context.db)
  return rows
}

export interface ShipmentState {
  id: string
  phase: string
  expectedDelivery: { start: string; end: string; source: string } | null
}

/** The current state of these shipments, by id. */
export async function findShipmentStates(
  context: Store,
  shipments: { shopId: string; shipmentId: string }[],
): Promise<Map<string, ShipmentState>> {
  const given = shipments.map(({ shopId, shipmentId }) => ({ shop_id: shopId, id: shipmentId }))
  const { rows } = await sql<ShipmentState>`
    select shipments.id, shipments.phase, shipments.expected_delivery as "expectedDelivery"
    from json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, id uuid)
    join shipments using (shop_id, id)`.execute(context.db)
  return new Map(rows.map((row) => [row.id, row]))
}
