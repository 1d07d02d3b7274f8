import { sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'

/** The feed of a shop. */
export interface Feed {
  id: string
  isOn: boolean
  lastPosition: number
  expiredPosition: number
  readAt: Date
  /** Whether events wait for their positions. */
  hasArrivals: boolean
}

const columns = sql`id, is_on as "isOn", last_position as "lastPosition", expired_position as "expiredPosition",
  read_at as "readAt"`

export async function findFeed(context: ShopContext): Promise<Feed | undefined> {
  const { rows } = await sql<Feed>`
    select ${columns}, exists (
      select 1 from feed_arrivals where feed_arrivals.shop_id = event_feeds.shop_id
    ) as "hasArrivals"
    from event_feeds
    where shop_id = ${context.shop.id}`.execute(context.db)
  return rows[0]
}

/** Events are kept from now on. One that was off has missed some: a position without an entry makes its cursors expire. */
export async function switchOn(context: ShopContext, id: string): Promise<Feed> {
  const { rows } = await sql<Feed>`
    insert into event_feeds as feed (shop_id, id, is_on, last_position, expired_position, read_at)
    values (${context.shop.id}, ${id}, true, 0, 0, ${context.now})
    on conflict (shop_id) do update set is_on = true, read_at = excluded.read_at,
      last_position = feed.last_position + (not feed.is_on)::int,
      expired_position = case when feed.is_on then feed.expired_position else feed.last_position + 1 end
    returning ${columns}, false as "hasArrivals"`.execute(context.db)
  const [feed] = rows
  if (feed === undefined) throw new Error('the feed was not stored')
  return feed
}

export async function markRead(context: ShopContext): Promise<void> {
  await sql`
    update event_feeds set read_at = ${context.now}
    where shop_id = ${context.shop.id} and read_at < ${context.now}`.execute(context.db)
}

/** How many arrivals one transaction numbers at most. */
export const numberedAtOnce = 1_000

/**
 * Gives arrivals their positions, up to a limit; returns how many. Only committed ones are seen, so that the positions are in
 * the order of the commits; of those that are seen together, the number counts, which is in the order of what was recorded
 * under the lock of one shipment. One caller at a time, per shop. The lock is a statement of its own, because the statement
 * after it has to see what the caller before has committed.
 *
 *   oldest   the next arrivals, counted
 *   moved    gone from the arrivals
 *   feed     the new last position
 */
export async function numberArrivals(context: Context, shopId: string): Promise<number> {
  return inTransaction(context, async (context) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${shopId}, 57))`.execute(context.db)
    const { rows } = await sql<{ position: number }>`
      with oldest as materialized (
        select found.*, row_number() over (order by found.number) as place, count(*) over () as total
        from (
          select shop_id, number, notification_id, ref, triggered_at from feed_arrivals
          where shop_id = ${shopId}
          order by number
          limit ${sql.lit(numberedAtOnce)}
        ) as found
      ), moved as (
        delete from feed_arrivals using oldest
        where feed_arrivals.shop_id = ${shopId} and feed_arrivals.number = oldest.number
      ), feed as (
        update event_feeds set last_position = last_position + (select count(*) from oldest)
        where shop_id = ${shopId} and exists (select 1 from oldest)
        returning last_position
      )
      insert into feed_entries (shop_id, position, notification_id, ref, triggered_at)
      select oldest.shop_id, feed.last_position - oldest.total + oldest.place, oldest.notification_id, oldest.ref,
        oldest.triggered_at
      from oldest
      cross join feed
      returning position`.execute(context.db)
    return rows.length
  })
}

export interface Entry {
  position: number
  notificationId: string
  ref: string
}

/** The entries that follow a position, in order. */
export async function listEntries(context: ShopContext, after: number, limit: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select position, notification_id as "notificationId", ref from feed_entries
    where shop_id = ${context.shop.id} and position > ${after}
    order by position
    limit ${limit}`.execute(context.db)
  return rows
}

/** The payloads of notices, by their ids. */
export async function findBodies(context: ShopContext, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; body: string }>`
    select id, body from notifications
    where shop_id = ${context.shop.id} and id = any(${ids}::uuid[])`.execute(context.db)
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** Of these shops: how far their feeds are, and whether events wait for their positions. */
export async function findProgress(
  context: Context,
  shopIds: string[],
): Promise<{ shopId: string; lastPosition: number; hasArrivals: boolean }[]> {
  const { rows } = await sql<{ shopId: string; lastPosition: number; hasArrivals: boolean }>`
    select shop_id as "shopId", last_position as "lastPosition", exists (
      select 1 from feed_arrivals where feed_arrivals.shop_id = event_feeds.shop_id
    ) as "hasArrivals"
    from event_feeds
    where shop_id = any(${shopIds}::uuid[])`.execute(context.db)
  return rows
}
