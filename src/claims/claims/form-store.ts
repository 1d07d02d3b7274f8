import { sql } from 'kysely'
import type { Product } from '../../orders/orders/parts.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { type ClaimKind, type ClaimStatus, openStatuses } from './schema.ts'

/** The part of an order that the claim form shows. Times are ISO 8601 text. */
export interface ClaimableOrder {
  id: string
  order_number: string
  currency: string | null
  products: Product[] | null
  shipments: ClaimableShipment[]
  claims: FiledClaim[]
}

export interface ClaimableShipment {
  id: string
  tracking_number: string | null
  carrier_reference: string | null
  tracking_company: string | null
  direction: string
  phase: string
  /** Null: all products of the order. */
  products: Product[] | null
}

/** The part of a claim that its customer sees. */
export interface FiledClaim {
  id: string
  shipment_id: string
  kind: ClaimKind
  is_late: boolean
  reason: string
  status: ClaimStatus
  resolution_preference: string | null
  /** The shop's reply, as plain text. */
  reply: string | null
  created_at: string
  updated_at: string
}

/** An order with its shipments, oldest first, and its claims that are not deleted, newest first. */
export async function findClaimableOrder(context: ShopContext, orderId: string): Promise<ClaimableOrder | undefined> {
  const { rows } = await sql<ClaimableOrder>`
    select orders.id, orders.order_number, orders.details ->> 'currency' as currency,
      orders.details -> 'products' as products,
      (
        select coalesce(json_agg(to_json(shipment) order by shipment.created_at, shipment.id), '[]')
        from (
          select id, tracking_number, carrier_reference, tracking_company, direction, phase, products, created_at
          from shipments where shipments.shop_id = orders.shop_id and shipments.order_id = orders.id
        ) as shipment
      ) as shipments,
      (
        select coalesce(json_agg(to_json(claim) order by claim.created_at desc, claim.id desc), '[]')
        from (
          select id, shipment_id, kind, is_late, reason, status, resolution_preference, reply, created_at, updated_at
          from claims
          where claims.shop_id = orders.shop_id and claims.order_id = orders.id and claims.deleted_at is null
        ) as claim
      ) as claims
    from orders
    where orders.shop_id = ${context.shop.id} and orders.id = ${orderId}
      and orders.erased_at is null`.execute(context.db)
  return rows[0]
}

/** Serialises the forms of one order, so that the limits hold when two are submitted at once. */
export async function lockOrderForClaim(context: ShopContext, orderId: string): Promise<void> {
  await sql`
    select id from orders where shop_id = ${context.shop.id} and id = ${orderId} for no key update`.execute(context.db)
}

/** Includes deleted claims, so that the limit counts every claim that was filed. */
export async function countClaimsSince(context: ShopContext, orderId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from claims
    where shop_id = ${context.shop.id} and order_id = ${orderId} and created_at > ${since}`.execute(context.db)
  return rows[0]?.count ?? 0
}

export async function hasOpenClaim(context: ShopContext, shipmentId: string, reason: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from claims
    where shop_id = ${context.shop.id} and shipment_id = ${shipmentId} and reason = ${reason}
      and status = any(${openStatuses}::text[]) and deleted_at is null
    limit 1`.execute(context.db)
  return rows.length > 0
}

/** The claim that was created from a form, even if it has been deleted since. */
export async function findFiledClaim(
  context: ShopContext,
  id: string,
): Promise<Pick<FiledClaim, 'id' | 'shipment_id' | 'reason'> | undefined> {
  return context.db
    .selectFrom('claims')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .select(['id', 'shipment_id', 'reason'])
    .executeTakeFirst()
}
