import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Context } from '../foundation/context.ts'
import type { Tables } from '../foundation/tables.ts'
import { isOfStoppedShop } from './deleted-shops.ts'

/** Tables of jobs that one worker at a time works on: when each is due, how often it was leased and tried; by their keys. */
const keys = { imports: 'id', backfills: 'id', shop_system_catch_ups: 'system' } as const
type JobTable = keyof typeof keys

/**
 * Leases the job that has been due longest, of any shop that is neither deleted nor paused; its lease ends at the given
 * time. The number of the lease distinguishes a worker that was presumed dead from the one that took over.
 */
export async function leaseDue<Name extends JobTable>(
  context: Context,
  table: Name,
  leaseUntil: Date,
  changes: RawBuilder<unknown>,
): Promise<Selectable<Tables[Name]> | undefined> {
  const job = sql.table(table)
  const key = sql.ref(keys[table])
  const { rows } = await sql<Selectable<Tables[Name]>>`
    update ${job} set claim = claim + 1, attempts = least(attempts + 1, 1000), due_at = ${leaseUntil}, ${changes}
    from (
      select shop_id, ${key} from ${job}
      where due_at <= ${context.now} and not ${isOfStoppedShop(table)}
      order by due_at
      limit 1
      for update skip locked
    ) as due
    where ${job}.shop_id = due.shop_id and ${job}.${key} = due.${key}
    returning ${job}.*`.execute(context.db)
  return rows[0]
}
