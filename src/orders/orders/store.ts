import { type RawBuilder, sql } from 'kysely'
import { segmentFetchers } from '../../adapters/marketing/registry.ts'
import { coalesced } from '../../platform/foundation/coalesce.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { literals } from '../../platform/store/literals.ts'
import type { PromisedDelivery } from '../promises/schema.ts'
import { promiseOfOrder } from '../promises/store.ts'
import { type StoredShipment, shipmentsOfOrder } from '../shipments/store.ts'
import type { OrderRecord } from './rules.ts'

/** An order as it is shown, with its shipments and their events. */
export interface StoredOrder extends ShownColumns {
  promise: PromisedDelivery | null
  shipments: StoredShipment[]
}

interface ShownColumns {
  id: string
  order_number: string
  external_id: string
  order_name: string | null
  email_id: string | null
  order_placed_at: Date
  expected_number_of_shipments: number
  nothing_to_send: boolean
  handed_over_without_tracking: boolean
  details: Record<string, unknown>
  order_analytics: Record<string, unknown>
  created_at: Date
  updated_at: Date
  page_nonce: string | null
}

/** Not all columns: those that only searches use are as long as the rest, and each one costs half a microsecond to read. */
export const storedOrder = sql`
  orders.id, orders.order_number, orders.external_id, orders.order_name, orders.email_id, orders.order_placed_at,
  orders.expected_number_of_shipments, orders.nothing_to_send, orders.handed_over_without_tracking, orders.details,
  orders.order_analytics, orders.created_at, orders.updated_at, orders.page_nonce,
  ${promiseOfOrder} as promise, ${shipmentsOfOrder} as shipments`

export interface OrderName {
  shopId: string
  idType: 'uuid' | 'external_id' | 'order_name' | 'order_number'
  id: string
}

export function findOrder(context: ShopContext, id: string): Promise<StoredOrder | undefined> {
  return readOrder(context, { shopId: context.shop.id, id })
}

/** Orders that are requested at the same moment are read by one statement. */
const readOrder = coalesced(readOrders)

async function readOrders(
  context: Context,
  wanted: { shopId: string; id: string }[],
): Promise<(StoredOrder | undefined)[]> {
  const given = wanted.map(({ shopId, id }, n) => ({ n, shop_id: shopId, id }))
  const { rows } = await sql<{ n: number } & StoredOrder>`
    select given.n, ${storedOrder}
    from json_to_recordset(${JSON.stringify(given)}::json) as given (n int, shop_id uuid, id uuid)
    cross join lateral (${orderByKey(sql`given`)}) as orders`.execute(context.db)
  const found: (StoredOrder | undefined)[] = wanted.map(() => undefined)
  for (const row of rows) found[row.n] = row
  return found
}

/** The order that a row names. The limit enforces an index lookup; for a join, the planner may scan the whole table. */
export function orderByKey(row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select * from orders where orders.shop_id = ${row}.shop_id and orders.id = ${row}.id limit 1`
}

/**
 * Finds orders by name and locks them, sorted by id, so that concurrent writers cannot deadlock. Returns them by
 * position; undefined if there is no such order.
 *
 *   given    the names
 *   matched  the id of the order that each one names
 *   locked   those orders, each once, locked
 */
export async function lockOrders(context: Context, names: OrderName[]): Promise<(LockedOrder | undefined)[]> {
  const given = names.map((name, n) => ({
    n,
    shop_id: name.shopId,
    kind: name.idType,
    name: name.id,
    uuid: name.idType === 'uuid' ? name.id : null,
  }))
  const { rows } = await sql<{ n: number } & LockedColumns>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as given
        (n int, shop_id uuid, kind text, name text, uuid uuid)
    ), matched as materialized (
      -- A subquery per name uses the index of its kind; for a join, the planner may scan the whole table.
      select n, shop_id, case kind
        when 'order_number' then (
          select id from orders where orders.shop_id = given.shop_id and order_number = given.name
        )
        when 'external_id' then (
          select id from orders where orders.shop_id = given.shop_id and external_id = given.name
        )
        when 'order_name' then (
          select id from orders where orders.shop_id = given.shop_id and order_name = given.name
          order by order_placed_at desc, id desc
          limit 1
        )
        else (
          select id from orders where orders.shop_id = given.shop_id and orders.id = given.uuid
        )
      end as id
      from given
    ), locked as materialized (
      select found.*
      from (select distinct shop_id, id from matched where id is not null order by shop_id, id) as wanted
      cross join lateral (
        select * from orders where orders.shop_id = wanted.shop_id and orders.id = wanted.id
        limit 1
        for no key update
      ) as found
    )
    select matched.n, locked.* from matched join locked using (shop_id, id)`.execute(context.db)
  const found: (LockedOrder | undefined)[] = names.map(() => undefined)
  for (const row of rows) found[row.n] = toLocked(row)
  return found
}

export interface LockedOrder extends OrderRecord {
  shopId: string
  id: string
  /** Its customer was erased. */
  isErased: boolean
}

/** The part of a shipment that `planShipments` needs. */
export interface KnownShipment {
  id: string
  trackingNumber: string | null
  direction: string
  currentEventAt: Date
  externalShipmentId: string | null
  carrierReference: string | null
  service: string | null
  trackingUrl: string | null
  products: unknown
}

