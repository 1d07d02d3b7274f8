import { type RawBuilder, sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { finalEventLast } from '../events/order-store.ts'
import type { ProofOfDelivery } from './proof-schema.ts'
import { pageOfIds, type ShipmentSearch } from './search-store.ts'

/** A shipment with its events, as the store returns it in JSON: times are ISO 8601 text. */
export interface StoredShipment {
  id: string
  order_id: string
  tracking_number: string | null
  carrier_reference: string | null
  service: string | null
  tracking_url: string | null
  external_shipment_id: string | null
  direction: string
  phase: string
  flag: string
  current_event_key: string
  products: unknown
  expected_delivery: { start: string; end: string; source: string; updated_at?: string } | null
  pickup: unknown
  proof_of_delivery: ProofOfDelivery | null
  created_at: string
  updated_at: string
  events: StoredEvent[]
}

export interface StoredEvent {
  event_key: string
  event_time: string
  timezone: string | null
  location: Record<string, unknown> | null
  additional_info: Record<string, unknown> | null
}

/** The part of an order that the response about a shipment shows. */
export interface OrderOfShipment {
  order_number: string
  zip_code: string | null
  email_id: string | null
  order_products: unknown
}

export type ShipmentWithOrder = StoredShipment & OrderOfShipment

/** With the products of all parcels of its order. */
export type FoundShipment = ShipmentWithOrder & {
  sent: Pick<StoredShipment, 'tracking_number' | 'direction' | 'products'>[]
}

/** The columns of a StoredShipment, from the table named `shipments`, with its events sorted by time. */
export const shipmentColumns: RawBuilder<unknown> = sql`
  shipments.id, shipments.order_id, shipments.tracking_number, shipments.carrier_reference, shipments.service,
  shipments.tracking_url, shipments.external_shipment_id, shipments.direction, shipments.phase, shipments.flag, shipments.current_event_key,
  shipments.products, shipments.expected_delivery, shipments.pickup, shipments.proof_of_delivery, shipments.created_at, shipments.updated_at,
  (
    select coalesce(json_agg(json_build_object('event_key', event_key, 'event_time', event_time, 'timezone', timezone,
      'location', location, 'additional_info', additional_info) order by event_time, ${finalEventLast}, id), '[]')
    from shipment_events
    where shipment_events.shop_id = shipments.shop_id and shipment_events.shipment_id = shipments.id
  ) as events`

/** All shipments of the row named `orders`, oldest first, as a JSON array of StoredShipment. */
export const shipmentsOfOrder: RawBuilder<StoredShipment[]> = sql`(
  select coalesce(json_agg(to_json(shipment) order by shipment.created_at, shipment.id), '[]')
  from (
    select ${shipmentColumns} from shipments
    where shipments.shop_id = orders.shop_id and shipments.order_id = orders.id
  ) as shipment
)`

const orderColumns = sql`
  orders.order_number, orders.zip_code, orders.email_id, orders.details -> 'products' as order_products`

export async function findShipment(context: ShopContext, id: string): Promise<FoundShipment | undefined> {
  const { rows } = await sql<{ shipment: FoundShipment }>`
    select to_json(shipment) as shipment from (
      select ${shipmentColumns}, ${orderColumns}, (
        select coalesce(json_agg(json_build_object('tracking_number', sent.tracking_number, 'direction', sent.direction,
          'products', sent.products)), '[]')
        from shipments as sent
        where sent.shop_id = orders.shop_id and sent.order_id = orders.id and sent.tracking_number is not null
      ) as sent
      from shipments
      join orders on orders.shop_id = shipments.shop_id and orders.id = shipments.order_id
      where shipments.shop_id = ${context.shop.id} and shipments.id = ${id}
    ) as shipment`.execute(context.db)
  return rows[0]?.shipment
}

/** One page of shipments, and one more row if there is a next page. */
export async function listShipments(context: ShopContext, search: ShipmentSearch): Promise<ShipmentWithOrder[]> {
  const { rows } = await sql<{ shipment: ShipmentWithOrder }>`
    select to_json(shipment) as shipment from (
      select found.position, ${shipmentColumns}, ${orderColumns}
      from (${pageOfIds(context.shop.id, search)}) as found
      join shipments on shipments.shop_id = ${context.shop.id} and shipments.id = found.id
      join orders on orders.shop_id = shipments.shop_id and orders.id = shipments.order_id
    ) as shipment
    order by shipment.position`.execute(context.db)
  return rows.map(({ shipment }) => shipment)
}

export async function findShipmentByNumber(
  context: ShopContext,
  orderId: string,
  trackingNumber: string,
): Promise<string | undefined> {
  const row = await context.db
    .selectFrom('shipments')
    .where('shop_id', '=', context.shop.id)
    .where('order_id', '=', orderId)
    .where('tracking_number', '=', trackingNumber)
    .select('id')
    .executeTakeFirst()
  return row?.id
}

/** The shipment with this id of the sender's own; the newest if there are several. */
export async function findShipmentByExternalId(context: ShopContext, externalId: string): Promise<string | undefined> {
  const row = await context.db
    .selectFrom('shipments')
    .where('shop_id', '=', context.shop.id)
    .where('external_shipment_id', '=', externalId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .select('id')
    .executeTakeFirst()
  return row?.id
}

/** The shipment that a claim names, with its order; the newest if several have the number. */
export async function findShipmentForClaim(
  context: ShopContext,
  name: { column: 'id' | 'tracking_number'; value: string },
): Promise<{ id: string; orderId: string } | undefined> {
  return context.db
    .selectFrom('shipments')
    .where('shop_id', '=', context.shop.id)
    .where(name.column, '=', name.value)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .select(['id', 'order_id as orderId'])
    .limit(1)
    .executeTakeFirst()
}

/** The ids of at most two shipments of an order: enough to distinguish one from several. */
export async function findFirstShipments(context: ShopContext, order: OrderIdentifier): Promise<string[]> {
  let query = context.db
    .selectFrom('orders')
    .innerJoin('shipments', (join) =>
      join.onRef('shipments.shop_id', '=', 'orders.shop_id').onRef('shipments.order_id', '=', 'orders.id'),
    )
    .where('orders.shop_id', '=', context.shop.id)
  query = query.where(`orders.${order.column}`, '=', order.value)
  const rows = await query.select('shipments.id').limit(2).execute()
  return rows.map(({ id }) => id)
}

export interface OrderIdentifier {
  column: 'id' | 'order_number' | 'external_id'
  value: string
}
