import { type Migration, migrationNames, readMigration } from './migrations.ts'
import type { PreparingClient, PreparingPool } from './prepared.ts'
import { acquireMigrationLock, releaseMigrationLock } from './store-locks.ts'

/**
 * Up to this one, all that are missing are applied in one transaction: 0040 removes what version 0.2.0 needs, 0062 adds it
 * again, and nodes of that version wait instead of failing in between.
 */
const lastOfTogether = '0062_previous_version.sql'

/**
 * A statement that waits for a lock blocks everybody behind it. So it waits briefly, lets the others pass, and is tried again
 * for as long as transactions of ours and usual backups take. It stops waiting before a server checks for deadlocks
 * (after a second), which could end the transaction of another node.
 */
const lockTimeoutMs = 500
const pauseMs = 500
/** For each of many tables. */
const shortLockTimeoutMs = 100

/** How often connections of other nodes are checked until all of them are new. */
const forgettingRounds = 60
const forgettingPauseMs = 50
const patienceMs = 30 * 60_000

/** lock_not_available and deadlock_detected: the same can be tried again. */
const retryable = new Set(['55P03', '40P01'])

export interface MigrateOptions {
  /** Only these; default: all of this version. */
  names?: readonly string[]
  folder?: URL
  lockTimeoutMs?: number
  pauseMs?: number
}

/** Applies each file of `migrations/` once, in order. Returns the names of those it applied. */
export async function migrate(pool: PreparingPool, options: MigrateOptions = {}): Promise<string[]> {
  const client = await pool.connect()
  try {
    // Under a name of its own: another node that has just migrated closes idle connections, but not those that wait to
    // migrate.
    await client.query({ text: `set application_name = 'doorstep migration'` })
    await acquireMigrationLock(client)
    try {
      const applied = await applyMissing(client, options)
      if (applied.length > 0) await forgetPlans(client)
      return applied
    } finally {
      await client.query({ text: 'reset lock_timeout; reset application_name' })
      await releaseMigrationLock(client)
    }
  } finally {
    client.release()
  }
}

async function applyMissing(client: PreparingClient, options: MigrateOptions): Promise<string[]> {
  const missing = await findMissing(client, options)
  for (const group of grouped(missing)) {
    const [first] = group
    if (first?.isOutsideTransaction) await applyStatements(client, first, options)
    else await retried(options, () => applyTogether(client, group, options))
  }
  return missing.map(({ name }) => name)
}

