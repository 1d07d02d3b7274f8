import type { Context } from '../../platform/foundation/context.ts'

/** What changes from now on has not been evaluated, whatever a clock that was ahead has stored. */
export async function correctTriggerTimes(context: Context, limit: Date): Promise<void> {
  await context.db
    .updateTable('internal_triggers')
    .set({ evaluated_until: context.now })
    .where('evaluated_until', '>', limit)
    .execute()
}
