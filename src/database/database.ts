import { Kysely, PostgresDialect } from 'kysely'
import { openEmbedded } from './embedded/engine.ts'
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import type { Tables } from './tables.ts'

/** The store, whichever engine it runs on. */
export interface Database {
  db: Kysely<Tables>
  engine: 'embedded' | 'postgres'
  /** Calls back for every notification on the channel, until the store is closed. */
  listen(channel: string, handle: (payload: string) => void): Promise<void>
  /** Since when no notification was missed, by performance.now(); undefined while some may be. */
  listeningSince(): number | undefined
  close(): Promise<void>
}

export interface DatabaseConfig {
  databaseUrl: string | undefined
  databasePool: number
  dataDir: string
}

/** Opens PostgreSQL if an address is configured and the embedded store otherwise, and migrates it. */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  return createDatabase(
    config.databaseUrl
      ? await openPostgres(config.databaseUrl, config.databasePool)
      : await openEmbedded(config.dataDir),
  )
}

export async function createDatabase(engine: Engine): Promise<Database> {
  try {
    await migrate(engine.pool)
  } catch (error) {
    await engine.close()
    throw error
  }
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: engine.pool }) }),
    engine: engine.engine,
    listen: engine.listen,
    listeningSince: engine.listeningSince,
    close: engine.close,
  }
}
