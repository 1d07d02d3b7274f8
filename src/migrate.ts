import { readConfig } from './platform/config/config.ts'
import { migrateDatabase } from './platform/store/database.ts'

/** Brings the store of the settings up to date, and returns the names of the migrations that were applied. */
export function migrateStore(): Promise<string[]> {
  return migrateDatabase(readConfig())
}
