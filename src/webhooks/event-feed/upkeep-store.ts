import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'

/** Shops whose events wait for their positions, after the given one. */
export async function listShopsWithArrivals(context: Context, afterShopId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ shop_id: string }>`
    select shop_id from event_feeds
    where shop_id > ${afterShopId} and exists (
      select 1 from feed_arrivals where feed_arrivals.shop_id = event_feeds.shop_id
    )
    order by shop_id
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows.map(({ shop_id }) => shop_id)
}

export async function listFeeds(context: Context, afterShopId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ shop_id: string }>`
    select shop_id from event_feeds
    where shop_id > ${afterShopId}
    order by shop_id
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows.map(({ shop_id }) => shop_id)
}

/** Feeds that are off and still have entries, after the given one. */
export async function listFeedsToEmpty(context: Context, afterShopId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ shop_id: string }>`
    select shop_id from event_feeds
    where shop_id > ${afterShopId} and not is_on and expired_position < last_position
    order by shop_id
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows.map(({ shop_id }) => shop_id)
}

/** Switches off feeds that nobody has read since then. */
export async function switchOffUnread(context: Context, since: Date): Promise<void> {
  await sql`update event_feeds set is_on = false where is_on and read_at < ${since}`.execute(context.db)
}

/**
 * Deletes the oldest entries of a feed up to the first one from this time on, all if the feed is off; returns how many. A
 * cursor before the last of them expires in the same statement.
 *
 *   oldest   the next entries
 *   gone     those before the first that is kept
 */
export async function expireEntries(context: Context, shopId: string, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with oldest as materialized (
      select entry.place, position, triggered_at < ${before} or not event_feeds.is_on as is_old
      from event_feeds
      cross join lateral (
        select ctid as place, position, triggered_at from feed_entries
        where feed_entries.shop_id = event_feeds.shop_id
        order by position
        limit ${sql.lit(limit)}
      ) as entry
      where event_feeds.shop_id = ${shopId}
    ), gone as (
      -- By ctid: for a list of positions, the planner may read all entries of the shop.
      delete from feed_entries where shop_id = ${shopId} and ctid = any(array(
        select place from oldest
        where position < coalesce((select min(position) from oldest where not is_old), ${Number.MAX_SAFE_INTEGER})
      ))
      returning position
    )
    update event_feeds set expired_position = greatest(expired_position, last.position)
    from (select max(position) as position, count(*) as count from gone) as last
    where shop_id = ${shopId} and last.count > 0
    returning last.count`.execute(context.db)
  return rows[0]?.count ?? 0
}
