import { type RawBuilder, sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { cutPage, exactTotalLimit, offsetOf, type Page, pageRequest, reachOf } from '../../platform/foundation/page.ts'
import { instant } from '../../platform/foundation/schema.ts'
import { countUpTo } from '../../platform/store/count.ts'
import type { OrderFilter } from './schema.ts'
import { type StoredOrder, storedOrder } from './store.ts'

/** One page of orders, newest first; with `shipment_updated_since`, by the last change of their shipments. */
export async function listOrders(context: ShopContext, filter: OrderFilter): Promise<Page<StoredOrder>> {
  const request = pageRequest(filter)
  const { rest, sortedBy } = ordersWhere(context.shop.id, filter)
  const { rows } = await sql<StoredOrder>`
    select ${storedOrder}
    from (
      select * from (
        select orders.* ${rest} order by ${sortedBy} limit ${sql.lit(reachOf(request))}
      ) as within_reach
      limit ${request.perPage + 1} offset ${offsetOf(request)}
    ) as orders`.execute(context.db)
  const { page: _page, per_page: _perPage, ...given } = filter
  const { shipment_updated_since: since, ...others } = given
  const isSinceAlone = since !== undefined && Object.values(others).every((value) => value === undefined)
  return cutPage(request, rows, () =>
    countUpTo(context, `orders ${context.shop.id} ${JSON.stringify(given)}`, rest, async () =>
      isSinceAlone ? countChangedOrders(context, instant(since)) : undefined,
    ),
  )
}

/**
 * Counts the orders with a shipment that changed since then, from the index of changes alone. That is 15 times as fast
 * as counting the search, which checks for each shipment whether it is the last of its order. Above the limit it is a
 * lower bound, which is enough; undefined only if the orders have more than two shipments on average.
 */
async function countChangedOrders(context: ShopContext, since: Date): Promise<number | undefined> {
  const atMost = 2 * exactTotalLimit
  const { rows } = await sql<{ shipments: number; orders: number }>`
    select coalesce(sum(shipments), 0) as shipments, count(*) as orders
    from (
      -- A group by is hashed; count(distinct) would sort.
      select count(*) as shipments
      from (
        select order_id from shipments
        where shop_id = ${context.shop.id} and is_draft in (false, true) and updated_at >= ${since}
        limit ${sql.lit(atMost + 1)}
      ) as changed
      group by order_id
    ) as by_order`.execute(context.db)
  const { shipments, orders } = rows[0] ?? { shipments: 0, orders: 0 }
  return shipments <= atMost || orders > exactTotalLimit ? orders : undefined
}

/** A zip code without blanks, hyphens and case. It must equal the expression of the index `orders_zip_key`. */
export function zipKey(zipCode: RawBuilder<unknown>): RawBuilder<string> {
  return sql`lower(translate(${zipCode}, E' \\t\\u00a0\\u2007\\u2009\\u202f-\\u2010\\u2011\\u2013', ''))`
}

function matchesFlag(column: RawBuilder<unknown>, isSet: boolean): RawBuilder<unknown> {
  return isSet ? column : sql`not ${column}`
}

/** `from … where …` of a search, and its sort order. Each filter has an index of its own. */
export function ordersWhere(
  shopId: string,
  filter: OrderFilter,
): { rest: RawBuilder<unknown>; sortedBy: RawBuilder<unknown> } {
  const conditions = [
    sql`orders.shop_id = ${shopId}`,
    ...(filter.uuid === undefined ? [] : [sql`orders.id = ${filter.uuid}`]),
    ...(filter.order_number === undefined ? [] : [sql`orders.order_number = ${filter.order_number}`]),
    ...(filter.external_id === undefined ? [] : [sql`orders.external_id = ${filter.external_id}`]),
    ...(filter.order_name === undefined ? [] : [sql`orders.order_name = ${filter.order_name}`]),
    ...(filter.email_id === undefined
      ? []
      : [sql`lower(orders.email_id) = lower(${filter.email_id}) and orders.email_id is not null`]),
    ...(filter.zip_code === undefined
      ? []
      : [
          sql`${zipKey(sql`orders.zip_code`)} = ${zipKey(sql`${filter.zip_code}::text`)} and orders.zip_code is not null`,
        ]),
    // True is the condition of a partial index; false matches most orders and needs none.
    ...(filter.nothing_to_send === undefined ? [] : [matchesFlag(sql`orders.nothing_to_send`, filter.nothing_to_send)]),
    ...(filter.handed_over_without_tracking === undefined
      ? []
      : [matchesFlag(sql`orders.handed_over_without_tracking`, filter.handed_over_without_tracking)]),
    ...(filter.order_placed_from === undefined
      ? []
      : [sql`orders.order_placed_at >= ${instant(filter.order_placed_from)}`]),
    ...(filter.order_placed_to === undefined
      ? []
      : [sql`orders.order_placed_at <= ${instant(filter.order_placed_to)}`]),
  ]
  const all = sql.join(conditions, sql` and `)
  if (filter.shipment_updated_since === undefined) {
    return { rest: sql`from orders where ${all}`, sortedBy: sql`orders.order_placed_at desc, orders.id desc` }
  }
  // Each order appears once, at its last changed shipment, so that scanning the index of changes returns them sorted.
  // Both scans state their sort order; otherwise the planner sorts all their rows.
  const since = instant(filter.shipment_updated_since)
  const run = (isDraft: boolean) => sql`(
    select shop_id, id, order_id, updated_at from shipments
    where shop_id = ${shopId} and is_draft = ${sql.lit(isDraft)} and updated_at >= ${since}
    order by updated_at desc, id desc
  )`
  return {
    rest: sql`
      from (${run(false)} union all ${run(true)}) as changed
      join orders on orders.shop_id = changed.shop_id and orders.id = changed.order_id
      where ${all} and not exists (
        select 1 from shipments as later
        where later.shop_id = changed.shop_id and later.order_id = changed.order_id
          and (later.updated_at, later.id) > (changed.updated_at, changed.id)
      )`,
    sortedBy: sql`changed.updated_at desc, changed.id desc`,
  }
}
