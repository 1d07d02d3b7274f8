import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/store/database.ts'
import type { Service } from '../../src/service.ts'
import { oncePerRun } from './once-per-run.ts'
import { createMigratedPostgresDatabase, writeMigratedStore } from './prepared-stores.ts'
import { engine, startTestService, testConfig } from './service.ts'

/** An empty store of the engine under test, in a place of its own. */
export async function newStore(): Promise<Config> {
  return engine === 'embedded' ? testConfig() : testConfig({ DATABASE_URL: await createMigratedPostgresDatabase() })
}

/** The same with all migrations applied: a copy of one that is prepared once per run. */
export async function newMigratedStore(): Promise<Config> {
  const config = await newStore()
  if (engine === 'postgres') return config
  const prepared = await oncePerRun('migrated-folder', async (dataDir) => {
    await writeMigratedStore(dataDir)
    await (await openDatabase(testConfig({ DATA_DIR: dataDir }))).close()
  })
  cpSync(join(prepared, 'store'), join(config.dataDir, 'store'), { recursive: true })
  return config
}

/** A service on that store. */
export async function startOn(config: Config, settings: Record<string, string> = {}): Promise<Service> {
  const database = await openDatabase(config)
  const store = { DATA_DIR: config.dataDir, ...(config.databaseUrl ? { DATABASE_URL: config.databaseUrl } : {}) }
  return startTestService({ ...store, ...settings }, database)
}
