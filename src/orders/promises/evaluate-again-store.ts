import type { ShopContext } from '../../platform/foundation/context.ts'

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Requests that all parcels of the shop are evaluated by its new settings: the job of exceptions walks through them,
 * newest first and some at a time, and begins within seconds.
 */
export async function evaluateAllAgain(context: ShopContext): Promise<void> {
  await context.db
    .updateTable('exception_progress')
    .set({ walk_before: context.now, walk_before_id: lastId })
    .where('shop_id', '=', context.shop.id)
    .execute()
}