async function findMissing(client: PreparingClient, { names, folder }: MigrateOptions): Promise<Migration[]> {
  await client.query({
    text: 'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  })
  const rows = await read<{ name: string; checksum: string }>(client, 'select name, checksum from schema_migrations')
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const missing: Migration[] = []
  for (const migration of (names ?? migrationNames(folder)).map((name) => readMigration(name, folder))) {
    const known = applied.get(migration.name)
    if (known === undefined) missing.push(migration)
    else if (known !== migration.checksum) {
      throw new Error(`migrations/${migration.name} was changed after it had been applied to this store`)
    }
  }
  return missing
}

/** The migrations in groups: each is applied in one transaction, or statement by statement. */
function grouped(missing: readonly Migration[]): Migration[][] {
  const together = missing.filter(({ name }) => name <= lastOfTogether)
  const alone = missing.filter(({ name }) => name > lastOfTogether).map((migration) => [migration])
  return together.length > 0 ? [together, ...alone] : alone
}

async function applyTogether(client: PreparingClient, group: Migration[], options: MigrateOptions): Promise<void> {
  // As an object, it is sent now and not with the next parametrised statement.
  await client.query({ text: 'begin' })
  try {
    if (group.length > 1) await lockAllTables(client)
    await setLockTimeout(client, options.lockTimeoutMs ?? lockTimeoutMs)
    for (const migration of group) {
      await named(migration, async () => {
        // An unnamed statement object goes through the simple protocol, which accepts a whole file.
        await client.query({ text: migration.text })
        await record(client, migration)
      })
    }
    await client.query({ text: 'commit' })
  } catch (error) {
    await client.query({ text: 'rollback' })
    throw error
  }
}

/** Later locks of the same transaction could meet those of other nodes in another order. */
async function lockAllTables(client: PreparingClient): Promise<void> {
  const text = `select string_agg(quote_ident(tablename), ', ') as names from pg_tables where schemaname = current_schema()`
  const [row] = await read<{ names: string }>(client, text)
  await setLockTimeout(client, shortLockTimeoutMs)
  await client.query({ text: `lock table ${row?.names} in access exclusive mode` })
}

/** A killed run has completed its first statements, so each has to be one that can be repeated; a test checks that. */
async function applyStatements(client: PreparingClient, migration: Migration, options: MigrateOptions): Promise<void> {
  await named(migration, async () => {
    for (const statement of splitStatements(migration.text)) {
      await retried(options, async () => {
        await dropInvalidIndex(client, statement)
        // Concurrent ones wait for every open transaction, while blocking nobody.
        const isConcurrent = /\bindex concurrently\b/i.test(statement)
        await setLockTimeout(client, isConcurrent ? 0 : (options.lockTimeoutMs ?? lockTimeoutMs))
        await client.query({ text: statement })
      })
    }
    await record(client, migration)
  })
}

/** An index whose creation was interrupted exists, but no query uses it. */
async function dropInvalidIndex(client: PreparingClient, statement: string): Promise<void> {
  const [, name] = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement) ?? []
  if (name === undefined) return
  const invalid = await read(
    client,
    `select 1 from pg_index where indexrelid = to_regclass('${name}') and not indisvalid`,
  )
  if (invalid.length > 0) await client.query({ text: `drop index concurrently if exists ${name}` })
}

async function retried(options: MigrateOptions, work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!retryable.has(codeOf(error)) || performance.now() > deadline) throw error
      await pause(options.pauseMs ?? pauseMs)
    }
  }
}

/**
 * Statements that other nodes have prepared may fail now, because a table has another shape. Their connections are closed
 * when they are idle; they open new ones and prepare again. What they do now is not interrupted.
 */
async function forgetPlans(client: PreparingClient): Promise<void> {
  const others = `from pg_stat_activity where datname = current_database() and usename = current_user
    and application_name = 'doorstep' and pid <> pg_backend_pid()`
  const [row] = await read<{ now: string }>(client, 'select clock_timestamp()::text as now')
  const older = `${others} and backend_start < '${row?.now}'`
  for (let round = 0; round < forgettingRounds; round += 1) {
    await client.query({ text: `select pg_terminate_backend(pid) ${older} and state = 'idle'` })
    if ((await read(client, `select 1 ${older}`)).length === 0) return
    await pause(forgettingPauseMs)
  }
}

async function record(client: PreparingClient, { name, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
}

async function setLockTimeout(client: PreparingClient, ms: number): Promise<void> {
  await client.query({ text: `set lock_timeout = ${ms}` })
}

async function named(migration: Migration, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const failed = new Error(`migrations/${migration.name} failed: ${(error as Error).message}`, { cause: error })
    throw Object.assign(failed, { code: codeOf(error) })
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? ''
}

async function read<Row>(client: PreparingClient, text: string): Promise<Row[]> {
  return (await client.query(text, [])).rows
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Parts that must not be split: comments, quoted texts and names, bodies between dollar signs. */
const whole = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/y

/** The statements of a migration, each without the comments around it. */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let current = ''
  for (let at = 0; at < text.length; ) {
    whole.lastIndex = at
    const [piece = text[at] ?? ''] = whole.exec(text) ?? []
    at += piece.length
    if (piece === ';') {
      statements.push(current)
      current = ''
    } else current += /^(--|\/\*)/.test(piece) ? ' ' : piece
  }
  return [...statements, current].map((statement) => statement.trim()).filter((statement) => statement !== '')
}