/** The shipments of locked orders, by order. */
export async function findKnownShipments(
  context: Context,
  orders: { shopId: string; id: string }[],
): Promise<Map<string, KnownShipment[]>> {
  const known = new Map<string, KnownShipment[]>()
  if (orders.length === 0) return known
  const given = orders.map(({ shopId, id }) => ({ shop_id: shopId, order_id: id }))
  const { rows } = await sql<KnownShipment & { orderId: string }>`
    select shipments.order_id as "orderId", shipments.id, tracking_number as "trackingNumber", direction,
      current_event_at as "currentEventAt", external_shipment_id as "externalShipmentId",
      carrier_reference as "carrierReference", service, tracking_url as "trackingUrl", products
    from json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, order_id uuid)
    join shipments using (shop_id, order_id)
    order by shipments.created_at, shipments.id`.execute(context.db)
  for (const { orderId, ...shipment } of rows) known.set(orderId, [...(known.get(orderId) ?? []), shipment])
  return known
}

export interface InsertedOrders {
  /** The orders whose number and external id were new to their shop. */
  ids: Set<string>
  /** The shops with an order in another currency than their own. */
  foreignShopIds: string[]
}

/** Writes new orders and skips those whose number or external id already exists. */
export async function insertOrders(
  context: Context,
  orders: (OrderRecord & { shopId: string; id: string; now: Date })[],
): Promise<InsertedOrders> {
  if (orders.length === 0) return { ids: new Set(), foreignShopIds: [] }
  const { rows } = await sql<{ id: string; foreignTo: string | null }>`
    with inserted as (
      insert into orders (shop_id, id, order_number, external_id, order_name, email_id, zip_code, order_placed_at,
        expected_number_of_shipments, nothing_to_send, handed_over_without_tracking, details, order_analytics,
        created_at, updated_at, page_nonce)
      select shop_id, id, order_number, external_id, order_name, email_id, zip_code, order_placed_at,
        expected_number_of_shipments, nothing_to_send, handed_over_without_tracking, details, order_analytics, now, now,
        gen_random_uuid()
      from ${orderSet(orders)}
      order by shop_id, order_number
      on conflict do nothing
      returning shop_id, id, created_at, details ->> 'currency' as currency
    ), wanted as (
      -- If the shop fetches customer segments, a worker fetches those of this customer.
      insert into segment_fetches (shop_id, order_id, integration, due_at)
      select inserted.shop_id, inserted.id, trigger_settings.integration, inserted.created_at
      from inserted
      join trigger_settings using (shop_id)
      where trigger_settings.segments_enabled and trigger_settings.integration in ${literals(segmentFetchers)}
    )
    select inserted.id, shops.id as "foreignTo" from inserted
    left join shops on shops.id = inserted.shop_id and shops.currency <> inserted.currency`.execute(context.db)
  return {
    ids: new Set(rows.map(({ id }) => id)),
    foreignShopIds: [...new Set(rows.flatMap(({ foreignTo }) => foreignTo ?? []))],
  }
}

/** Overwrites locked orders. */
export async function updateOrders(
  context: Context,
  orders: (OrderRecord & { shopId: string; id: string; now: Date })[],
): Promise<void> {
  if (orders.length === 0) return
  await sql`
    update orders set
      order_number = given.order_number, external_id = given.external_id, order_name = given.order_name,
      email_id = given.email_id, zip_code = given.zip_code, order_placed_at = given.order_placed_at,
      expected_number_of_shipments = given.expected_number_of_shipments, nothing_to_send = given.nothing_to_send,
      handed_over_without_tracking = given.handed_over_without_tracking, details = given.details,
      order_analytics = given.order_analytics, updated_at = given.now
    from ${orderSet(orders)}
    where orders.shop_id = given.shop_id and orders.id = given.id`.execute(context.db)
}

function orderSet(orders: (OrderRecord & { shopId: string; id: string; now: Date })[]): RawBuilder<unknown> {
  const rows = orders.map((order) => ({
    shop_id: order.shopId,
    id: order.id,
    order_number: order.orderNumber,
    external_id: order.externalId,
    order_name: order.orderName,
    email_id: order.emailId,
    zip_code: order.zipCode,
    order_placed_at: order.orderPlacedAt,
    expected_number_of_shipments: order.expectedShipments,
    nothing_to_send: order.hasNothingToSend,
    handed_over_without_tracking: order.isHandedOverWithoutTracking,
    details: order.details,
    order_analytics: order.analytics,
    now: order.now,
  }))
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as given
    (shop_id uuid, id uuid, order_number text, external_id text, order_name text, email_id text, zip_code text,
     order_placed_at timestamptz, expected_number_of_shipments smallint, nothing_to_send boolean,
     handed_over_without_tracking boolean, details jsonb, order_analytics jsonb, now timestamptz)`
}

interface LockedColumns extends ShownColumns {
  shop_id: string
  zip_code: string | null
  erased_at: Date | null
}

function toLocked(row: LockedColumns): LockedOrder {
  return {
    shopId: row.shop_id,
    id: row.id,
    isErased: row.erased_at !== null,
    orderNumber: row.order_number,
    externalId: row.external_id,
    orderName: row.order_name,
    emailId: row.email_id,
    zipCode: row.zip_code,
    orderPlacedAt: row.order_placed_at,
    expectedShipments: row.expected_number_of_shipments,
    hasNothingToSend: row.nothing_to_send,
    isHandedOverWithoutTracking: row.handed_over_without_tracking,
    details: row.details,
    analytics: row.order_analytics,
  }
}
