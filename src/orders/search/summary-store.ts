import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'

/** A parcel in a list of orders; read as JSON, so times are ISO 8601 text. */
export interface StoredParcel {
  id: string
  tracking_number: string | null
  carrier_reference: string | null
  tracking_company: string | null
  direction: string
  phase: string
  flag: string
  current_event_key: string
  current_event_at: string
  updated_at: string
}

export interface StoredSummary {
  id: string
  order_number: string
  order_name: string | null
  customer_name: string | null
  email_id: string | null
  zip_code: string | null
  country_code: string | null
  order_placed_at: Date
  expected_number_of_shipments: number
  nothing_to_send: boolean
  handed_over_without_tracking: boolean
  total_order_price: number | null
  currency: string | null
  updated_at: Date
  erased_at: Date | null
  claims: number
  parcels: StoredParcel[]
}

/** The data of these orders that lists show, by id. */
export async function findOrderSummaries(
  context: ShopContext,
  orderIds: readonly string[],
): Promise<Map<string, StoredSummary>> {
  if (orderIds.length === 0) return new Map()
  const { rows } = await sql<StoredSummary>`
    select orders.id, orders.order_number, orders.order_name, orders.details #>> '{address,name}' as customer_name,
      orders.email_id, orders.zip_code, orders.details #>> '{address,country_code}' as country_code,
      orders.order_placed_at, orders.expected_number_of_shipments, orders.nothing_to_send,
      orders.handed_over_without_tracking, orders.details -> 'total_order_price' as total_order_price,
      orders.details ->> 'currency' as currency, orders.updated_at, orders.erased_at,
      (
        select count(*) from claims
        where claims.shop_id = orders.shop_id and claims.order_id = orders.id and claims.deleted_at is null
          and claims.status <> 'closed'
      ) as claims,
      (
        select coalesce(json_agg(json_build_object('id', id, 'tracking_number', tracking_number,
          'carrier_reference', carrier_reference, 'tracking_company', tracking_company, 'direction', direction,
          'phase', phase, 'flag', flag, 'current_event_key', current_event_key, 'current_event_at', current_event_at,
          'updated_at', updated_at) order by created_at, id), '[]')
        from shipments
        where shipments.shop_id = orders.shop_id and shipments.order_id = orders.id
      ) as parcels
    from unnest(${orderIds}::uuid[]) as given (id)
    cross join lateral (
      select * from orders where orders.shop_id = ${context.shop.id} and orders.id = given.id limit 1
    ) as orders`.execute(context.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A parcel in the list of parcels, with what the list shows of its order. */
export interface StoredShipmentSummary extends Omit<StoredParcel, 'current_event_at' | 'updated_at'> {
  order_id: string
  current_event_at: Date
  expected_delivery: { start: string; end: string; source: string } | null
  destination_country: string | null
  placed_at: Date
  delivered_at: Date | null
  created_at: Date
  updated_at: Date
  order_number: string
  order_name: string | null
  customer_name: string | null
  email_id: string | null
  erased_at: Date | null
}

/** The data of these parcels that the list shows, by id. */
export async function findShipmentSummaries(
  context: ShopContext,
  shipmentIds: readonly string[],
): Promise<Map<string, StoredShipmentSummary>> {
  if (shipmentIds.length === 0) return new Map()
  const { rows } = await sql<StoredShipmentSummary>`
    select shipments.id, shipments.order_id, shipments.tracking_number, shipments.carrier_reference,
      shipments.tracking_company, shipments.direction, shipments.phase, shipments.flag, shipments.current_event_key,
      shipments.current_event_at, shipments.expected_delivery, shipments.destination_country, shipments.placed_at,
      shipments.delivered_at, shipments.created_at, shipments.updated_at, orders.order_number, orders.order_name,
      orders.details #>> '{address,name}' as customer_name, orders.email_id, orders.erased_at
    from unnest(${shipmentIds}::uuid[]) as given (id)
    cross join lateral (
      select * from shipments where shipments.shop_id = ${context.shop.id} and shipments.id = given.id limit 1
    ) as shipments
    cross join lateral (
      select * from orders where orders.shop_id = ${context.shop.id} and orders.id = shipments.order_id limit 1
    ) as orders`.execute(context.db)
  return new Map(rows.map((row) => [row.id, row]))
}
