import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { Address } from '../../orders/orders/parts.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import type { StoredClaimDetails, StoredStatement } from './rules.ts'
import type { ClaimKind, ClaimStatus } from './schema.ts'
import { type ClaimSearch, pageOfClaimIds } from './search-store.ts'

/** A claim with the presented fields of its order and shipment. It is read as JSON, so times are ISO 8601 text. */
export interface StoredClaim {
  id: string
  order_id: string
  shipment_id: string
  kind: ClaimKind
  is_late: boolean
  statement: StoredStatement | null
  reason: string
  resolution_preference: string | null
  status: ClaimStatus
  description: string | null
  reply: string | null
  decided_at: string | null
  details: StoredClaimDetails
  created_at: string
  updated_at: string
  deleted_at: string | null
  order_number: string
  address: Address | null
  total: number | null
  shipping: number | null
  weight_grams: number | null
  tracking_number: string | null
  carrier_reference: string | null
  scan_date: string | null
}

/** A claim with what the desk shows beyond it. */
export interface ClaimRow extends StoredClaim {
  currency: string | null
  tracking_company: string | null
  pending: { status: ClaimStatus; reply: string | null; decided_by: string; due_at: string } | null
}

/** A context of which only the shop's id is used. */
export type InShop = Context & { shop: Pick<ShopContext['shop'], 'id'> }

/** The columns of a StoredClaim, from tables or aliases called `claims`, `orders` and `shipments`. */
const claimColumns = sql`
  claims.id, claims.order_id, claims.shipment_id, claims.kind, claims.is_late, claims.statement, claims.reason,
  claims.resolution_preference, claims.status,
  claims.description, claims.reply, claims.decided_at, claims.details, claims.created_at, claims.updated_at, claims.deleted_at,
  orders.order_number, orders.details -> 'address' as address, orders.details -> 'total_order_price' as total,
  orders.details -> 'shipping_price' as shipping, orders.details -> 'weight' as weight_grams,
  shipments.tracking_number, shipments.carrier_reference,
  (
    -- Events that the service records itself, such as ORDER_PROCESSED, are not scans.
    select event_time from shipment_events
    where shipment_events.shop_id = claims.shop_id and shipment_events.shipment_id = claims.shipment_id
      and shipment_events.source <> 'system'
    order by event_time desc
    limit 1
  ) as scan_date`

/** A left join: the claim stays when its shipment is deleted. */
const joinShipment = sql`
  left join shipments on shipments.shop_id = claims.shop_id and shipments.id = claims.shipment_id`

/** The further columns of a ClaimRow. */
const deskColumns = sql`
  orders.details ->> 'currency' as currency, shipments.tracking_company,
  (
    select json_build_object('status', pending.status, 'reply', pending.changes ->> 'reply',
      'decided_by', pending.decided_by, 'due_at', pending.due_at)
    from claim_decisions as pending
    where pending.shop_id = claims.shop_id and pending.claim_id = claims.id
  ) as pending`

/** All claims of the row called `orders` that are not deleted, oldest first, as a JSON array of StoredClaim. */
export const claimsOfOrder: RawBuilder<StoredClaim[]> = sql`(
  select coalesce(json_agg(to_json(claim) order by claim.created_at, claim.id), '[]')
  from (
    select ${claimColumns} from claims ${joinShipment}
    where claims.shop_id = orders.shop_id and claims.order_id = orders.id and claims.deleted_at is null
  ) as claim
)`

/** The claims of these orders, oldest first. */
export async function findClaimsIncludingDeleted(context: ShopContext, orderIds: string[]): Promise<StoredClaim[]> {
  const { rows } = await sql<{ claim: StoredClaim }>`
    select to_json(claim) as claim from (
      select ${claimColumns}
      from claims
      join orders on orders.shop_id = claims.shop_id and orders.id = claims.order_id
      ${joinShipment}
      where claims.shop_id = ${context.shop.id} and claims.order_id = any(${orderIds}::uuid[])
    ) as claim
    order by claim.created_at, claim.id`.execute(context.db)
  return rows.map(({ claim }) => claim)
}

/** A claim that is not deleted. */
export async function findClaim(context: InShop, id: string): Promise<ClaimRow | undefined> {
  const { rows } = await sql<{ claim: ClaimRow }>`
    select to_json(claim) as claim from (
      select ${claimColumns}, ${deskColumns}
      from claims
      join orders on orders.shop_id = claims.shop_id and orders.id = claims.order_id
      ${joinShipment}
      where claims.shop_id = ${context.shop.id} and claims.id = ${id} and claims.deleted_at is null
    ) as claim`.execute(context.db)
  return rows[0]?.claim
}

