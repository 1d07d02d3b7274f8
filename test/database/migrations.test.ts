import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../src/platform/store/database.ts'
import { openInMemory } from '../../src/platform/store/embedded/in-memory.ts'
import type { Engine } from '../../src/platform/store/engine.ts'
import { migrate, splitStatements } from '../../src/platform/store/migrate.ts'
import { migrationNames, readMigration } from '../../src/platform/store/migrations.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { findLongLocks } from '../harness/migration-rules.ts'
import { newFolder } from '../harness/new-folder.ts'
import { createPostgresDatabase, openMemoryStore } from '../harness/prepared-stores.ts'

/** Up to here, migrations were written before there were rules. */
const lastBeforeRules = '0059_endpoint_conditions_headers_circuit.sql'

describe('migrations', () => {
  it('take no long locks, and leave the previous version what it uses', () => {
    const wrong = migrationNames()
      .filter((name) => name > lastBeforeRules)
      .flatMap((name) => findLongLocks(readMigration(name)).map((finding) => `${name}: ${finding}`))
    expect(wrong).toEqual([])
  })

  it.each([
    'create index orders_x on orders (x)',
    'create index concurrently orders_x on orders (x)',
    'alter table orders add column x int not null',
    'alter table orders add column x text generated always as (lower(y)) stored',
    'alter table orders add column x uuid default gen_random_uuid()',
    'alter table orders alter column x type bigint',
    'alter table orders alter column x set not null',
    'alter table orders add constraint positive check (x > 0)',
    'alter table orders drop column x',
    'alter table orders rename column x to y',
    'alter table orders rename to purchases',
    'update orders set x = 1',
    'drop table orders',
  ])('are rejected for: %s', (text) => {
    expect(findLongLocks({ text, isOutsideTransaction: false })).toHaveLength(1)
  })

  it.each([
    'alter table orders add column x int',
    "alter table orders add column x text not null default ''",
    'alter table orders add constraint positive check (x > 0) not valid',
    'create table t (id int); create index t_id on t (id); alter table t drop column id',
  ])('are accepted for: %s', (text) => {
    expect(findLongLocks({ text, isOutsideTransaction: false })).toEqual([])
  })

  it('outside a transaction have only statements that can be repeated', () => {
    const text = 'create index concurrently a on b (c)'
    expect(findLongLocks({ text, isOutsideTransaction: true })).toHaveLength(1)
  })

  it('are split at the ends of their statements only', () => {
    const body = `create function f() returns int as $x$ select 1; $x$ language sql`
    expect(splitStatements(`-- a; b\nselect ';' /* ; */; ${body};\n`)).toEqual([`select ';'`, body])
  })
})

const reason = process.env.TEST_DATABASE_URL ? '' : ' (skipped: set TEST_DATABASE_URL to run it)'
const files = {
  '0901_table.sql': 'create table things (id int, name text); insert into things values (1, null);',
  '0902_index.sql':
    '-- outside a transaction\ncreate index concurrently if not exists things_id on things (id);\ncreate index concurrently if not exists things_name on things (name);',
}

describe('a migration outside a transaction', () => {
  it('is applied by the embedded store', async () => {
    const engine = await openInMemory()
    expect(await migrate(engine.pool, { folder: writeMigrations() })).toEqual(Object.keys(files))
    expect(await read(engine, validIndexes)).toEqual([{ name: 'things_id' }, { name: 'things_name' }])
    await engine.close()
  })

  it.skipIf(reason !== '')(`continues after a try that was killed${reason}`, async () => {
    const folder = writeMigrations()
    const { engine, url } = await openServerStore()
    await migrate(engine.pool, { folder, names: ['0901_table.sql'] })
    // It waits for a transaction that has written, and is killed there.
    const open = await connect(url)
    await open.query('begin; update things set id = 2')
    const migrating = migrate(engine.pool, { folder })
    const failed = expect(migrating).rejects.toThrow()
    const building = `from pg_stat_activity where datname = current_database() and query like 'create index%' and state = 'active'`
    // Of its own: within a transaction, the activity of others stays as it was first seen.
    const observer = await connect(url)
    await expect.poll(async () => (await observer.query(`select 1 ${building}`)).rowCount).toBe(1)
    await observer.query(`select pg_terminate_backend(pid) ${building}`)
    await failed
    expect((await observer.query('select 1 from pg_index where not indisvalid')).rowCount).toBe(1)
    await open.query('commit')
    // Several nodes start at once.
    const second = await openPostgres(url, 2)
    onTestFinished(() => second.close())
    const applied = await Promise.all([migrate(engine.pool, { folder }), migrate(second.pool, { folder })])
    expect(applied.flat()).toEqual(['0902_index.sql'])
    expect(await read(engine, validIndexes)).toEqual([{ name: 'things_id' }, { name: 'things_name' }])
  })
})

