import { sql } from 'kysely'
import type { Database } from './database.ts'

const timeoutMs = 2_000

/** Whether the store responds within two seconds. */
export async function isAvailable(database: Database): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), timeoutMs).unref())
  const queried = sql`select 1`.execute(database.db).then(
    () => true,
    () => false,
  )
  return Promise.race([queried, timeout])
}