/** One page of claims, plus one claim that shows whether there is a next page. */
export function listClaims(context: ShopContext, search: ClaimSearch): Promise<ClaimRow[]> {
  return readClaims(context, pageOfClaimIds(context.shop.id, search))
}

/** The claims that a query names by `id`, in the order of its `position`. */
export async function readClaims(context: ShopContext, ids: RawBuilder<unknown>): Promise<ClaimRow[]> {
  const { rows } = await sql<{ claim: ClaimRow }>`
    select to_json(claim) as claim from (
      select found.position, ${claimColumns}, ${deskColumns}
      from (${ids}) as found
      join claims on claims.shop_id = ${context.shop.id} and claims.id = found.id
      join orders on orders.shop_id = claims.shop_id and orders.id = claims.order_id
      ${joinShipment}
    ) as claim
    order by claim.position`.execute(context.db)
  return rows.map(({ claim }) => claim)
}

export interface NewClaim {
  shopId: string
  id: string
  orderId: string
  shipmentId: string
  reason: string
  resolutionPreference: string | null
  status: ClaimStatus
  description: string | null
  details: StoredClaimDetails
  /** Of a withdrawal. */
  withdrawal: NewWithdrawal | undefined
  now: Date
}

export interface NewWithdrawal {
  isLate: boolean
  statement: StoredStatement
}

export async function insertClaim(context: Context, claim: NewClaim): Promise<void> {
  await context.db
    .insertInto('claims')
    .values({
      shop_id: claim.shopId,
      id: claim.id,
      order_id: claim.orderId,
      shipment_id: claim.shipmentId,
      reason: claim.reason,
      resolution_preference: claim.resolutionPreference,
      status: claim.status,
      description: claim.description,
      details: JSON.stringify(claim.details),
      created_at: claim.now,
      updated_at: claim.now,
      deleted_at: null,
      reply: null,
      kind: claim.withdrawal === undefined ? 'claim' : 'withdrawal',
      is_late: claim.withdrawal?.isLate ?? false,
      statement: claim.withdrawal === undefined ? null : JSON.stringify(claim.withdrawal.statement),
      ...decisionOf(claim.status, claim.now),
    })
    .execute()
}

export interface LockedClaim {
  orderId: string
  shipmentId: string
  status: ClaimStatus
  resolution_preference: string | null
  description: string | null
  reply: string | null
}

/** Locks a claim that is not deleted, so that concurrent updates each see the result of the one before. */
export async function lockClaim(context: Context, shopId: string, id: string): Promise<LockedClaim | undefined> {
  const { rows } = await sql<LockedClaim>`
    select order_id as "orderId", shipment_id as "shipmentId", status, resolution_preference, description, reply
    from claims
    where shop_id = ${shopId} and id = ${id} and deleted_at is null
    for no key update`.execute(context.db)
  return rows[0]
}

export async function updateClaim(
  context: Context,
  shopId: string,
  id: string,
  changes: Pick<Updateable<Tables['claims']>, 'status' | 'resolution_preference' | 'description' | 'reply'>,
): Promise<void> {
  await context.db
    .updateTable('claims')
    .set({
      ...changes,
      updated_at: sql`greatest(updated_at, ${context.now})`,
      ...(changes.status === undefined ? {} : sinceDecision(changes.status, context.now)),
    })
    .where('shop_id', '=', shopId)
    .where('id', '=', id)
    .execute()
}

/** The columns of a claim that is created with this status. */
function decisionOf(status: string, now: Date) {
  return status === 'pending' ? { decision: null, decided_at: null } : { decision: status, decided_at: now }
}

/** A later change, such as closing an accepted claim, keeps the decision. A claim that is pending again has none. */
function sinceDecision(status: string, now: Date) {
  if (status === 'pending') return decisionOf(status, now)
  const isFirst = sql`status = 'pending'`
  return {
    decision: sql<string | null>`case when ${isFirst} then ${status} else decision end`,
    decided_at: sql<Date | null>`case when ${isFirst} then ${now}::timestamptz else decided_at end`,
  }
}

/** Returns false if there is no such claim, or it is already deleted. */
export async function softDeleteClaim(context: ShopContext, id: string): Promise<boolean> {
  const hidden = await context.db
    .updateTable('claims')
    .set({ deleted_at: context.now })
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return hidden !== undefined
}
