import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'

/** The shipments of these orders that have arrived, were cancelled, or were sent before the given time. */
export async function listSettledShipments(
  context: ShopContext,
  orderIds: string[],
  sentBefore: Date,
): Promise<string[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from shipments
    where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[]) and not is_draft
      and (phase in ('delivered', 'returned', 'return_received', 'order_cancelled') or placed_at < ${sentBefore})`.execute(
    context.db,
  )
  return rows.map(({ id }) => id)
}
