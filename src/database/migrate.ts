import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { PreparingClient, PreparingPool } from './prepared.ts'

const folder = new URL('../../migrations/', import.meta.url)

/** Any constant: every node takes this advisory lock first, so that only one migrates. */
const lockNumber = 6_127_001

/** Applies each file of `migrations/` once, in order, each in a transaction of its own. */
export async function migrate(pool: PreparingPool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockNumber])
    try {
      await applyMissing(client)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lockNumber])
    }
  } finally {
    client.release()
  }
}

async function applyMissing(client: PreparingClient): Promise<void> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = (await client.query('select name, checksum from schema_migrations')) as {
    rows: { name: string; checksum: string }[]
  }
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()) {
    const text = readFileSync(new URL(name, folder), 'utf8')
    const checksum = createHash('sha256').update(text).digest('hex')
    const known = applied.get(name)
    if (known === checksum) continue
    if (known !== undefined) throw new Error(`migrations/${name} was changed after it had been applied to this store`)
    await client.query('begin')
    try {
      // An unnamed statement object goes through the simple protocol, which takes a whole file.
      await client.query({ text })
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new Error(`migrations/${name} failed: ${(error as Error).message}`, { cause: error })
    }
  }
}
