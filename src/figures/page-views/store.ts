import { sql } from 'kysely'
import { coalesced } from '../../platform/foundation/coalesce.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'

/** A view of an order's page. Nothing is stored about the viewer. */
export interface PageView {
  shopId: string
  orderId: string
  viewedAt: Date
}

/** Counts a view in the hour of its order. Views of the same moment share one statement. */
export const recordPageView: (context: Context, view: PageView) => Promise<undefined> = coalesced(recordPageViews)

async function recordPageViews(context: Context, views: PageView[]): Promise<undefined[]> {
  const rows = views.map(({ shopId, orderId, viewedAt }) => ({
    shop_id: shopId,
    order_id: orderId,
    viewed_at: viewedAt,
  }))
  await sql`
    insert into page_views as known (shop_id, order_id, hour, views, first_viewed_at, last_viewed_at)
    select shop_id, order_id, date_trunc('hour', viewed_at, 'UTC'), count(*), min(viewed_at), max(viewed_at)
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (shop_id uuid, order_id uuid, viewed_at timestamptz)
    group by 1, 2, 3
    order by 1, 2, 3
    on conflict (shop_id, order_id, hour) do update set
      views = known.views + excluded.views,
      first_viewed_at = least(known.first_viewed_at, excluded.first_viewed_at),
      last_viewed_at = greatest(known.last_viewed_at, excluded.last_viewed_at)`.execute(context.db)
  return views.map(() => undefined)
}

export interface StoredPageViews {
  order_id: string
  hour: Date
  views: number
  first_viewed_at: Date
  last_viewed_at: Date
}

/** The newest views of the pages of these orders, at most `limit` hours of each. */
export async function findPageViews(context: ShopContext, orderIds: string[], limit = 500): Promise<StoredPageViews[]> {
  const { rows } = await sql<StoredPageViews>`
    select views.*
    from unnest(${orderIds}::uuid[]) as given (order_id)
    cross join lateral (
      select order_id, hour, views, first_viewed_at, last_viewed_at from page_views
      where shop_id = ${context.shop.id} and page_views.order_id = given.order_id
      order by hour desc
      limit ${sql.lit(limit)}
    ) as views
    order by views.hour`.execute(context.db)
  return rows
}

/** Deletes the views of these orders; returns how many hours had any. */
export async function deletePageViews(context: ShopContext, orderIds: string[]): Promise<number> {
  const { rows } = await sql`
    delete from page_views where shop_id = ${context.shop.id} and order_id = any(${orderIds}::uuid[])
    returning hour`.execute(context.db)
  return rows.length
}

/** Deletes views from before the given time; returns how many rows it deleted. */
export async function deletePageViewsBefore(context: Context, before: Date, batchSize: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from page_views
    where (shop_id, order_id, hour) in (
      select shop_id, order_id, hour from page_views where hour < ${before} order by hour limit ${sql.lit(batchSize)}
    )`.execute(context.db)
  return Number(numAffectedRows ?? 0)
}
