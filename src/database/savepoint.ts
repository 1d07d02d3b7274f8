import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'

/** Tries a write inside a transaction; where it fails, only what it did is undone and the transaction goes on. */
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
