import { Kysely, PostgresDialect } from 'kysely'
import { secondMs } from '../foundation/clock.ts'
import type { Tables } from '../foundation/tables.ts'
import { openEmbedded } from './embedded/engine.ts'
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import type { SlowStatements } from './slow-statements.ts'

/** The store, whichever engine it runs on. */
export interface Database {
  db: Kysely<Tables>
  engine: 'embedded' | 'postgres'
  /** Statements of this process that took long. */
  slowStatements: SlowStatements
  /** Calls back for every notification on the channel, until the store is closed. */
  listen(channel: string, handle: (payload: string) => void): Promise<void>
  /** Since when no notification was missed, by performance.now(); undefined while some may be. */
  listeningSince(): number | undefined
  /** Calls back whenever the store can be reached again. */
  onReturn(handle: () => void): void
  /** Whether statements of a process that has died are ended. */
  checksClients(): boolean
  close(): Promise<void>
}

export interface DatabaseConfig {
  databaseUrl: string | undefined
  databasePool: number
  /** The limit of a statement in seconds; 0: none. */
  databaseStatementTimeout?: number
  dataDir: string
}

/** Opens PostgreSQL if an address is configured and the embedded store otherwise, and migrates it. */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  return createDatabase(await openEngine(config))
}

/** Migrates the store and closes it. Returns the names of the migrations that it did not have. */
export async function migrateDatabase(config: DatabaseConfig): Promise<string[]> {
  const engine = await openEngine(config)
  try {
    return await migrate(engine.pool)
  } finally {
    await engine.close()
  }
}

export function openEngine(config: DatabaseConfig): Promise<Engine> {
  return config.databaseUrl
    ? openPostgres(config.databaseUrl, config.databasePool, statementMsOf(config))
    : openEmbedded(config.dataDir)
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
    slowStatements: engine.slowStatements,
    listen: engine.listen,
    listeningSince: engine.listeningSince,
    onReturn: engine.onReturn,
    checksClients: engine.checksClients,
    close: engine.close,
  }
}

function statementMsOf({ databaseStatementTimeout }: DatabaseConfig): number | undefined {
  return databaseStatementTimeout === undefined ? undefined : databaseStatementTimeout * secondMs
}
