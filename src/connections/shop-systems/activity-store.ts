import { sql } from 'kysely'
import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'

/** The times of a shop system's last ping and last message. */
export interface Activity {
  pingedAt: Date | null
  receivedAt: Date | null
}

/** The systems that this process has recorded a message of within the last minute. */
const recentlyRecorded = { name: 'shop system activity', maxEntries: 10_000, ttlMs: minuteMs }

/** Records that a verified message arrived, at most once per minute: messages may arrive by the hundred. */
export async function recordReceived(context: ShopContext, system: ShopSystemName): Promise<void> {
  const { now, shop } = context
  const recent = context.services.caches.open<true>(recentlyRecorded)
  const key = `${shop.id} ${system}`
  if (recent.get(key, now)) return
  recent.set(key, true)
  await sql`
    insert into shop_system_activity (shop_id, system, last_received_at) values (${shop.id}, ${system}, ${now})
    on conflict (shop_id, system) do update set last_received_at = excluded.last_received_at
      where shop_system_activity.last_received_at is null
        or shop_system_activity.last_received_at < excluded.last_received_at - interval '1 minute'`.execute(context.db)
}

/** Records a test of our address. It is not signed, so a flood of them writes once per second. */
export async function recordPing(context: ShopContext, system: ShopSystemName): Promise<void> {
  const { now, shop } = context
  await sql`
    insert into shop_system_activity (shop_id, system, last_ping_at) values (${shop.id}, ${system}, ${now})
    on conflict (shop_id, system) do update set last_ping_at = excluded.last_ping_at
      where shop_system_activity.last_ping_at is null
        or shop_system_activity.last_ping_at < excluded.last_ping_at - interval '1 second'`.execute(context.db)
}

/** By shop system; those that never sent anything are missing. */
export async function listActivity(context: ShopContext): Promise<Map<string, Activity>> {
  const rows = await context.db
    .selectFrom('shop_system_activity')
    .where('shop_id', '=', context.shop.id)
    .selectAll()
    .execute()
  return new Map(rows.map((row) => [row.system, { pingedAt: row.last_ping_at, receivedAt: row.last_received_at }]))
}

/** How many orders came from a shop system, up to a limit. */
export async function countOrders(context: ShopContext, system: ShopSystemName, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from shop_system_orders
      where shop_id = ${context.shop.id} and system = ${system} and is_applied
      -- Otherwise all of them may be collected before the limit applies.
      order by shop_id, system, external_id
      limit ${sql.lit(limit)}
    ) as counted`.execute(context.db)
  return rows[0]?.count ?? 0
}
