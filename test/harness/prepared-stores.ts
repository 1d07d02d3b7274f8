import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { dataDir } from '@electric-sql/pglite-prepopulatedfs'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase } from '../../src/platform/store/database.ts'
import { openInMemory } from '../../src/platform/store/embedded/in-memory.ts'
import type { Engine } from '../../src/platform/store/engine.ts'
import { migrate } from '../../src/platform/store/migrate.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { makePrivateFolder } from '../../src/platform/store/private-folder.js'
import { keptBetweenRuns, stampsOf } from './kept-between-runs.ts'
import { oncePerRun } from './once-per-run.ts'

const idle: Engine[] = []
/** The schema of a fresh store; the same for all of a run. */
let freshSchema: string | undefined

/**
 * An embedded store in memory with all migrations applied and no rows. Opening one takes a second and a half of
 * processor time, so a closed store is emptied and reused.
 */
export async function openMemoryStore(): Promise<Engine> {
  const store = idle.pop() ?? (await openInMemory(await archiveMemoryStore()))
  freshSchema ??= await describeSchema(store)
  let isOpen = true
  return {
    ...store,
    pool: {
      ...store.pool,
      connect() {
        if (!isOpen) throw new Error('this store was closed')
        return store.pool.connect()
      },
    },
    listen: (channel, handle) => store.listen(channel, (payload) => isOpen && handle(payload)),
    listeningSince: () => (isOpen ? store.listeningSince() : undefined),
    async close() {
      if (!isOpen) return
      isOpen = false
      // A test may have dropped a table or added a constraint: such a store is not lent again.
      if ((await describeSchema(store)) !== freshSchema) return store.close()
      await empty(store)
      idle.push(store)
    },
  }
}

/** A digest of the tables, constraints, triggers and functions of a store. */
async function describeSchema({ pool }: Engine): Promise<string> {
  const client = await pool.connect()
  try {
    const { rows } = (await client.query(`
      select md5(string_agg(item, ',' order by item)) as digest from (
        select 'table ' || relname || ' ' || relnatts from pg_class where relnamespace = 'public'::regnamespace
        union all
        select 'constraint ' || conname from pg_constraint where connamespace = 'public'::regnamespace
        union all
        select 'trigger ' || tgname from pg_trigger where not tgisinternal
        union all
        select 'function ' || proname from pg_proc where pronamespace = 'public'::regnamespace
      ) as items (item)`)) as { rows: { digest: string }[] } // as it is selected
    return rows[0]?.digest ?? ''
  } finally {
    client.release()
  }
}

async function empty({ pool }: Engine): Promise<void> {
  const client = await pool.connect()
  try {
    // Truncating a table takes as long whether it has rows or not, and most have none.
    const { rows: tables } = (await client.query(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`,
    )) as { rows: { name: string }[] } // as selected
    const { rows } = (await client.query(
      tables.map(({ name }) => `select '${name}' as name where exists (select from ${name})`).join(' union all '),
    )) as { rows: { name: string }[] } // as selected
    if (rows.length > 0) await client.query(`truncate ${rows.map(({ name }) => name).join(', ')} cascade`)
    // The migrations write this into every new store.
    await client.query(
      `insert into installation (name, value) values ('sealed_webhook_addresses', 'on')
       on conflict (name) do update set value = excluded.value`,
    )
    await client.query(
      `select setval(format('%I', sequencename)::regclass, start_value, false) from pg_sequences
       where schemaname = 'public' and last_value is not null`,
    )
    // Statistics outlive the rows, and by those of small shops a foreign key is checked against all orders of a shop.
    await client.query(
      `delete from pg_statistic using pg_class
       where pg_class.oid = starelid and relnamespace = 'public'::regnamespace`,
    )
  } finally {
    client.release()
  }
}

/**
 * The archive of an embedded store with all migrations applied: loading it is faster than migrating an empty one, which
 * takes three seconds of processor time. So it is kept until a migration, or what applies it, changes.
 */
function archiveMemoryStore(): Promise<string> {
  const folder = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
  return oncePerRun('memory-store', async (place) => {
    const state =
      stampsOf([folder('migrations'), folder('src/platform/store')]) + readFileSync(folder('package-lock.json'), 'utf8')
    symlinkSync(await keptBetweenRuns('memory-store', state, writeArchive), place)
  })
}

async function writeArchive(path: string): Promise<void> {
  const store = await PGlite.create({ loadDataDir: await dataDir() })
  try {
    await migrate({
      connect: async () => ({
        // `migrate` passes a text with parameters, or an object for a whole file of statements.
        query: (sql: string | { text: string }, parameters?: unknown[]) =>
          typeof sql === 'string' ? store.query(sql, parameters) : store.exec(sql.text),
        release() {},
      }),
      end: async () => {},
    })
    await store.query('checkpoint')
    const archive = await store.dumpDataDir('none')
    writeFileSync(path, Buffer.from(await archive.arrayBuffer()))
  } finally {
    await store.close()
  }
}

/** Writes an embedded store with all migrations applied and no rows into a data folder: faster than migrating it there. */
export async function writeMigratedStore(dataDir: string): Promise<void> {
  const archive = await archiveMemoryStore()
  const folder = join(dataDir, 'store')
  makePrivateFolder(folder)
  // Its files are for their owner alone, as those that the service writes.
  const unpack = 'umask 077; exec tar --no-same-owner --no-same-permissions -xf "$0" -C "$1"'
  await promisify(execFile)('sh', ['-c', unpack, archive, folder])
}

let databases = 0

/** Creates an empty database on the server of TEST_DATABASE_URL, dropped when the run ends. */
export async function createPostgresDatabase(): Promise<string> {
  databases += 1
  return createNamed(`${process.pid}_${databases}`)
}

/** Creates a database with all migrations applied: a copy of one that is migrated once per run. */
export async function createMigratedPostgresDatabase(): Promise<string> {
  await oncePerRun('template-database', async () => {
    const database = await createDatabase(await openPostgres(await createNamed(templateName), 1))
    await database.close()
  })
  databases += 1
  return createNamed(`${process.pid}_${databases}`, templateName)
}

const templateName = '0_0'

async function createNamed(suffix: string, template?: string): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL ?? ''
  const prefix = inject('databasePrefix')
  const name = `${prefix}${suffix}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(`create database ${name}${template === undefined ? '' : ` template ${prefix}${template}`}`)
    // Nothing here outlives the run, so no test waits for the disk.
    await client.query(`alter database ${name} set synchronous_commit = off`)
  } finally {
    await client.end()
  }
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
