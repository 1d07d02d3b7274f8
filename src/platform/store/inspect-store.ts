import type { Engine } from './engine.ts'
import { migrationNames } from './migrations.ts'

/** The state of a store, read without writing anything. */
export interface StoreState {
  /** `16.4` */
  version: string
  now: Date
  /** Migrations of this version that it does not have. */
  pending: string[]
  /** Migrations that it has and this version does not know: a newer version made them. */
  unknown: string[]
  facts: ReadonlyMap<string, string>
}

export async function inspectStore({ pool }: Engine): Promise<StoreState> {
  const client = await pool.connect()
  try {
    const read = async (text: string): Promise<Record<string, unknown>[]> => (await client.query({ text })).rows
    const [about] = await read(
      `select current_setting('server_version') as version, clock_timestamp() as now,
        to_regclass('schema_migrations') is not null as has_migrations,
        to_regclass('installation') is not null as has_installation`,
    )
    const migrations = about?.has_migrations ? await read('select name from schema_migrations') : []
    const facts = about?.has_installation ? await read('select name, value from installation') : []
    const applied = new Set(migrations.map(({ name }) => String(name)))
    const ours = migrationNames()
    return {
      version: String(about?.version),
      now: about?.now as Date, // a timestamptz
      pending: ours.filter((name) => !applied.has(name)),
      unknown: [...applied].filter((name) => !ours.includes(name)).sort(),
      facts: new Map(facts.map(({ name, value }) => [String(name), String(value)])),
    }
  } finally {
    client.release()
  }
}
