import { type RawBuilder, sql } from 'kysely'
import type { ClaimKind, ClaimStatus } from '../../claims/claims/schema.ts'
import type { OfferedOrder } from '../../offers/decision/store.ts'
import { customerDigest } from '../../orders/orders/customer-store.ts'
import type { Product } from '../../orders/orders/parts.ts'
import type { ParsedToken } from '../../orders/page-addresses/page-token.ts'
import { type OrderKey, opensPage } from '../../orders/page-addresses/store.ts'
import { type StoredShipment, shipmentColumns } from '../../orders/shipments/store.ts'
import { coalesced } from '../../platform/foundation/coalesce.ts'
import type { Context } from '../../platform/foundation/context.ts'

/** An order as the tracking page shows it. Name, address and e-mail are not even read from the store. */
export interface PageOrderRecord {
  id: string
  order_number: string
  order_name: string | null
  order_placed_at: Date
  currency: string | null
  products: Product[] | null
  /** The destination. It sets the time zone of carrier times that have none. */
  country_code: string | null
  expected_number_of_shipments: number
  nothing_to_send: boolean
  handed_over_without_tracking: boolean
  /** The promise that was made when it was placed. */
  promise: PagePromise | null
  shipments: PageShipment[]
  claims: PageClaim[]
  /** Changes whenever the order, its promise, its shipments or its claims change. */
  state: string
  /** The facts that its offers depend on, apart from the shop. */
  offered: Omit<OfferedOrder, 'id' | 'shop'>
}

export interface PageShipment extends StoredShipment {
  tracking_company: string | null
}

export interface PageClaim {
  id: string
  shipment_id: string
  kind: ClaimKind
  is_late: boolean
  reason: string
  status: ClaimStatus
  resolution_preference: string | null
  reply: string | null
  created_at: string
  updated_at: string
}

/**
 * The order that a token opens, with everything that its page needs, in one round trip. Pages that are requested at the
 * same moment are read by one statement.
 */
export const findPageOrder: (context: Context, opened: ParsedToken) => Promise<PageOrderRecord | undefined> =
  coalesced(readPageOrders)

/** The same order by its key: what messages, components and previews show of it, with what the address of its page is made from. */
export const findCustomerOrder: (context: Context, key: OrderKey) => Promise<CustomerOrderRecord | undefined> =
  coalesced(readOrders)

export interface CustomerOrderRecord extends PageOrderRecord {
  page_nonce: string | null
}

async function readPageOrders(context: Context, keys: ParsedToken[]): Promise<(PageOrderRecord | undefined)[]> {
  const orders = await readOrders(context, keys)
  return Promise.all(
    keys.map(async (opened, n) => {
      const order = orders[n]
      return order && (await opensPage(context, opened, order.page_nonce)) ? order : undefined
    }),
  )
}

async function readOrders(context: Context, keys: OrderKey[]): Promise<(CustomerOrderRecord | undefined)[]> {
  const { rows } = await sql<{ n: number } & CustomerOrderRecord>`
    select given.n, orders.page_nonce, orders.id, orders.order_number, orders.order_name, orders.order_placed_at,
      orders.details ->> 'currency' as currency, orders.details -> 'products' as products,
      orders.details #>> '{address,country_code}' as country_code, orders.expected_number_of_shipments,
      orders.nothing_to_send, orders.handed_over_without_tracking,
      (
        select json_build_object('earliest', earliest, 'latest', latest, 'state', state, 'delivered_on', delivered_on)
        from order_promises
        where order_promises.shop_id = orders.shop_id and order_promises.order_id = orders.id
      ) as promise,
      (
        select coalesce(json_agg(to_json(shipment) order by shipment.created_at, shipment.id), '[]')
        from (
          select ${shipmentColumns}, shipments.tracking_company from shipments
          where shipments.shop_id = orders.shop_id and shipments.order_id = orders.id
        ) as shipment
      ) as shipments,
      (
        select coalesce(json_agg(json_build_object('id', id, 'shipment_id', shipment_id, 'kind', kind,
          'is_late', is_late, 'reason', reason,
          'status', status, 'resolution_preference', resolution_preference, 'reply', reply,
          'created_at', created_at, 'updated_at', updated_at) order by created_at desc, id desc), '[]')
        from claims
        where claims.shop_id = orders.shop_id and claims.order_id = orders.id and claims.deleted_at is null
      ) as claims,
      ${stateOfOrder} as state,
      json_build_object(
        'segments', coalesce(orders.details -> 'segments', '[]'),
        'productIds', jsonb_path_query_array(orders.details, '$.products[*].product_id'),
        'customer', encode(buyer.customer, 'hex'),
        'assignments', coalesce((
          select json_object_agg(test_id, campaign_id) from ab_test_assignments
          where ab_test_assignments.shop_id = orders.shop_id and ab_test_assignments.customer = buyer.customer
        ), '{}'),
        'version', coalesce(offer_versions.version, 0)
      ) as offered
    from ${keySet(keys)}
    cross join lateral (
      select orders.*, orders.xmin from orders
      where orders.shop_id = given.shop_id and orders.id = given.id and orders.erased_at is null limit 1
    ) as orders
    left join offer_versions on offer_versions.shop_id = orders.shop_id
    cross join lateral (select ${customerDigest()} as customer) as buyer`.execute(context.db)
  const found: (CustomerOrderRecord | undefined)[] = keys.map(() => undefined)
  for (const { n, ...order } of rows) found[n] = order
  return found
}

/** The state of each of these orders; undefined if it was deleted or erased. Open pages are notified when it changes. */
export async function findOrderStates(context: Pick<Context, 'db'>, keys: OrderKey[]): Promise<(string | undefined)[]> {
  const { rows } = await sql<{ n: number; state: string }>`
    select given.n, ${stateOfOrder} as state
    from ${keySet(keys)}
    cross join lateral (
      select orders.*, orders.xmin from orders
      where orders.shop_id = given.shop_id and orders.id = given.id and orders.erased_at is null limit 1
    ) as orders`.execute(context.db)
  const found: (string | undefined)[] = keys.map(() => undefined)
  for (const { n, state } of rows) found[n] = state
  return found
}

/** A digest of the row versions of the row named `orders`, and of what its promise says. Times would not do: two changes may have the same one. */
const stateOfOrder: RawBuilder<string> = sql`hashtextextended(concat_ws(' ',
  orders.xmin::text,
  (
    select string_agg(xmin::text, '.' order by id) from shipments
    where shipments.shop_id = orders.shop_id and shipments.order_id = orders.id
  ),
  (
    select string_agg(xmin::text, '.' order by created_at, id) from claims
    where claims.shop_id = orders.shop_id and claims.order_id = orders.id and claims.deleted_at is null
  ),
  (
    select concat_ws(' ', latest, state, delivered_on) from order_promises
    where order_promises.shop_id = orders.shop_id and order_promises.order_id = orders.id
  )), 0)::text`

function keySet(keys: OrderKey[]): RawBuilder<unknown> {
  const given = keys.map(({ shopId, orderId }, n) => ({ n, shop_id: shopId, id: orderId }))
  return sql`json_to_recordset(${JSON.stringify(given)}::json) as given (n int, shop_id uuid, id uuid)`
}

/** The promise made when the order was placed, as far as its customer sees it. Days are YYYY-MM-DD. */
export interface PagePromise {
  earliest: string | null
  latest: string
  state: 'open' | 'at_risk' | 'kept' | 'broken'
  delivered_on: string | null
}
