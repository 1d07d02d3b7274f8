import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'

/**
 * Announces that the shop's offers are about to change, so that every node reloads them. Must come first in the
 * transaction: it serialises changes of one shop, so that checks are still valid at the write, and taking this lock first
 * prevents deadlocks.
 */
export async function announceOffers(context: ShopContext): Promise<void> {
  if (context.afterCommit === undefined) throw new Error('a change of offers is announced inside its transaction')
  await sql`
    insert into offer_versions (shop_id, version) values (${context.shop.id}, 1)
    on conflict (shop_id) do update set version = offer_versions.version + 1`.execute(context.db)
}
