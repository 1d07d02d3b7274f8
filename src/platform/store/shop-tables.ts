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

interface NextRows {
  /** The key of the last row before them; undefined: from the first. */
  after: string[] | undefined
  limit: number
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
  { after, limit }: NextRows,
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

export interface ShopColumn {
  name: string
  /** As SQL spells it. */
  type: string
  /** False if the database makes its values itself, such as a running number. */
  isStored: boolean
}

export async function listColumns(context: Pick<Context, 'db'>, table: string): Promise<ShopColumn[]> {
  const { rows } = await sql<ShopColumn>`
    select attname as name, format_type(atttypid, atttypmod) as type,
      attgenerated = '' and attidentity = '' as "isStored"
    from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
    order by attnum`.execute(context.db)
  return rows
}

export interface ReadRows {
  /** Each as JSON, which has every value exactly: times to the microsecond, bytes, numbers of any length. */
  rows: string[]
  /** The key of the last one; undefined when none is left behind it. */
  last: string[] | undefined
}

/** Reads the next rows of a shop after the given key, in the order of the key. */
export async function readRowsOfShop(
  context: Pick<Context, 'db'>,
  { name, key }: ShopTable,
  shopId: string,
  { after, limit }: NextRows,
): Promise<ReadRows> {
  const columns = key.map((column) => sql.ref(column))
  const isBehind = after ? sql`and (${sql.join(columns)}) > (${sql.join(after)})` : sql``
  const { rows } = await sql<{ row: string; key: string[] }>`
    select to_jsonb(found)::text as row, array[${sql.join(columns.map((column) => sql`${column}::text`))}] as key
    from ${sql.table(name)} as found
    where shop_id = ${shopId} ${isBehind}
    order by ${sql.join(columns)}
    limit ${sql.lit(limit)}`.execute(context.db)
  return { rows: rows.map(({ row }) => row), last: rows.length < limit ? undefined : rows.at(-1)?.key }
}

/** Inserts rows that were read so, as a JSON list, into the table of one shop. Ids of `replaced` columns that the map names are replaced. */
export async function insertRows(
  context: Pick<Context, 'db'>,
  { table, columns, shopId }: { table: string; columns: readonly ShopColumn[]; shopId: string },
  rows: string,
  replaced: { columns: readonly string[]; ids: Readonly<Record<string, string>> },
): Promise<void> {
  const ids = JSON.stringify(replaced.ids)
  const stored = columns.filter(({ isStored }) => isStored)
  const values = stored.map(({ name, type }) => {
    // Any shop in the rows is ignored: they belong to this one.
    if (name === 'shop_id') return sql`${shopId}::uuid`
    return replaced.columns.includes(name)
      ? sql`coalesce((${ids}::jsonb ->> (${sql.ref(`given.${name}`)}::text))::${sql.raw(type)}, ${sql.ref(`given.${name}`)})`
      : sql.ref(`given.${name}`)
  })
  await sql`
    insert into ${sql.table(table)} (${sql.join(stored.map(({ name }) => sql.ref(name)))})
    select ${sql.join(values)}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${rows}::jsonb) as given`.execute(context.db)
}
