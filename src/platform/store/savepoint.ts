import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'

/** Tries a write inside a transaction; if it fails, only that write is undone and the transaction continues. */
export async function savepoint<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  await sql`savepoint attempt`.execute(context.db)
  try {
    const result = await work()
    await sql`release savepoint attempt`.execute(context.db)
    return result
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(context.db)
    throw error
  }
}
