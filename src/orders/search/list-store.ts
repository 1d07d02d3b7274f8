import { type RawBuilder, sql } from 'kysely'
import { defineCache } from '../../platform/foundation/caches.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { offsetOf, type PageRequest, reachOf } from '../../platform/foundation/page.ts'
import { estimateRows } from '../../platform/store/count.ts'

/**
 * The records of a list, as ranges of indexes that are sorted as the list is. Filters that no index knows are applied to
 * the first `window` records only, so that a filter that matches nothing costs no more in a long history.
 */
export interface ListSource {
  /** Each is a sorted `select id, sorted_by, … from … order by sorted_by, id`. They are merged, and read only as far as needed. */
  ranges: RawBuilder<unknown>[]
  /** `from … where …` of the ranges together, for an estimate. */
  all: RawBuilder<unknown>
  /** Conditions on the columns of the ranges. */
  filters: RawBuilder<unknown>[]
  isDescending: boolean
  window: number
}

/**
 * The ids of one page, and one more if there is a next page. Most filters match often enough to fill a page from a small
 * part of the window, which is tried first: for the whole window, the planner may sort all of a shop's records.
 */
export async function listIds(context: ShopContext, source: ListSource, request: PageRequest): Promise<string[]> {
  const reach = Math.min(reachOf(request), source.window)
  if (source.filters.length === 0) return listWithin(context, source, request, reach)
  const part = Math.min(2 * reach, source.window)
  const found = await listWithin(context, source, request, part)
  if (found.length > request.perPage || part === source.window) return found
  return listWithin(context, source, request, source.window)
}

async function listWithin(
  context: ShopContext,
  source: ListSource,
  request: PageRequest,
  examinedRows: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (${examined(source, examinedRows)}) as examined
    where ${matching(source)}
    order by ${sortOf(source)}
    limit ${request.perPage + 1} offset ${offsetOf(request)}`.execute(context.db)
  return rows.map(({ id }) => id)
}

export interface ListTotal {
  total: number
  isEstimate: boolean
  /** Whether all records of the ranges were examined. */
  isComplete: boolean
}

/** Totals above the window; they take the longest to count, and matter least. */
const largeTotals = defineCache<ListTotal>({ name: 'list totals', maxEntries: 5_000, ttlMs: minuteMs })

/** The number of records that match, counted within the window and estimated beyond. */
export async function countList(context: ShopContext, name: string, source: ListSource): Promise<ListTotal> {
  const cache = context.services.caches.open(largeTotals)
  const known = cache.get(name)
  if (known) return known
  const { rows } = await sql<{ matches: number; examined: number }>`
    select count(*) filter (where ${matching(source)}) as matches, count(*) as examined
    from (${examined(source, source.window)}) as examined`.execute(context.db)
  const { matches, examined: count } = rows[0] ?? { matches: 0, examined: 0 }
  if (count < source.window) return { total: matches, isEstimate: false, isComplete: true }
  const estimate = Math.round((matches / source.window) * (await estimateRows(context, source.all)))
  const isComplete = source.filters.length === 0
  const total = { total: Math.max(matches, estimate), isEstimate: true, isComplete }
  cache.set(name, total)
  return total
}

function examined(source: ListSource, limit: number): RawBuilder<unknown> {
  return sql`
    select * from (${sql.join(
      // Each with the limit too: it is planned by itself, and would else be sorted as a whole.
      source.ranges.map((range) => sql`(${range} limit ${sql.lit(limit)})`),
      sql` union all `,
    )}) as ranges
    order by ${sortOf(source)}
    limit ${sql.lit(limit)}`
}

function matching({ filters }: ListSource): RawBuilder<unknown> {
  return filters.length === 0 ? sql`true` : sql.join(filters, sql` and `)
}

function sortOf({ isDescending }: ListSource): RawBuilder<unknown> {
  return isDescending ? sql`sorted_by desc, id desc` : sql`sorted_by, id`
}
