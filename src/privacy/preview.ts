import type { ShopContext } from '../platform/foundation/context.ts'
import { countUnfinishedImports } from './find-store.ts'
import { countCustomerData } from './preview-store.ts'
import { type ErasurePreview, maxPreviewed } from './schema.ts'

/** What erasing a customer would change. */
export async function previewErasure(context: ShopContext, email: string): Promise<ErasurePreview> {
  const { orders, first_order_at, last_order_at, ...counts } = await countCustomerData(context, email, maxPreviewed)
  return {
    is_complete: orders <= maxPreviewed,
    orders: Math.min(orders, maxPreviewed),
    first_order_at: first_order_at?.toISOString() ?? null,
    last_order_at: last_order_at?.toISOString() ?? null,
    ...counts,
    unfinished_imports: await countUnfinishedImports(context),
  }
}