describe.skipIf(reason !== '')(`a migration that has to wait for a lock${reason}`, () => {
  it('lets others pass meanwhile', async () => {
    const folder = writeMigrations({ '0903_column.sql': 'alter table things add column added int;' })
    const { engine, url } = await openServerStore()
    await migrate(engine.pool, { folder, names: ['0901_table.sql'] })
    const open = await connect(url)
    await open.query('begin; select 1 from things')
    const migrating = migrate(engine.pool, { folder, names: ['0903_column.sql'], lockTimeoutMs: 50, pauseMs: 100 })
    const passing = await connect(url)
    for (let round = 0; round < 20; round += 1) await passing.query('select 1 from things')
    await open.query('commit')
    expect(await migrating).toEqual(['0903_column.sql'])
  })
})

describe('a migration that was changed after it had been applied', () => {
  const changed = (name: string) => `migrations/${name} was changed after it had been applied to this store`

  it('is rejected before any other is applied', async () => {
    const engine = await openInMemory()
    onTestFinished(() => engine.close())
    const text = 'create table others (id int);'
    await migrate(engine.pool, { folder: writeMigrations(), names: ['0901_table.sql'] })
    const folder = writeMigrations({ '0900_earlier.sql': text, '0901_table.sql': `${files['0901_table.sql']}\n` })
    await expect(migrate(engine.pool, { folder })).rejects.toThrow(changed('0901_table.sql'))
    expect(await read(engine, `select name from schema_migrations`)).toEqual([{ name: '0901_table.sql' }])
    expect(await read(engine, `select 1 from pg_tables where tablename = 'others'`)).toEqual([])
    // The store is as it was: the unchanged file fits it still, and nobody holds the lock of migrations.
    expect(await migrate(engine.pool, { folder: writeMigrations() })).toEqual(['0902_index.sql'])
  })

  it('keeps the service from starting, whichever it is', async () => {
    const [first = '', last = ''] = [migrationNames().at(0), migrationNames().at(-1)]
    for (const name of [first, last]) {
      const engine = await openMemoryStore()
      const client = await engine.pool.connect()
      const { rows } = await client.query('select checksum from schema_migrations where name = $1', [name])
      const setChecksum = (checksum: string) =>
        client.query('update schema_migrations set checksum = $2 where name = $1', [name, checksum])
      await setChecksum('of another text')
      client.release()
      let isClosed = false
      const close = async () => {
        isClosed = true
      }
      await expect(createDatabase({ ...engine, close })).rejects.toThrow(changed(name))
      expect(isClosed).toBe(true)
      await setChecksum(rows[0].checksum)
      await engine.close()
    }
  })
})

const validIndexes = `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
  where indisvalid and relname like 'things%' order by 1`

function writeMigrations(more: Record<string, string> = {}): URL {
  const folder = join(newFolder(), 'migrations')
  mkdirSync(folder)
  for (const [name, text] of Object.entries({ ...files, ...more })) writeFileSync(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

async function openServerStore(): Promise<{ engine: Engine; url: string }> {
  const url = await createPostgresDatabase()
  const engine = await openPostgres(url, 2)
  onTestFinished(() => engine.close())
  return { engine, url }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function read({ pool }: Engine, text: string): Promise<unknown[]> {
  const client = await pool.connect()
  try {
    return (await client.query({ text })).rows
  } finally {
    client.release()
  }
}
