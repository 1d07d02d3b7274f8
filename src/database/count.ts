import { type SelectQueryBuilder, sql } from 'kysely'
import type { Context } from '../foundation/operation.ts'
import { exactTotalLimit } from '../foundation/page.ts'
import type { Tables } from './tables.ts'

/** Queries that were found to have more rows than the limit, and until when that is taken as known. */
const aboveUntil = new Map<string, number>()
const rememberMs = 60_000

/**
 * The number of rows a query has, up to the limit; undefined above it. Counting never reads more than the limit, and a
 * query that was above it a moment ago is not counted again: a shop's history rarely shrinks.
 */
export async function countUpTo<Source extends keyof Tables>(
  context: Context,
  query: SelectQueryBuilder<Tables, Source, object>,
  limit = exactTotalLimit,
): Promise<number | undefined> {
  const compiled = query.compile()
  const key = `${compiled.sql} ${JSON.stringify(compiled.parameters)}`
  const now = performance.now()
  if ((aboveUntil.get(key) ?? 0) > now) return undefined
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${query.select(sql`1`.as('one')).limit(limit + 1)}) as counted`.execute(context.db)
  const count = rows[0]?.count ?? 0
  if (count <= limit) return count
  if (aboveUntil.size > 5_000) aboveUntil.clear()
  aboveUntil.set(key, now + rememberMs)
  return undefined
}
