import { sql } from 'kysely'
import type { StoredClaimDetails } from '../claims/claims/rules.ts'
import type { FulfilmentSnapshot } from '../connections/shop-systems/rules.ts'
import { customerDigest } from '../orders/orders/customer-store.ts'
import type { Product } from '../orders/orders/parts.ts'
import type { ShopContext } from '../platform/foundation/context.ts'

export interface OrderToErase {
  id: string
  external_id: string
  order_name: string | null
  details: Record<string, unknown>
  order_analytics: Record<string, unknown>
  customer: string
}

/**
 * Locks those of the orders that still belong to the customer. A concurrent writer waits for the lock and then sees that
 * the order is erased.
 */
export async function lockOrdersToErase(context: ShopContext, email: string, ids: string[]): Promise<OrderToErase[]> {
  const { rows } = await sql<OrderToErase>`
    select id, external_id, order_name, details, order_analytics, encode(${customerDigest()}, 'hex') as customer
    from orders
    where shop_id = ${context.shop.id} and id = any(${ids}::uuid[]) and lower(email_id) = lower(${email})
    order by id
    for update`.execute(context.db)
  return rows
}

/** Waits for events that are being recorded, so that their notifications are erased as well. */
export async function lockShipmentsToErase(
  context: ShopContext,
  orderIds: string[],
): Promise<{ id: string; products: Product[] | null; pickup: unknown }[]> {
  const { rows } = await sql<{ id: string; products: Product[] | null; pickup: unknown }>`
    select id, products, pickup from shipments
    where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[])
    order by id
    for update`.execute(context.db)
  return rows
}

export async function lockClaimsToErase(
  context: ShopContext,
  orderIds: string[],
): Promise<{ id: string; details: StoredClaimDetails }[]> {
  const { rows } = await sql<{ id: string; details: StoredClaimDetails }>`
    select id, details from claims
    where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[])
    order by id
    for update`.execute(context.db)
  return rows
}

export async function eraseOrders(
  context: ShopContext,
  orders: Pick<OrderToErase, 'id' | 'order_name' | 'details' | 'order_analytics'>[],
): Promise<void> {
  await sql`
    update orders set email_id = null, zip_code = null, order_name = given.order_name, details = given.details,
      order_analytics = given.order_analytics, erased_at = ${context.now}, updated_at = ${context.now},
      -- Revokes all links to its tracking page.
      page_nonce = gen_random_uuid()
    from json_to_recordset(${JSON.stringify(orders)}::json) as given
      (id uuid, order_name text, details jsonb, order_analytics jsonb)
    where orders.shop_id = ${context.shop.id} and orders.id = given.id`.execute(context.db)
}

export async function eraseShipments(
  context: ShopContext,
  shipments: { id: string; products: unknown; pickup: unknown }[],
): Promise<void> {
  await sql`
    update shipments set products = given.products, pickup = given.pickup, tracking_url = null, proof_of_delivery = null
    from json_to_recordset(${JSON.stringify(shipments)}::json) as given (id uuid, products jsonb, pickup jsonb)
    where shipments.shop_id = ${context.shop.id} and shipments.id = given.id`.execute(context.db)
}

/** Removes remarks and locations from events, except for the country. Returns how many events had any. */
export async function eraseEvents(context: ShopContext, shipmentIds: string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update shipment_events set additional_info = null, location = nullif(jsonb_strip_nulls(jsonb_build_object(
      'country', location -> 'country', 'country_code', location -> 'country_code')), '{}')
    where shop_id = ${context.shop.id} and shipment_id = any(${shipmentIds}::uuid[])
      and (additional_info is not null or location is not null)
    returning id`.execute(context.db)
  return rows.length
}

export async function eraseClaims(
  context: ShopContext,
  claims: { id: string; details: StoredClaimDetails }[],
): Promise<void> {
  await sql`
    update claims set description = null, reply = null, details = given.details,
      -- Null stays null: only withdrawals have a statement.
      statement = statement || '{"name": null, "email": null, "text": null}',
      updated_at = greatest(updated_at, ${context.now})
    from json_to_recordset(${JSON.stringify(claims)}::json) as given (id uuid, details jsonb)
    where claims.shop_id = ${context.shop.id} and claims.id = given.id`.execute(context.db)
  // A decision that has not taken effect would notify about the customer.
  await sql`
    delete from claim_decisions
    where shop_id = ${context.shop.id} and claim_id = any(${claims.map(({ id }) => id)}::uuid[])`.execute(context.db)
}

/** Deletes the rows of images whose bytes are deleted. The remaining ones expire now, for the clean-up job to delete. */
export async function eraseImages(context: ShopContext, deleted: string[], remaining: string[]): Promise<number> {
  await sql`
    update images set expires_at = 'epoch'
    where shop_id = ${context.shop.id} and key = any(${remaining}::text[])`.execute(context.db)
  const { rows } = await sql<{ key: string }>`
    delete from images where shop_id = ${context.shop.id} and key = any(${deleted}::text[])
    returning key`.execute(context.db)
  return rows.length + remaining.length
}

/** Locks what shop systems have sent about orders. */
export async function lockShopSystemOrdersToErase(
  context: ShopContext,
  externalIds: string[],
  systems: readonly string[],
): Promise<{ system: string; external_id: string; fulfilments: Record<string, FulfilmentSnapshot> }[]> {
  const { rows } = await sql<{ system: string; external_id: string; fulfilments: Record<string, FulfilmentSnapshot> }>`
    select system, external_id, fulfilments from shop_system_orders
    where shop_id = ${context.shop.id} and system = any(${systems}::text[]) and external_id = any(${externalIds}::text[])
    order by system, external_id
    for update`.execute(context.db)
  return rows
}

export async function eraseShopSystemOrders(
  context: ShopContext,
  orders: { system: string; external_id: string; fulfilments: unknown }[],
): Promise<void> {
  await sql`
    update shop_system_orders set fulfilments = given.fulfilments
    from json_to_recordset(${JSON.stringify(orders)}::json) as given (system text, external_id text, fulfilments jsonb)
    where shop_system_orders.shop_id = ${context.shop.id} and shop_system_orders.system = given.system
      and shop_system_orders.external_id = given.external_id`.execute(context.db)
}

/** Deletes what colleagues wrote about orders. */
export async function deleteNotes(context: ShopContext, orderIds: string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from notes where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[])
    returning id`.execute(context.db)
  return rows.length
}

export async function deleteSegmentFetches(context: ShopContext, orderIds: string[]): Promise<void> {
  await sql`
    delete from segment_fetches
    where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[])`.execute(context.db)
}
