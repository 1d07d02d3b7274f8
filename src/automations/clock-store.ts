import { sql } from 'kysely'
import type { Context } from '../platform/foundation/context.ts'

/** Moves runs that were triggered after this limit, by a clock that was ahead, to now. Their delay stays the same. */
export async function correctRunTimes(context: Context, limit: Date): Promise<void> {
  await sql`
    update automation_runs
    set due_at = due_at - (triggered_at - ${context.now}::timestamptz), triggered_at = ${context.now}
    where finished_at is null and triggered_at > ${limit}`.execute(context.db)
}
