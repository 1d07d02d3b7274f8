import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ChangedOrder } from '../../adapters/shop-systems/shop-system.ts'
import { after, secondMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'

export type FetchRow = Selectable<Tables['shopware_fetches' | 'woocommerce_fetches']>
export type FetchQueue = Selectable<Tables['shopware_fetch_queues' | 'woocommerce_fetch_queues']>

/** Each system has tables of its own: a node of an older version leases only the orders that it can fetch. */
const tables = {
  shopware: { fetches: 'shopware_fetches', queues: 'shopware_fetch_queues' },
  woocommerce: { fetches: 'woocommerce_fetches', queues: 'woocommerce_fetch_queues' },
} as const
export type FetchedSystem = keyof typeof tables

/** Systems report every single write of a change: the fetch waits for the last of them. */
const gatherMs = 2 * secondMs

function tablesOf(system: FetchedSystem): { fetches: RawBuilder<unknown>; queues: RawBuilder<unknown> } {
  const { fetches, queues } = tables[system]
  return { fetches: sql.table(fetches), queues: sql.table(queues) }
}

/** Queues orders to be fetched, in the transaction that accepts the webhook. */
export async function requestFetches(
  context: ShopContext,
  system: FetchedSystem,
  orders: ChangedOrder[],
): Promise<void> {
  const shopId = context.shop.id
  const { fetches, queues } = tablesOf(system)
  const dueAt = after(context.now, gatherMs)
  // In one order, and before the queue: otherwise messages about the same orders could deadlock.
  await sql`
    insert into ${fetches} as known (shop_id, order_id, is_deleted, due_at)
    select ${shopId}, order_id, is_deleted, ${dueAt}
    from unnest(${orders.map(({ orderId }) => orderId)}::text[], ${orders.map(({ isDeleted }) => isDeleted)}::boolean[])
      as given (order_id, is_deleted)
    order by order_id
    on conflict (shop_id, order_id) do update set
      requests = known.requests + 1,
      is_deleted = known.is_deleted or excluded.is_deleted,
      -- After failures a new change is reason enough to try again soon.
      due_at = least(known.due_at, excluded.due_at)`.execute(context.db)
  await sql`
    insert into ${queues} as known (shop_id, fetch_at, blocked_until) values (${shopId}, ${dueAt}, ${context.now})
    on conflict (shop_id) do update set fetch_at = excluded.fetch_at
      -- Of a burst, only the first one writes here.
      where known.fetch_at is null or known.fetch_at > excluded.fetch_at`.execute(context.db)
}

/** Leases the queue that has been due longest until the lease ends: of each shop, one request is in flight at a time. */
export async function leaseQueue(
  context: Context,
  system: FetchedSystem,
  leaseUntil: Date,
): Promise<FetchQueue | undefined> {
  const { queues } = tablesOf(system)
  const { rows } = await sql<FetchQueue>`
    update ${queues} as queue set blocked_until = ${leaseUntil}
    from (
      select shop_id from ${queues} as waiting
      where fetch_at <= ${context.now} and blocked_until <= ${context.now} and not ${isOfStoppedShop('waiting')}
      order by fetch_at
      limit 1
      for update skip locked
    ) as due
    where queue.shop_id = due.shop_id
    returning queue.*`.execute(context.db)
  return rows[0]
}

export async function listDueFetches(
  context: Context,
  system: FetchedSystem,
  shopId: string,
  limit: number,
): Promise<FetchRow[]> {
  const { rows } = await sql<FetchRow>`
    select * from ${tablesOf(system).fetches} where shop_id = ${shopId} and due_at <= ${context.now}
    order by due_at
    limit ${limit}`.execute(context.db)
  return rows
}

/** The order has been fetched. If it was requested again meanwhile, it is fetched once more, after the same wait. */
export async function finishFetch(
  context: Context,
  system: FetchedSystem,
  { shop_id, order_id, requests }: FetchRow,
): Promise<void> {
  const { fetches } = tablesOf(system)
  const { rows } = await sql`
    delete from ${fetches} where shop_id = ${shop_id} and order_id = ${order_id} and requests = ${requests}
    returning order_id`.execute(context.db)
  if (rows.length > 0) return
  await sql`
    update ${fetches} set due_at = ${after(context.now, gatherMs)}, attempts = 0
    where shop_id = ${shop_id} and order_id = ${order_id}`.execute(context.db)
}

export async function postponeFetch(
  context: Context,
  system: FetchedSystem,
  { shop_id, order_id }: FetchRow,
  dueAt: Date,
): Promise<void> {
  await sql`
    update ${tablesOf(system).fetches} set due_at = ${dueAt}, attempts = attempts + 1
    where shop_id = ${shop_id} and order_id = ${order_id}`.execute(context.db)
}

/** Ends the lease: the next fetch is due when the next order is, and not before the pause is over. */
export async function releaseQueue(
  context: Context,
  system: FetchedSystem,
  shopId: string,
  outcome: { blockedUntil: Date; failures: number; error: string | null; fetchedAt: Date | undefined },
): Promise<void> {
  const { fetches, queues } = tablesOf(system)
  await sql`
    update ${queues} set
      blocked_until = ${outcome.blockedUntil}, failures = ${outcome.failures}, last_error = ${outcome.error},
      fetched_at = coalesce(${outcome.fetchedAt ?? null}, fetched_at),
      fetch_at = (select min(due_at) from ${fetches} as waiting where waiting.shop_id = ${shopId})
    where shop_id = ${shopId}`.execute(context.db)
}

/**
 * Wakes queues that were released while an order was being queued: neither transaction saw the other, so the queue has
 * orders and no time to fetch them.
 */
export async function wakeQueues(context: Context): Promise<void> {
  for (const { fetches, queues } of [tablesOf('shopware'), tablesOf('woocommerce')]) {
    await sql`
      update ${queues} as queue set fetch_at = ${context.now}
      where fetch_at is null and exists (select 1 from ${fetches} as waiting where waiting.shop_id = queue.shop_id)`.execute(
      context.db,
    )
  }
}

export async function findQueue(context: ShopContext, system: FetchedSystem): Promise<FetchQueue | undefined> {
  const { rows } = await sql<FetchQueue>`
    select * from ${tablesOf(system).queues} where shop_id = ${context.shop.id}`.execute(context.db)
  return rows[0]
}

/** Nothing remains to be fetched if the system is not connected. */
export async function deleteFetches(context: Context, system: FetchedSystem, shopId: string): Promise<void> {
  const { fetches, queues } = tablesOf(system)
  await sql`delete from ${fetches} where shop_id = ${shopId}`.execute(context.db)
  await sql`delete from ${queues} where shop_id = ${shopId}`.execute(context.db)
}
