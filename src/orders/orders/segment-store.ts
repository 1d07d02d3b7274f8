import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { isOfDeletedShop } from '../../platform/store/deleted-shops.ts'

/** A customer whose segments are due to be fetched. */
export interface SegmentFetch {
  shopId: string
  orderId: string
  integration: string
  attempts: number
  /** False if the shop has been deleted. */
  isWanted: boolean
  email: string | null
  externalCustomerId: string | null
  address: { name?: string; phone?: string } | null
}

/** Leases due fetches under a lease. */
export async function leaseFetches(context: Context, leaseUntil: Date, limit: number): Promise<SegmentFetch[]> {
  const { rows } = await sql<SegmentFetch>`
    with leased as (
      update segment_fetches set due_at = ${leaseUntil}, attempts = attempts + 1
      where (shop_id, order_id, integration) in (
        select shop_id, order_id, integration from segment_fetches
        where due_at <= ${context.now}
          and not exists (select 1 from shops where shops.id = segment_fetches.shop_id and shops.paused_at is not null)
        order by due_at
        limit ${sql.lit(limit)}
        for update skip locked
      )
      returning shop_id, order_id, integration, attempts
    )
    select leased.shop_id as "shopId", leased.order_id as "orderId", leased.integration, leased.attempts,
      not ${isOfDeletedShop('leased')} as "isWanted", orders.email_id as email, orders.details ->> 'external_customer_id' as "externalCustomerId",
      orders.details -> 'address' as address
    from leased
    join orders on orders.shop_id = leased.shop_id and orders.id = leased.order_id`.execute(context.db)
  return rows
}

/** Adds segments to an order, without duplicates, and completes the fetch. */
export async function addSegments(context: Context, fetch: SegmentFetch, segments: string[]): Promise<void> {
  await sql`
    with done as (
      delete from segment_fetches
      where shop_id = ${fetch.shopId} and order_id = ${fetch.orderId} and integration = ${fetch.integration}
    )
    update orders set details = jsonb_set(details, '{segments}', (
      select coalesce(jsonb_agg(distinct segment), '[]')
      from (
        select jsonb_array_elements_text(coalesce(details -> 'segments', '[]')) as segment
        union
        select unnest(${segments}::text[])
      ) as every
    ))
    where shop_id = ${fetch.shopId} and id = ${fetch.orderId} and cardinality(${segments}::text[]) > 0`.execute(
    context.db,
  )
}

export async function postponeFetch(context: Context, fetch: SegmentFetch, dueAt: Date): Promise<void> {
  await context.db
    .updateTable('segment_fetches')
    .set({ due_at: dueAt })
    .where('shop_id', '=', fetch.shopId)
    .where('order_id', '=', fetch.orderId)
    .where('integration', '=', fetch.integration)
    .execute()
}

/** Releases a fetch that was not started; it does not count as an attempt. */
export async function releaseFetch(context: Context, fetch: SegmentFetch, dueAt: Date): Promise<void> {
  await sql`
    update segment_fetches set due_at = ${dueAt}, attempts = attempts - 1
    where shop_id = ${fetch.shopId} and order_id = ${fetch.orderId} and integration = ${fetch.integration}`.execute(
    context.db,
  )
}

/** Adds segments to orders, without duplicates. Orders that no longer exist or already have them are skipped. */
export async function addSegmentsToOrders(
  context: Context,
  additions: { shopId: string; orderId: string; segment: string }[],
): Promise<void> {
  const given = additions.map(({ shopId, orderId, segment }) => ({ shop_id: shopId, order_id: orderId, segment }))
  await sql`
    update orders set details = jsonb_set(details, '{segments}', (
      select jsonb_agg(segment order by position)
      from (
        select segment, min(position) as position
        from jsonb_array_elements_text(coalesce(details -> 'segments', '[]') || added.segments)
          with ordinality as every (segment, position)
        group by segment
      ) as once
    ))
    from (
      select shop_id, order_id, jsonb_agg(segment) as segments
      from json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, order_id uuid, segment text)
      group by shop_id, order_id
    ) as added
    where orders.shop_id = added.shop_id and orders.id = added.order_id
      and not coalesce(details -> 'segments', '[]') @> added.segments`.execute(context.db)
}
