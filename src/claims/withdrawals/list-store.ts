import { type RawBuilder, sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { countUpTo } from '../../platform/store/count.ts'
import { claimStatuses } from '../claims/schema.ts'
import { type ClaimRow, readClaims } from '../claims/store.ts'

export interface WithdrawalSearch {
  status: string | undefined
  isLate: boolean | undefined
  /** Only of these orders: what the search text matched. */
  foundOrderIds: string[] | undefined
  limit: number
  offset: number
}

/** One page of withdrawals, newest first, plus one that shows whether there is a next page. */
export function listWithdrawals(context: ShopContext, search: WithdrawalSearch): Promise<ClaimRow[]> {
  const isBehind = search.offset + search.limit
  // Each run of the index is read up to the end of the page at most.
  const runs =
    search.foundOrderIds === undefined
      ? sql`
        select of_run.id, of_run.created_at
        from unnest(${statusesOf(search)}::text[]) as wanted_status
        cross join unnest(${latenessOf(search)}::boolean[]) as wanted_lateness
        cross join lateral (
          select id, created_at from claims
          where ${isWithdrawalOf(context)} and status = wanted_status and is_late = wanted_lateness
          order by created_at desc, id desc
          limit ${isBehind}
        ) as of_run`
      : sql`select id, created_at ${withdrawalsWhere(context, search)}`
  return readClaims(
    context,
    sql`
    select id, row_number() over (order by created_at desc, id desc) as position
    from (${runs}) as candidates
    order by created_at desc, id desc
    limit ${search.limit} offset ${search.offset}`,
  )
}

export function countWithdrawals(context: ShopContext, search: WithdrawalSearch): Promise<number | undefined> {
  const { status, isLate, foundOrderIds } = search
  const name = `withdrawals ${context.shop.id} ${JSON.stringify({ status, isLate, foundOrderIds })}`
  return countUpTo(context, name, withdrawalsWhere(context, search))
}

function withdrawalsWhere(context: ShopContext, search: WithdrawalSearch): RawBuilder<unknown> {
  return sql`from ${sourceOf(context, search)}
    where ${isWithdrawalOf(context)} and status = any(${statusesOf(search)}::text[])
      and is_late = any(${latenessOf(search)}::boolean[])`
}

/** More claims than an order ever has. */
const claimsPerOrder = 1_000

/** All claims, or those of the orders that were found: looked up for each, before a filter can suggest another index. */
function sourceOf({ shop }: ShopContext, { foundOrderIds }: WithdrawalSearch): RawBuilder<unknown> {
  if (foundOrderIds === undefined) return sql`claims`
  return sql`(
    select of_order.* from unnest(${foundOrderIds}::uuid[]) as found (id)
    cross join lateral (
      select * from claims where claims.shop_id = ${shop.id} and claims.order_id = found.id
      limit ${sql.lit(claimsPerOrder)}
    ) as of_order
  ) as claims`
}

function isWithdrawalOf({ shop }: ShopContext): RawBuilder<unknown> {
  return sql`shop_id = ${shop.id} and kind = 'withdrawal' and deleted_at is null`
}

function statusesOf({ status }: WithdrawalSearch): readonly string[] {
  return status === undefined ? claimStatuses : [status]
}

function latenessOf({ isLate }: WithdrawalSearch): boolean[] {
  return isLate === undefined ? [true, false] : [isLate]
}
