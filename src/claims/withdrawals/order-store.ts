import { sql } from 'kysely'
import type { Product } from '../../orders/orders/parts.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { StoredStatement } from '../claims/rules.ts'
import type { ClaimStatus } from '../claims/schema.ts'
import type { KnownProduct } from './items.ts'

/** The part of an order that a withdrawal is about; no name, address or e-mail is read. Times in lists are ISO 8601 text. */
export interface WithdrawableOrder {
  id: string
  order_number: string
  order_name: string | null
  order_placed_at: Date
  expected_number_of_shipments: number
  nothing_to_send: boolean
  country_code: string | null
  currency: string | null
  products: Product[] | null
  shipments: { id: string; direction: string; phase: string; reached_at: string | null }[]
  catalogue: KnownProduct[]
  withdrawals: FiledWithdrawal[]
}

export interface FiledWithdrawal {
  id: string
  status: ClaimStatus
  is_late: boolean
  created_at: string
  items: StoredStatement['items']
  is_whole_order: boolean
}

/**
 * An order with its shipments, newest first, what the catalogue knows of its products, and its withdrawals, newest first.
 * A parcel that was taken from a pick-up point reached the customer then, even if a carrier calls it delivered before.
 */
export async function findWithdrawableOrder(
  context: ShopContext,
  orderId: string,
): Promise<WithdrawableOrder | undefined> {
  const { rows } = await sql<WithdrawableOrder>`
    select orders.id, orders.order_number, orders.order_name, orders.order_placed_at,
      orders.expected_number_of_shipments, orders.nothing_to_send,
      upper(orders.details #>> '{address,country_code}') as country_code, orders.details -> 'products' as products,
      orders.details ->> 'currency' as currency,
      (
        select coalesce(json_agg(to_json(shipment) order by shipment.created_at desc, shipment.id desc), '[]')
        from (
          select shipments.id, direction, phase, created_at, greatest(delivered_at, (
            select min(event_time) from shipment_events
            where shipment_events.shop_id = shipments.shop_id and shipment_events.shipment_id = shipments.id
              and shipment_events.event_key like 'SUCCESSFULLY\\_COLLECTED%'
          )) as reached_at
          from shipments
          where shipments.shop_id = orders.shop_id and shipments.order_id = orders.id
        ) as shipment
      ) as shipments,
      (
        select coalesce(json_agg(json_build_object('product_id', product_id, 'variant_id', variant_id,
          'category', category, 'withdrawal_exempt', withdrawal_exempt)), '[]')
        from products
        where products.shop_id = orders.shop_id and products.product_id = any(array(
          select distinct line ->> 'product_id'
          from jsonb_array_elements(case jsonb_typeof(orders.details -> 'products')
            when 'array' then orders.details -> 'products' else '[]' end) as line
        ))
      ) as catalogue,
      (
        select coalesce(json_agg(json_build_object('id', id, 'status', status, 'is_late', is_late,
          'created_at', created_at, 'items', statement -> 'items',
          'is_whole_order', statement -> 'is_whole_order') order by created_at desc, id desc), '[]')
        from claims
        where claims.shop_id = orders.shop_id and claims.order_id = orders.id and claims.deleted_at is null
          and claims.kind = 'withdrawal'
      ) as withdrawals
    from orders
    where orders.shop_id = ${context.shop.id} and orders.id = ${orderId}
      and orders.erased_at is null`.execute(context.db)
  return rows[0]
}

/** A withdrawal as its receipt shows it; undefined once the customer is erased. */
export interface ReceiptRecord {
  id: string
  order_id: string
  is_late: boolean
  statement: StoredStatement
  created_at: Date
}

export async function findReceipt(context: ShopContext, id: string): Promise<ReceiptRecord | undefined> {
  const { rows } = await sql<ReceiptRecord>`
    select id, order_id, is_late, statement, created_at from claims
    where shop_id = ${context.shop.id} and id = ${id} and kind = 'withdrawal'
      and statement ->> 'text' is not null`.execute(context.db)
  return rows[0]
}
