import { sql } from 'kysely'
import type { Database } from './database.ts'

const patienceMs = 2_000

/** Whether the store answers, and soon enough to be of use. */
export async function answers(database: Database): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), patienceMs).unref())
  const asked = sql`select 1`.execute(database.db).then(
    () => true,
    () => false,
  )
  return Promise.race([asked, timeout])
}
