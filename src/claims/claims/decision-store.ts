import { sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'
import type { ClaimKey } from './change.ts'
import type { ClaimStatus, ClaimUpdate } from './schema.ts'

/** A decision that has not taken effect. */
export interface PendingDecision {
  status: ClaimStatus
  /** The other fields that it changes. */
  changes: Pick<ClaimUpdate, 'reply' | 'resolution_preference'>
  /** The name, kind and id of the principal that decided. */
  decidedBy: string
  actorKind: string
  actorId: string
}

/**
 * Locks claims that are not deleted and returns their statuses. Everyone locks claims before their decisions, and in the
 * order of their ids, so that nobody waits in a circle.
 */
export async function lockClaimStatuses(context: ShopContext, ids: string[]): Promise<Map<string, ClaimStatus>> {
  const { rows } = await sql<{ id: string; status: ClaimStatus }>`
    select id, status from claims
    where shop_id = ${context.shop.id} and id = any(${ids}::uuid[]) and deleted_at is null
    order by id
    for no key update`.execute(context.db)
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** A decision replaces one about the same claim that has not taken effect. */
export async function putDecisions(
  context: ShopContext,
  claimIds: string[],
  decision: PendingDecision,
  dueAt: Date,
): Promise<void> {
  const { status, changes, decidedBy, actorKind, actorId } = decision
  await sql`
    insert into claim_decisions
      (shop_id, claim_id, status, changes, decided_by, actor_kind, actor_id, decided_at, due_at)
    select ${context.shop.id}, claim_id, ${status}, ${JSON.stringify(changes)}::jsonb, ${decidedBy}, ${actorKind},
      ${actorId}, ${context.now}, ${dueAt}
    from unnest(${claimIds}::uuid[]) as claim_id
    on conflict (shop_id, claim_id) do update set status = excluded.status, changes = excluded.changes,
      decided_by = excluded.decided_by, actor_kind = excluded.actor_kind, actor_id = excluded.actor_id,
      decided_at = excluded.decided_at, due_at = excluded.due_at`.execute(context.db)
}

/** Returns the claims whose decision was still pending. */
export async function deleteDecisions(context: ShopContext, claimIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    delete from claim_decisions where shop_id = ${context.shop.id} and claim_id = any(${claimIds}::uuid[])
    returning claim_id as id`.execute(context.db)
  return new Set(rows.map(({ id }) => id))
}

/** A change of the claim that takes effect at once replaces what was decided before. Its claim is locked. */
export async function dropDecision(context: ShopContext, claimId: string): Promise<void> {
  await deleteDecisions(context, [claimId])
}

/** The claims whose decision is due, the longest due first. */
export async function listDueDecisions(context: Context, limit: number): Promise<ClaimKey[]> {
  const { rows } = await sql<ClaimKey>`
    select shop_id as "shopId", claim_id as id from claim_decisions
    where due_at <= ${context.now}
      and not ${isOfStoppedShop('claim_decisions')}
    order by due_at
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/**
 * Removes a due decision, which the same transaction applies; undefined if another node is doing that, or if it was undone
 * or replaced.
 */
export async function claimDecision(context: Context, { shopId, id }: ClaimKey): Promise<PendingDecision | undefined> {
  const { rows: locked } = await sql`
    select id from claims where shop_id = ${shopId} and id = ${id}
    for no key update skip locked`.execute(context.db)
  if (locked.length === 0) return undefined
  const { rows } = await sql<PendingDecision>`
    delete from claim_decisions where shop_id = ${shopId} and claim_id = ${id} and due_at <= ${context.now}
    returning status, changes, decided_by as "decidedBy", actor_kind as "actorKind", actor_id as "actorId"`.execute(
    context.db,
  )
  return rows[0]
}

/** A decision that could not be applied must not keep the others waiting. */
export async function postponeDecision(context: Context, { shopId, id }: ClaimKey, dueAt: Date): Promise<void> {
  await sql`
    update claim_decisions set due_at = ${dueAt}
    where shop_id = ${shopId} and claim_id = ${id} and due_at <= ${context.now}`.execute(context.db)
}
