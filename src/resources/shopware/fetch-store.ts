import { type Selectable, sql } from 'kysely'
import { isOfStoppedShop } from '../../database/deleted-shops.ts'
import type { Tables } from '../../database/tables.ts'
import { after, secondMs } from '../../foundation/clock.ts'
import type { Context, ShopContext } from '../../foundation/context.ts'
import type { ChangedOrder } from '../../shop-systems/shop-system.ts'

export type FetchRow = Selectable<Tables['shopware_fetches']>
export type FetchQueue = Selectable<Tables['shopware_fetch_queues']>

/** Shopware reports every single write of a change: the fetch waits for the last of them. */
export const gatherMs = 2 * secondMs

/** Queues orders to be fetched, in the transaction that accepts the webhook. */
export async function requestFetches(context: ShopContext, orders: ChangedOrder[]): Promise<void> {
  const shopId = context.shop.id
  const dueAt = after(context.now, gatherMs)
  // In one order, and before the queue: otherwise messages about the same orders could deadlock.
  await sql`
    insert into shopware_fetches (shop_id, order_id, is_deleted, due_at)
    select ${shopId}, order_id, is_deleted, ${dueAt}
    from unnest(${orders.map(({ orderId }) => orderId)}::text[], ${orders.map(({ isDeleted }) => isDeleted)}::boolean[])
      as given (order_id, is_deleted)
    order by order_id
    on conflict (shop_id, order_id) do update set
      requests = shopware_fetches.requests + 1,
      is_deleted = shopware_fetches.is_deleted or excluded.is_deleted,
      -- After failures a new change is reason enough to try again soon.
      due_at = least(shopware_fetches.due_at, excluded.due_at)`.execute(context.db)
  await sql`
    insert into shopware_fetch_queues (shop_id, fetch_at, blocked_until) values (${shopId}, ${dueAt}, ${context.now})
    on conflict (shop_id) do update set fetch_at = excluded.fetch_at
      -- Of a burst, only the first one writes here.
      where shopware_fetch_queues.fetch_at is null or shopware_fetch_queues.fetch_at > excluded.fetch_at`.execute(
    context.db,
  )
}

/** Claims the queue that has been due longest until the lease ends: of each shop, one request is in flight at a time. */
export async function claimQueue(context: Context, leaseUntil: Date): Promise<FetchQueue | undefined> {
  const { rows } = await sql<FetchQueue>`
    update shopware_fetch_queues set blocked_until = ${leaseUntil}
    from (
      select shop_id from shopware_fetch_queues
      where fetch_at <= ${context.now} and blocked_until <= ${context.now}
        and not ${isOfStoppedShop('shopware_fetch_queues')}
      order by fetch_at
      limit 1
      for update skip locked
    ) as due
    where shopware_fetch_queues.shop_id = due.shop_id
    returning shopware_fetch_queues.*`.execute(context.db)
  return rows[0]
}

export async function listDueFetches(context: Context, shopId: string, limit: number): Promise<FetchRow[]> {
  return context.db
    .selectFrom('shopware_fetches')
    .where('shop_id', '=', shopId)
    .where('due_at', '<=', context.now)
    .orderBy('due_at')
    .limit(limit)
    .selectAll()
    .execute()
}

/** The order has been fetched. If it was requested again meanwhile, it is fetched once more, after the same wait. */
export async function finishFetch(context: Context, { shop_id, order_id, requests }: FetchRow): Promise<void> {
  const deleted = await context.db
    .deleteFrom('shopware_fetches')
    .where('shop_id', '=', shop_id)
    .where('order_id', '=', order_id)
    .where('requests', '=', requests)
    .returning('order_id')
    .executeTakeFirst()
  if (deleted) return
  await context.db
    .updateTable('shopware_fetches')
    .set({ due_at: after(context.now, gatherMs), attempts: 0 })
    .where('shop_id', '=', shop_id)
    .where('order_id', '=', order_id)
    .execute()
}

export async function postponeFetch(context: Context, { shop_id, order_id }: FetchRow, dueAt: Date): Promise<void> {
  await context.db
    .updateTable('shopware_fetches')
    .set({ due_at: dueAt, attempts: sql`attempts + 1` })
    .where('shop_id', '=', shop_id)
    .where('order_id', '=', order_id)
    .execute()
}

/** Ends the claim: the next fetch is due when the next order is, and not before the pause is over. */
export async function releaseQueue(
  context: Context,
  shopId: string,
  outcome: { blockedUntil: Date; failures: number; error: string | null; fetchedAt: Date | undefined },
): Promise<void> {
  await sql`
    update shopware_fetch_queues set
      blocked_until = ${outcome.blockedUntil}, failures = ${outcome.failures}, last_error = ${outcome.error},
      fetched_at = coalesce(${outcome.fetchedAt ?? null}, fetched_at),
      fetch_at = (select min(due_at) from shopware_fetches where shopware_fetches.shop_id = ${shopId})
    where shop_id = ${shopId}`.execute(context.db)
}

/**
 * Wakes queues that were released while an order was being queued: neither transaction saw the other, so the queue has
 * orders and no time to fetch them.
 */
export async function wakeQueues(context: Context): Promise<void> {
  await sql`
    update shopware_fetch_queues set fetch_at = ${context.now}
    where fetch_at is null
      and exists (select 1 from shopware_fetches where shopware_fetches.shop_id = shopware_fetch_queues.shop_id)`.execute(
    context.db,
  )
}

export async function findQueue(context: ShopContext): Promise<FetchQueue | undefined> {
  return context.db
    .selectFrom('shopware_fetch_queues')
    .where('shop_id', '=', context.shop.id)
    .selectAll()
    .executeTakeFirst()
}

/** Nothing remains to be fetched if no Shopware is connected. */
export async function deleteFetches(context: Context, shopId: string): Promise<void> {
  await context.db.deleteFrom('shopware_fetches').where('shop_id', '=', shopId).execute()
  await context.db.deleteFrom('shopware_fetch_queues').where('shop_id', '=', shopId).execute()
}
