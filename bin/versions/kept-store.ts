import type { Engine } from '../../src/platform/store/engine.ts'
import { migrate } from '../../src/platform/store/migrate.ts'
import type { PreparingClient } from '../../src/platform/store/prepared.ts'
import type { Files } from './kept-files.ts'

/** A store of a released version, whichever engine it is loaded into. */
export interface KeptStore {
  version: string
  /** The time it was made: a test that opens it should not be much later, or retention removes what it has. */
  madeAt: string
  /** The major version of the PostgreSQL in the embedded store, whose data folders no other major version opens. */
  embeddedMajor: number
  /** The migrations it has. */
  migrations: string[]
  tables: Record<string, Row[]>
  sequences: Record<string, number>
  /** The data folder without its store, such as images. */
  files: Files
  /** The records that were made in it, for the tests that read them again. */
  made: Record<string, string>
}

/** A row with its values as text, as the server prints them. */
type Row = Record<string, string | null>

export type StoreRows = Pick<KeptStore, 'embeddedMajor' | 'migrations' | 'tables' | 'sequences'>

/** Reads every row of a store. */
export async function readStore(engine: Engine): Promise<StoreRows> {
  return withClient(engine, async (client) => {
    const tables: Record<string, Row[]> = {}
    for (const table of await tableNames(client)) {
      const columns = (await writtenColumns(client, table)).map(({ name }) => `${quote(name)}::text`)
      tables[table] = await rowsOf(client, `select ${columns} from ${quote(table)}`)
    }
    const sequences = await rowsOf<{ name: string; value: number }>(
      client,
      `select sequencename as name, coalesce(last_value, 0)::int as value from pg_sequences where schemaname = 'public'`,
    )
    const [about] = await rowsOf<{ major: number }>(
      client,
      `select current_setting('server_version_num')::int / 10000 as major`,
    )
    return {
      embeddedMajor: about?.major ?? 0,
      migrations: (tables.schema_migrations ?? []).map(({ name }) => name ?? '').sort(),
      tables,
      sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, value])),
    }
  })
}

/** Makes an empty store the kept one: its migrations, then its rows. */
export async function fillStore(engine: Engine, kept: StoreRows): Promise<void> {
  await migrate(engine.pool, { names: kept.migrations })
  await withClient(engine, async (client) => {
    // Some migrations write rows, which the kept ones have as well. Nothing fires: the triggers have done their work.
    await client.query({ text: `set session_replication_role = replica` })
    for (const table of Object.keys(kept.tables)) await client.query({ text: `delete from ${quote(table)}` })
    for (const [table, rows] of Object.entries(kept.tables)) await insertRows(client, table, rows)
    for (const [name, value] of Object.entries(kept.sequences)) {
      if (value > 0) await client.query(`select setval($1::regclass, $2::bigint)`, [name, value])
    }
    await client.query({ text: `reset session_replication_role` })
  })
}

async function insertRows(client: PreparingClient, table: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const columns = await writtenColumns(client, table)
  const cast = columns.map(({ name, type }) => `${quote(name)}::${type}`)
  const asText = columns.map(({ name }) => `${quote(name)} text`)
  await client.query(
    `insert into ${quote(table)} (${columns.map(({ name }) => quote(name))}) overriding system value
     select ${cast} from json_to_recordset($1::json) as given (${asText})`,
    [JSON.stringify(rows)],
  )
}

async function tableNames(client: PreparingClient): Promise<string[]> {
  const text = `select tablename as name from pg_tables where schemaname = 'public' order by tablename`
  return (await rowsOf<{ name: string }>(client, text)).map(({ name }) => name)
}

/** All columns but those that are generated from others. */
function writtenColumns(client: PreparingClient, table: string): Promise<{ name: string; type: string }[]> {
  return rowsOf(
    client,
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = '${quote(table)}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
  )
}

async function rowsOf<Found = Row>(client: PreparingClient, text: string): Promise<Found[]> {
  return (await client.query({ text })).rows
}

async function withClient<Result>(
  { pool }: Engine,
  use: (client: PreparingClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    return await use(client)
  } finally {
    client.release()
  }
}

function quote(name: string): string {
  return `"${name}"`
}
