import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { countLimit } from '../team-mail/view.ts'

// Every count ends at the limit, and every statement reads the beginning of a range of an index.

/** Open exceptions that were listed since the given time, among those that began last. */
export async function countNewExceptions(context: ShopContext, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select created_at from exceptions
      where shop_id = ${context.shop.id} and state = 'open'
      order by since desc, shipment_id desc
      limit ${sql.lit(countLimit)}
    ) as latest
    where created_at >= ${since}`.execute(context.db)
  return rows[0]?.count ?? 0
}

export interface WaitingClaims {
  /** Withdrawals included. */
  count: number
  withdrawals: number
  oldestAt: Date | null
}

/** Claims that nobody has decided about. */
export async function countWaitingClaims(context: ShopContext): Promise<WaitingClaims> {
  const { rows } = await sql<WaitingClaims>`
    select count(*)::int as count, (count(*) filter (where kind = 'withdrawal'))::int as withdrawals,
      min(created_at) as "oldestAt"
    from (
      select created_at, kind from claims
      where shop_id = ${context.shop.id} and status = 'pending' and deleted_at is null
      limit ${sql.lit(countLimit)}
    ) as waiting`.execute(context.db)
  return rows[0] ?? { count: 0, withdrawals: 0, oldestAt: null }
}
