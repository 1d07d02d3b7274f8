import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'

/** The subject of a message about an order: its newest parcel and its newest claim. */
export interface MailSubject {
  shipmentId: string | null
  claimId: string | null
}

/** Undefined: the shop has no such order. */
export async function findMailSubject(context: ShopContext, orderId: string): Promise<MailSubject | undefined> {
  const { rows } = await sql<MailSubject>`
    select
      (
        select id from shipments
        where shop_id = orders.shop_id and order_id = orders.id
        order by is_draft, created_at desc, id desc
        limit 1
      ) as "shipmentId",
      (
        select id from claims
        where shop_id = orders.shop_id and order_id = orders.id and deleted_at is null
        order by created_at desc, id desc
        limit 1
      ) as "claimId"
    from orders
    where shop_id = ${context.shop.id} and id = ${orderId}`.execute(context.db)
  return rows[0]
}
