import { type RawBuilder, sql } from 'kysely'
import { literals } from '../../platform/store/literals.ts'
import type { OrderStatus } from '../orders/schema.ts'
import type { ListSource } from './list-store.ts'
import { directionsOfReturns } from './rules.ts'

export interface OrderListSearch {
  /** Only these orders: what the search text matched. */
  foundIds: string[] | undefined
  statuses: OrderStatus[] | undefined
  nothingToSend: boolean | undefined
  handedOver: boolean | undefined
  placedFrom: Date | undefined
  placedTo: Date | undefined
  isDescending: boolean
}

/** A status is counted from the parcels of each order, so fewer orders are examined for it. */
const statusWindow = 5_000

export function orderListSource(shopId: string, search: OrderListSearch, window: number): ListSource {
  const order = search.isDescending ? sql`desc` : sql`asc`
  const conditions = [
    sql`shop_id = ${shopId}`,
    ...(search.foundIds === undefined ? [] : [sql`id = any(${search.foundIds}::uuid[])`]),
    // Each is the condition of a partial index.
    ...(search.nothingToSend === true ? [sql`nothing_to_send`] : []),
    ...(search.handedOver === true ? [sql`handed_over_without_tracking`] : []),
    ...(search.placedFrom === undefined ? [] : [sql`order_placed_at >= ${search.placedFrom}`]),
    ...(search.placedTo === undefined ? [] : [sql`order_placed_at <= ${search.placedTo}`]),
  ]
  const all = sql`from orders where ${sql.join(conditions, sql` and `)}`
  return {
    ranges: [
      sql`
        select id, order_placed_at as sorted_by, expected_number_of_shipments, nothing_to_send,
          handed_over_without_tracking
        ${all} order by order_placed_at ${order}, id ${order}`,
    ],
    all,
    filters: [
      ...(search.nothingToSend === false ? [sql`not nothing_to_send`] : []),
      ...(search.handedOver === false ? [sql`not handed_over_without_tracking`] : []),
      ...(search.statuses === undefined ? [] : [hasStatus(shopId, search.statuses)]),
    ],
    isDescending: search.isDescending,
    window: search.statuses === undefined ? window : Math.min(window, statusWindow),
  }
}

/** The rule of `statusOf`, for the row named `examined`. */
function hasStatus(shopId: string, statuses: OrderStatus[]): RawBuilder<unknown> {
  return sql`(
    select case
      when count(*) = 0 then 'placed'
      when count(*) < examined.expected_number_of_shipments then 'partially_fulfilled'
      else 'fulfilled'
    end
    from shipments
    where shipments.shop_id = ${shopId} and shipments.order_id = examined.id and tracking_number is not null
      and direction not in ${literals(directionsOfReturns)}
  ) in ${literals(statuses)}`
}
