import { sql } from 'kysely'
import { customerDigest } from '../../orders/orders/customer-store.ts'
import type { Context, ShopRecord } from '../../platform/foundation/context.ts'

/** The order's data that its offers depend on, with the shop and its offer version. */
export interface OfferedOrder {
  id: string
  segments: string[]
  productIds: string[]
  customer: string
  assignments: Record<string, string | null>
  version: number
  shop: Pick<ShopRecord, 'id' | 'slug' | 'name' | 'language' | 'currency'>
}

/** Undefined for an order of a deleted shop; pages rely on this, because they name no shop. */
export async function findOfferedOrder(
  context: Context,
  shopId: string,
  orderId: string,
): Promise<OfferedOrder | undefined> {
  const { rows } = await sql<OfferedOrder>`
    select orders.id, coalesce(orders.details -> 'segments', '[]') as segments,
      jsonb_path_query_array(orders.details, '$.products[*].product_id') as "productIds",
      encode(buyer.customer, 'hex') as customer,
      coalesce((
        select json_object_agg(test_id, campaign_id) from ab_test_assignments
        where ab_test_assignments.shop_id = orders.shop_id and ab_test_assignments.customer = buyer.customer
      ), '{}') as assignments,
      coalesce(offer_versions.version, 0) as version,
      json_build_object('id', shops.id, 'slug', shops.slug, 'name', shops.name, 'language', shops.language,
        'currency', shops.currency) as shop
    from orders
    join shops on shops.id = orders.shop_id and shops.deleted_at is null
    left join offer_versions on offer_versions.shop_id = orders.shop_id
    cross join lateral (select ${customerDigest()} as customer) as buyer
    where orders.shop_id = ${shopId} and orders.id = ${orderId} and orders.erased_at is null`.execute(context.db)
  return rows[0]
}

export interface View {
  shopId: string
  orderId: string
  customer: string
  action: 'exposure' | 'click'
  /** The campaign; for a customer in the holdout, the test. */
  subjectId: string
  testId: string | null
}

/** Counts a view or a click once per day per customer. */
export async function recordView(context: Context, view: View): Promise<void> {
  await context.db
    .insertInto('campaign_views')
    .values({
      shop_id: view.shopId,
      subject_id: view.subjectId,
      action: view.action,
      customer: Buffer.from(view.customer, 'hex'),
      day: context.now.toISOString().slice(0, 10),
      order_id: view.orderId,
      test_id: view.testId,
      recorded_at: context.now,
    })
    .onConflict((conflict) => conflict.columns(['shop_id', 'subject_id', 'action', 'customer', 'day']).doNothing())
    .execute()
}
