import type { Selectable } from 'kysely'
import { after, dayMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'

export type GrantRow = Selectable<Tables['woocommerce_grants']>

/** How long a store may take to send its key. */
const grantMs = 10 * minuteMs

/** Begins a grant. One that the same person began before ends: its state is not accepted any longer. */
export async function putGrant(context: ShopContext, storeUrl: string, stateHash: Buffer): Promise<GrantRow> {
  const { keyId, kind, name } = context.principal
  const values = {
    actor_name: name,
    state_hash: stateHash,
    store_url: storeUrl,
    begun_at: context.now,
    expires_at: after(context.now, grantMs),
    used_at: null,
    problem: null,
  }
  return context.db
    .insertInto('woocommerce_grants')
    .values({ shop_id: context.shop.id, actor_kind: kind, actor_id: keyId, ...values })
    .onConflict((conflict) => conflict.columns(['shop_id', 'actor_kind', 'actor_id']).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Uses the state up: of several requests with it, one gets the grant. Undefined if it is unknown, used or too old. */
export async function useGrant(
  { db, now }: Pick<Context, 'db' | 'now'>,
  shopId: string,
  stateHash: Buffer,
): Promise<GrantRow | undefined> {
  return db
    .updateTable('woocommerce_grants')
    .set({ used_at: now })
    .where('shop_id', '=', shopId)
    .where('state_hash', '=', stateHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** Stores why the key was not stored, for the person who waits in the dashboard. */
export async function putGrantProblem({ db }: Pick<Context, 'db'>, grant: GrantRow, problem: string): Promise<void> {
  await db
    .updateTable('woocommerce_grants')
    .set({ problem: problem.slice(0, 1_000) })
    .where('shop_id', '=', grant.shop_id)
    .where('state_hash', '=', grant.state_hash)
    .execute()
}

/** The grant that was begun last. */
export async function findLastGrant(context: ShopContext): Promise<GrantRow | undefined> {
  return context.db
    .selectFrom('woocommerce_grants')
    .where('shop_id', '=', context.shop.id)
    .orderBy('begun_at', 'desc')
    .limit(1)
    .selectAll()
    .executeTakeFirst()
}

/** A day later nobody waits for it. */
export async function deleteOldGrants({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await db.deleteFrom('woocommerce_grants').where('expires_at', '<=', after(now, -dayMs)).execute()
}
