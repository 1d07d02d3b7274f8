import pg from 'pg'
import { copyOut } from './copy.ts'
import type { PreparingClient } from './prepared.ts'

/** A table with the columns that are stored; those that PostgreSQL computes are not among them. */
export interface StoredTable {
  name: string
  columns: string[]
}

export interface StoredSequence {
  name: string
  value: number
  isCalled: boolean
}

export interface AppliedMigration {
  name: string
  checksum: string
}

/** About the size of a part of a table that is in memory at a time. */
const partBytes = 2_000_000
const blockBytes = 8_192

/** From here to `endSnapshot`, this connection sees the store as it is now. Writers do not wait for it. */
export async function beginSnapshot(client: PreparingClient): Promise<void> {
  await client.query({ text: 'begin isolation level repeatable read read only' })
  const tables = await listStoredTables(client)
  // As pg_dump does: a table must not be rewritten before it is read.
  const names = tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
  if (names !== '') await client.query({ text: `lock table ${names} in access share mode` })
}

export async function endSnapshot(client: PreparingClient): Promise<void> {
  await client.query({ text: 'rollback' })
}

/** Every table whose rows outlive a crash, read from the database's own catalogue, so that none can be forgotten. */
export async function listStoredTables(client: PreparingClient): Promise<StoredTable[]> {
  const { rows } = await client.query({
    text: `
      select relname as name, array(
        select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum
      ) as columns
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'
        and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')
      order by relname`,
  })
  return rows
}

export async function listSequences(client: PreparingClient): Promise<StoredSequence[]> {
  const { rows } = await client.query({
    text: `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`,
  })
  const sequences: StoredSequence[] = []
  for (const { name } of rows as { name: string }[]) {
    const { rows: states } = await client.query({
      text: `select last_value as value, is_called as "isCalled" from ${pg.escapeIdentifier(name)}`,
    })
    sequences.push({ name, ...states[0] })
  }
  return sequences
}

export async function listAppliedMigrations(client: PreparingClient): Promise<AppliedMigration[]> {
  const { rows } = await client.query({ text: 'select name, checksum from schema_migrations order by name' })
  return rows
}

export async function readFact(client: PreparingClient, fact: string): Promise<string | undefined> {
  const { rows } = await client.query({
    text: `select value from installation where name = ${pg.escapeLiteral(fact)}`,
  })
  return rows[0]?.value
}

/** The rows of a table as COPY's text, some blocks of the table at a time. */
export async function* readTable(
  client: PreparingClient,
  { name, columns }: StoredTable,
): AsyncGenerator<{ bytes: Buffer; rows: number }> {
  const table = pg.escapeIdentifier(name)
  const { rows } = await client.query({
    text: `select pg_relation_size('public.${table}') as heap, pg_table_size('public.${table}') as whole`,
  })
  const { heap, whole } = rows[0] as { heap: number; whole: number }
  const blocks = Math.ceil(heap / blockBytes)
  // Long values are stored beside the table: the more of them, the fewer blocks at a time.
  const step = Math.max(1, Math.floor((partBytes / blockBytes) * (heap / Math.max(heap, whole))))
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  for (let block = 0; block < blocks; block += step) {
    const part = `select ${list} from public.${table} where ctid >= '(${block},0)' and ctid < '(${block + step},0)'`
    const copied = await copyOut(client, `copy (${part}) to stdout`)
    if (copied.rows > 0) yield copied
  }
}

export interface StoredImage {
  shopId: string
  key: string
  mediaType: string
}

/** The images that rows refer to, in the order of their key. */
export async function* listStoredImages(client: PreparingClient): AsyncGenerator<StoredImage> {
  let after: StoredImage | undefined
  for (;;) {
    const { rows } = (await client.query(
      `select shop_id::text as "shopId", key, media_type as "mediaType" from images
       where (shop_id, key) > ($1::uuid, $2) order by shop_id, key limit 500`,
      [after?.shopId ?? '00000000-0000-0000-0000-000000000000', after?.key ?? ''],
    )) as { rows: StoredImage[] }
    yield* rows
    after = rows.at(-1)
    if (after === undefined || rows.length < 500) return
  }
}
