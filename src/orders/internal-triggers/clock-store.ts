import type { Context } from '../../platform/foundation/context.ts'

/** Resets times that a clock which was ahead has stored: changes from now on have not been evaluated. */
export async function correctTriggerTimes(context: Context, limit: Date): Promise<void> {
  await context.db
    .updateTable('internal_triggers')
    .set({ evaluated_until: context.now })
    .where('evaluated_until', '>', limit)
    .execute()
}
