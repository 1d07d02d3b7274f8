import { sql } from 'kysely'
import type { ProviderName } from '../../adapters/carriers/registry.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { toStorableText } from '../../platform/foundation/storable-text.ts'

type Store = Pick<Context, 'db'>

/** Creates the row that counts a shop's requests to a provider, unless it exists. */
export async function openAccount(context: Store, shopId: string, provider: ProviderName, now: Date): Promise<void> {
  await context.db
    .insertInto('provider_accounts')
    .values({ shop_id: shopId, provider, next_free_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The result of a request to a provider. */
export interface ProviderHealth {
  shopId: string
  provider: ProviderName
  at: Date
  failure?: {
    /** 0 if there was no response. */
    status: number
    detail: string
    /** Consecutive failures, including this one. */
    failures: number
    /** Undefined if the failure is about one parcel only. */
    pausedUntil: Date | undefined
  }
}

/** Records the health of a provider. Concurrent failures write the same count, so they count once. */
export async function recordProviderHealth(context: Store, health: ProviderHealth): Promise<void> {
  const { shopId, provider, at, failure } = health
  const account = context.db
    .updateTable('provider_accounts')
    .where('shop_id', '=', shopId)
    .where('provider', '=', provider)
  if (failure === undefined) {
    await account.set({ failures: 0, last_success_at: at, failing_since: null, paused_until: null }).execute()
    return
  }
  await account
    .set({
      last_failure_at: at,
      last_failure_status: failure.status,
      last_failure_detail: toStorableText(failure.detail, 500),
      ...(failure.pausedUntil === undefined
        ? {}
        : {
            failures: failure.failures,
            failing_since: sql<Date>`coalesce(failing_since, ${at})`,
            paused_until: sql<Date>`greatest(paused_until, ${failure.pausedUntil})`,
          }),
    })
    .execute()
}

/** Ends a pause, because its cause may have been fixed. */
export async function resumeAccount(context: Store, shopId: string, provider: ProviderName): Promise<void> {
  await context.db
    .updateTable('provider_accounts')
    .set({ failures: 0, paused_until: null })
    .where('shop_id', '=', shopId)
    .where('provider', '=', provider)
    .execute()
}

export interface AccountRow {
  /** Until then, earlier requests take up a part of the limit. */
  next_free_at: Date
  gap_until: Date | null
  paused_until: Date | null
  last_success_at: Date | null
  last_failure_at: Date | null
  last_failure_status: number | null
  last_failure_detail: string | null
  failing_since: Date | null
}

/** The accounts of a shop, by provider. */
export async function findAccounts(context: Store, shopId: string): Promise<Map<string, AccountRow>> {
  const rows = await context.db.selectFrom('provider_accounts').where('shop_id', '=', shopId).selectAll().execute()
  return new Map(rows.map((row) => [row.provider, row]))
}
