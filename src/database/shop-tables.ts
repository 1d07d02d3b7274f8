import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'

/** A table whose rows belong to shops. */
export interface ShopTable {
  name: string
  /** The columns that identify a row within its shop, in the order of the primary key; `shop_id` if a shop has one row. */
  key: string[]
}

/**
 * Every table whose rows belong to shops, those that refer to others first. Read from the database's own catalogue, so
 * that none can be forgotten.
 */
export async function listShopTables(context: Pick<Context, 'db'>): Promise<ShopTable[]> {
  const { rows } = await sql<ShopTable & { referrers: string[] }>`
    select owner.relname as name,
      array(
        select attname::text
        from unnest(pg_index.indkey::int2[]) with ordinality as part (number, position)
        join pg_attribute on attrelid = owner.oid and attnum = part.number
        where attname <> 'shop_id' or pg_index.indnkeyatts = 1
        order by part.position
      ) as key,
      array(
        select referrer.relname::text
        from pg_constraint
        join pg_class as referrer on referrer.oid = conrelid
        where contype = 'f' and confrelid = owner.oid and conrelid <> confrelid
      ) as referrers
    from pg_class as owner
    join pg_namespace as space on space.oid = owner.relnamespace
    join pg_index on pg_index.indrelid = owner.oid and pg_index.indisprimary
    where space.nspname = 'public' and owner.relkind in ('r', 'p') and not owner.relispartition
      and exists (select 1 from pg_attribute where attrelid = owner.oid and attname = 'shop_id' and not attisdropped)
    order by owner.relname`.execute(context.db)
  const waiting = new Map(rows.map((row) => [row.name, row]))
  const ordered: ShopTable[] = []
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ referrers }) => !referrers.some((name) => waiting.has(name)))
    if (free.length === 0) throw new Error(`tables refer to each other in a cycle: ${[...waiting.keys()].join(', ')}`)
    for (const { name, key } of free) {
      waiting.delete(name)
      ordered.push({ name, key })
    }
  }
  return ordered
}

export interface DeletedRows {
  count: number
  /** The key of the last one; undefined when none is left behind it. */
  last: string[] | undefined
}

/**
 * Deletes the next rows of a shop after the given key, in the order of the key. Starting at the key skips the index entries
 * of rows deleted before, which stay until a vacuum.
 */
export async function deleteRowsOfShop(
  context: Pick<Context, 'db'>,
  { name, key }: ShopTable,
  shopId: string,
  after: string[] | undefined,
  limit: number,
): Promise<DeletedRows> {
  const columns = key.map((column) => sql.ref(column))
  const isBehind = after ? sql`and (${sql.join(columns)}) > (${sql.join(after)})` : sql``
  const { rows } = await sql<{ count: number; last: string[] }>`
    with gone as (
      -- By ctid: for a range of keys, the planner may use another index and read all rows of the shop.
      delete from ${sql.table(name)} where shop_id = ${shopId} and ctid = any(array(
        select ctid from ${sql.table(name)} where shop_id = ${shopId} ${isBehind}
        order by ${sql.join(columns)}
        limit ${sql.lit(limit)}
      ))
      returning ${sql.join(columns)}
    )
    -- Keys as text, which is exact: a Date would cut what a time has below milliseconds.
    select count(*) over () as count, array[${sql.join(columns.map((column) => sql`${column}::text`))}] as last
    from gone
    order by ${sql.join(columns.map((column) => sql`${column} desc`))}
    limit 1`.execute(context.db)
  const [last] = rows
  return { count: last?.count ?? 0, last: last?.count === limit ? last.last : undefined }
}
