import pg from 'pg'
import { copyIn } from './copy.ts'
import { customsGroupFact, sealedAddressesFact } from './installation.ts'
import { type Migration, readMigration } from './migrations.ts'
import type { PreparingClient } from './prepared.ts'
import { type AppliedMigration, listStoredTables, type StoredSequence } from './store-contents.ts'

/** Facts that the migrations record about every new store. */
const factsOfNewStores = [sealedAddressesFact, customsGroupFact].map((name) => pg.escapeLiteral(name)).join(', ')

/** Whether any table has a row, except for the list of migrations and the facts of new stores. */
export async function hasRows(client: PreparingClient): Promise<boolean> {
  for (const { name } of await listStoredTables(client)) {
    if (name === 'schema_migrations') continue
    const others = name === 'installation' ? `where name not in (${factsOfNewStores})` : ''
    const { rows } = await client.query({
      text: `select exists (select 1 from public.${pg.escapeIdentifier(name)} ${others}) as found`,
    })
    if (rows[0].found) return true
  }
  return false
}

/**
 * Replaces everything in the store, in one transaction: until `commit`, others see the old content, and a failure keeps
 * it. Constraints between tables are checked at the end, and triggers do not fire: rows come as they were.
 */
export class StoreLoad {
  readonly #client: PreparingClient
  readonly #counts = new Map<string, number>()
  #foreignKeys: { relation: string; name: string; definition: string }[] = []

  constructor(client: PreparingClient) {
    this.#client = client
  }

  /** Makes the tables as these migrations did. */
  async begin(migrations: readonly AppliedMigration[]): Promise<void> {
    await this.#run('begin')
    await this.#dropEverything()
    await this.#run(
      'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    for (const { name } of migrations) await this.#apply(readMigration(name))
    const tables = await listStoredTables(this.#client)
    const names = tables.map(({ name }) => `public.${pg.escapeIdentifier(name)}`)
    await this.#dropForeignKeys()
    // Migrations may have written rows of their own.
    for (const name of names) await this.#run(`delete from ${name}`)
    for (const name of names) await this.#run(`alter table ${name} disable trigger user`)
    for (const { name } of tables) this.#counts.set(name, 0)
  }

  /** Throws if the migrations have made no such table. */
  checkTable(table: string): number {
    const count = this.#counts.get(table)
    if (count === undefined) throw new Error(`The migrations of the backup make no table ${table.slice(0, 100)}.`)
    return count
  }

  /** Rows as COPY's text, whole lines only. */
  async addRows(table: string, columns: readonly string[], bytes: Uint8Array): Promise<void> {
    const count = this.checkTable(table)
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    const added = await copyIn(this.#client, `copy public.${pg.escapeIdentifier(table)} (${list}) from stdin`, bytes)
    this.#counts.set(table, count + added)
  }

  async hasImage(shopId: string, key: string): Promise<boolean> {
    const { rows } = await this.#run(
      `select 1 from public.images where shop_id = ${pg.escapeLiteral(shopId)} and key = ${pg.escapeLiteral(key)}`,
    )
    return rows.length > 0
  }

  /** Rows by table that are in the store now, counted there. */
  async countRows(): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    for (const table of this.#counts.keys()) {
      const { rows } = await this.#run(`select count(*) as count from public.${pg.escapeIdentifier(table)}`)
      counts.set(table, rows[0].count)
    }
    return counts
  }

  async finish(sequences: readonly StoredSequence[]): Promise<void> {
    for (const { name, value, isCalled } of sequences) {
      const sequence = pg.escapeLiteral(`public.${pg.escapeIdentifier(name)}`)
      await this.#run(`select setval(${sequence}::regclass, ${Number(value)}, ${isCalled === true})`)
    }
    for (const table of this.#counts.keys()) {
      await this.#run(`alter table public.${pg.escapeIdentifier(table)} enable trigger user`)
    }
    for (const { relation, name, definition } of this.#foreignKeys) {
      await this.#run(`alter table ${relation} add constraint ${pg.escapeIdentifier(name)} ${definition}`)
    }
  }

  /** Applies migrations that the rows do not have yet, in the same transaction: if one fails, nothing has happened. */
  async migrate(names: readonly string[], folder?: URL): Promise<void> {
    for (const migration of names.map((name) => readMigration(name, folder))) {
      await this.#apply(migration).catch((error: Error) => {
        throw new Error(`migrations/${migration.name} failed: ${error.message}`, { cause: error })
      })
      const values = [migration.name, migration.checksum].map((text) => pg.escapeLiteral(text)).join(', ')
      await this.#run(`insert into schema_migrations (name, checksum) values (${values})`)
    }
  }

  async commit(): Promise<void> {
    await this.#run('commit')
  }

  /** Plans of the first minutes depend on it. */
  async analyze(): Promise<void> {
    await this.#run('analyze')
  }

  async rollBack(): Promise<void> {
    await this.#run('rollback')
  }

  /** Nobody else uses these tables yet, so what usually runs outside a transaction can be part of it. */
  async #apply({ text }: Migration): Promise<void> {
    await this.#run(text.replaceAll(/\bindex concurrently\b/gi, 'index'))
  }

  async #dropForeignKeys(): Promise<void> {
    const { rows } = await this.#run(
      `select conrelid::regclass::text as relation, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conname`,
    )
    this.#foreignKeys = rows
    for (const { relation, name } of this.#foreignKeys) {
      await this.#run(`alter table ${relation} drop constraint ${pg.escapeIdentifier(name)}`)
    }
  }

  /** Drops everything that the migrations of any version have created; extensions keep their own objects. */
  async #dropEverything(): Promise<void> {
    const { rows } = await this.#run(
      `select format('drop table %s cascade', oid::regclass) as statement from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')
       union all
       select format('drop function %s cascade', oid::regprocedure) from pg_proc
       where pronamespace = 'public'::regnamespace
         and not exists (select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e')
       order by 1 desc`,
    )
    for (const { statement } of rows as { statement: string }[]) await this.#run(statement)
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows are whatever the statement returns, as with Kysely's own client
  #run(text: string): Promise<{ rows: any[] }> {
    return this.#client.query({ text })
  }
}
