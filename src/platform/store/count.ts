import { type RawBuilder, sql } from 'kysely'
import { defineCache } from '../foundation/caches.ts'
import { minuteMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { exactTotalLimit } from '../foundation/page.ts'

/** Searches that had more rows than the limit when they were last counted. */
const largeSearches = defineCache<true>({ name: 'large searches', maxEntries: 5_000, ttlMs: minuteMs })

/**
 * The number of rows of a query, up to the limit; undefined above it. Counting never reads more than the limit, and a
 * search that was above it a moment ago is not counted again: a shop's history rarely shrinks.
 */
export async function countUpTo(
  context: Context,
  /** Names the search: the shop and the filters as they were given. */
  search: string,
  /** `from … where …` */
  rest: RawBuilder<unknown>,
  /** A quicker way to the same number; returns undefined if it does not know. */
  countOtherwise: () => Promise<number | undefined> = async () => undefined,
): Promise<number | undefined> {
  const large = context.services.caches.open(largeSearches)
  if (large.get(search)) return undefined
  const count = (await countOtherwise()) ?? (await countRows(context, rest))
  if (count <= exactTotalLimit) return count
  large.set(search, true)
  return undefined
}

async function countRows(context: Context, rest: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 ${rest} limit ${sql.lit(exactTotalLimit + 1)}) as counted`.execute(
    context.db,
  )
  return rows[0]?.count ?? 0
}

/** The planner's estimate of a query's rows, for totals above the limit. */
export async function estimateRows(context: Context, rest: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select 1 ${rest}`.execute(context.db)
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}
