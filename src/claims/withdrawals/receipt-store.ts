import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'

export async function findOrderEmail(context: ShopContext, orderId: string): Promise<string | null> {
  const row = await context.db
    .selectFrom('orders')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', orderId)
    .select('email_id')
    .executeTakeFirst()
  return row?.email_id ?? null
}

/** Those of deleted and rejected withdrawals count as well: the mail was sent. */
export async function countReceiptsToOthers(context: ShopContext, orderId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from claims
    where shop_id = ${context.shop.id} and order_id = ${orderId} and kind = 'withdrawal'
      and statement ->> 'receipt' = 'other'`.execute(context.db)
  return rows[0]?.count ?? 0
}
