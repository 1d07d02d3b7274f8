import type { Selectable } from 'kysely'
import type { CheckOutcome } from '../../platform/foundation/connection-check.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'

export type CheckRow = Selectable<Tables['connection_checks']>

/** Keeps the last check of a connection, without what the other side replied. */
export async function putCheck(context: ShopContext, name: string, outcome: CheckOutcome): Promise<void> {
  const values = {
    result: outcome.result,
    reason: outcome.reason,
    http_status: outcome.status,
    facts: JSON.stringify(outcome.facts),
    missing_permissions: outcome.missingPermissions,
    checked_at: context.now,
  }
  await context.db
    .insertInto('connection_checks')
    .values({ shop_id: context.shop.id, name, ...values })
    .onConflict((conflict) => conflict.columns(['shop_id', 'name']).doUpdateSet(values))
    .execute()
}

export async function listChecks(context: ShopContext): Promise<Map<string, CheckRow>> {
  const rows = await context.db
    .selectFrom('connection_checks')
    .where('shop_id', '=', context.shop.id)
    .selectAll()
    .execute()
  return new Map(rows.map((row) => [row.name, row]))
}

/** The time the credentials of each system were set. */
export async function listCredentialTimes(context: ShopContext): Promise<Map<string, Date>> {
  const rows = await context.db
    .selectFrom('integration_keys')
    .where('shop_id', '=', context.shop.id)
    .select(['provider', 'updated_at'])
    .execute()
  return new Map(rows.map((row) => [row.provider, row.updated_at]))
}
