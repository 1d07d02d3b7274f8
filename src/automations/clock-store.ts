import { sql } from 'kysely'
import type { Context } from '../platform/foundation/context.ts'

/** Runs that were planned after this time, which has not come yet, are due as long after now as they should wait. */
export async function correctRunTimes(context: Context, limit: Date): Promise<void> {
  await sql`
    update automation_runs
    set due_at = due_at - (triggered_at - ${context.now}::timestamptz), triggered_at = ${context.now}
    where finished_at is null and triggered_at > ${limit}`.execute(context.db)
}
