import type { Context } from '../../platform/foundation/context.ts'

/** Makes changes from now on count as not evaluated, whatever a clock that was ahead has stored. */
export async function correctExceptionTimes(context: Context, limit: Date): Promise<void> {
  await context.db
    .updateTable('exception_progress')
    .set({ changed_until: context.now })
    .where('changed_until', '>', limit)
    .execute()
}
