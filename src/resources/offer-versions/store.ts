import { sql } from 'kysely'
import type { ShopContext } from '../../foundation/context.ts'

/**
 * Says that what the shop's customers are shown is about to change: every node then reads it anew. To be called first in
 * the transaction of the change. It makes the changes of one shop wait for each other, so that what is checked before a
 * write still holds when it is written, and taking this lock first keeps two of them from waiting in a circle.
 */
export async function announceOffers(context: ShopContext): Promise<void> {
  if (context.afterCommit === undefined) throw new Error('a change of offers is announced inside its transaction')
  await sql`
    insert into offer_versions (shop_id, version) values (${context.shop.id}, 1)
    on conflict (shop_id) do update set version = offer_versions.version + 1`.execute(context.db)
}
