import { sql } from 'kysely'
import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'

/** A shipment without a tracking number; they are walked through from the newest to the oldest. */
export interface OpenPosition {
  at: string
  id: string
}

/** Drafts that are examined for one request, whether or not they are listed. */
const maxWalked = 250

/**
 * Orders of a system, by its ids, of which something has no tracking number yet and that were placed since the given time:
 * those after the position, and where to continue; undefined: at the newest again.
 */
export async function listOpenOrders(
  context: ShopContext,
  system: ShopSystemName,
  { after, since, limit }: { after: OpenPosition | undefined; since: Date; limit: number },
): Promise<{ ids: string[]; next: OpenPosition | undefined }> {
  const { rows } = await sql<OpenPosition & { externalId: string | null }>`
    with drafts as materialized (
      select created_at, id, order_id, direction, is_cancelled from shipments
      where shop_id = ${context.shop.id} and is_draft and created_at >= ${since}
        ${after ? sql`and (created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
      order by created_at desc, id desc
      limit ${sql.lit(maxWalked)}
    )
    -- As text: a position must not lose the microseconds.
    select to_char(drafts.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, drafts.id, (
      select known.external_id from orders
      join shop_system_orders as known
        on known.shop_id = orders.shop_id and known.system = ${system} and known.external_id = orders.external_id
      where orders.shop_id = ${context.shop.id} and orders.id = drafts.order_id
        and drafts.direction = 'merchant_customer' and not drafts.is_cancelled
        and orders.order_placed_at >= ${since} and known.is_applied and known.cancelled_at is null
      -- One look-up of each: for a join, the planner may read all orders.
      offset 0
    ) as "externalId"
    from drafts
    order by drafts.created_at desc, drafts.id desc`.execute(context.db)
  // An order may have several drafts.
  const ids = new Set<string>()
  let next: OpenPosition | undefined
  for (const { at, id, externalId } of rows) {
    if (ids.size === limit) return { ids: [...ids], next }
    if (externalId !== null) ids.add(externalId)
    next = { at, id }
  }
  return { ids: [...ids], next: rows.length < maxWalked ? undefined : next }
}
