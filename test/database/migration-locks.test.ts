import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fillStore } from '../../bin/versions/kept-store.ts'
import { migrate, splitStatements } from '../../src/platform/store/migrate.ts'
import { migrationNames, readMigration } from '../../src/platform/store/migrations.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { keptVersions, readKeptStore } from '../harness/kept-versions.ts'
import { createPostgresDatabase } from '../harness/prepared-stores.ts'

const reason = process.env.TEST_DATABASE_URL ? '' : ' (skipped: set TEST_DATABASE_URL to run it)'

/** Up to this one, all are one transaction that locks every table first: 0040 takes what 0062 gives back. */
const lastOfTogether = '0062_previous_version.sql'
const later = migrationNames().filter((name) => name > lastOfTogether)

/** Those that a reader or a writer waits for. */
const blocking = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

interface Lock {
  table: string
  mode: string
  /** Whether its rows were written to another file. */
  isRewritten: boolean
  /** Rows that the transaction has read. */
  rowsRead: number
}

// findLongLocks reads the text of a migration; here PostgreSQL shows which locks it takes, and what it does under them.
describe.skipIf(reason !== '')(`the locks of migrations since version 0.2.0, on a store with rows${reason}`, () => {
  let url: string

  beforeAll(async () => {
    url = await openStoreOfVersion()
  })

  it('are only taken for entries of the catalogue: no table is read or rewritten under a lock that others wait for', async () => {
    const client = await connect(url)
    const found: (Lock & { migration: string })[] = []
    for (const name of later) {
      for (const statements of transactionsOf(name)) {
        if (/\bconcurrently\b/i.test(statements)) await client.query(statements)
        else found.push(...(await locksOf(client, statements, 'commit')).map((lock) => ({ ...lock, migration: name })))
      }
    }
    expect(found.filter(({ isRewritten, rowsRead }) => isRewritten || rowsRead > 0)).toEqual([])
    // That there are some shows that they are seen.
    expect(found.map(({ migration, table, mode }) => [migration, table, mode])).toContainEqual([
      '0065_paused_shops.sql',
      'shops',
      'AccessExclusiveLock',
    ])
  })

  it.each([
    ['alter table orders add column x uuid default gen_random_uuid()', { isRewritten: true }],
    ['alter table orders add constraint x check (id is not null)', { mode: 'AccessExclusiveLock' }],
    ['create index x on orders (created_at)', { mode: 'ShareLock' }],
  ])('are found for: %s', async (statement, expected) => {
    const client = await connect(url)
    const wrong = (await locksOf(client, statement, 'rollback')).filter(
      ({ isRewritten, rowsRead }) => isRewritten || rowsRead > 0,
    )
    expect(wrong).toContainEqual(expect.objectContaining({ table: 'orders', ...expected }))
  })

  it('are given up again while somebody reads, so that nobody waits behind them', async () => {
    const busy = await openStoreOfVersion()
    const reader = await connect(busy)
    await reader.query('begin')
    for (const { name } of await tablesOf(reader)) await reader.query(`select 1 from ${name} limit 1`)
    const engine = await openPostgres(busy, 2)
    onTestFinished(() => engine.close())
    let isDone = false
    const migrating = migrate(engine.pool, { lockTimeoutMs: 50, pauseMs: 50 }).finally(() => {
      isDone = true
    })
    const passing = await connect(busy)
    await passing.query(`set statement_timeout = '10s'`)
    for (let round = 0; round < 20; round += 1) {
      await passing.query('update shops set name = name; select 1 from orders limit 1')
    }
    expect(isDone).toBe(false)
    await reader.query('commit')
    expect(await migrating).toEqual(later)
  })
})

/** A store of the oldest kept version, with what version 0.2.0 is brought to at once. */
async function openStoreOfVersion(): Promise<string> {
  const url = await createPostgresDatabase()
  const engine = await openPostgres(url, 1)
  try {
    await fillStore(engine, readKeptStore(keptVersions()[0] ?? ''))
    await migrate(engine.pool, { names: migrationNames().filter((name) => name <= lastOfTogether) })
  } finally {
    await engine.close()
  }
  return url
}

/** A migration as it is applied: a transaction, or statement by statement. */
function transactionsOf(name: string): string[] {
  const { text, isOutsideTransaction } = readMigration(name)
  return isOutsideTransaction ? splitStatements(text) : [text]
}

/** The locks that a transaction has on tables from before it, and what it did to these. */
async function locksOf(client: pg.Client, text: string, end: 'commit' | 'rollback'): Promise<Lock[]> {
  const before = await tablesOf(client)
  // Otherwise the rows that earlier transactions have read are counted, too.
  await client.query('select pg_stat_force_next_flush()')
  await client.query('begin')
  try {
    await client.query(text)
    const { rows } = await client.query<{ oid: number; mode: string; file: number; rowsRead: string }>(
      `select relation::int as oid, mode, pg_relation_filenode(relation)::int as file,
         (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as "rowsRead"
       from pg_locks left join pg_stat_xact_user_tables as read on read.relid = relation
       where pid = pg_backend_pid() and relation is not null and mode = any($1)`,
      [blocking],
    )
    return rows.flatMap(({ oid, mode, file, rowsRead }) => {
      const known = before.find((table) => table.oid === oid)
      if (known === undefined) return []
      return [{ table: known.name, mode, isRewritten: file !== known.file, rowsRead: Number(rowsRead) }]
    })
  } finally {
    await client.query(end)
  }
}

async function tablesOf(client: pg.Client): Promise<{ oid: number; name: string; file: number }[]> {
  const { rows } = await client.query(
    `select oid::int, relname as name, pg_relation_filenode(oid)::int as file from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
  )
  return rows
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
