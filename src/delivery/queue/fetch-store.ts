import { type RawBuilder, sql } from 'kysely'
import { after, minuteMs } from '../../platform/foundation/clock.ts'
import type { CommitScope } from '../../platform/foundation/transaction.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'
import { dueCircuits, giveUpWaiting, planNextProbe } from './circuit-store.ts'
import type { Delivery, Endpoint, Receiver } from './delivery.ts'
import {
  type EndpointColumns,
  endpointOf,
  isCurrentAttempt,
  receiverKey,
  toEndpoint,
  waitsForEarlier,
  withoutSync,
} from './queue-store.ts'

/** Request of a worker to one receiver's queue. */
export interface FetchRequest extends Receiver {
  limit: number
  /** Whether the worker has the lease, and long enough for what it fetches now. */
  isLeased: boolean
  /** Deliveries that it has fetched and not recorded yet. */
  exclude: Iterable<string>
}

/** A worker's lease on receiver queues: until when no other worker fetches from them. */
export interface Lease {
  worker: string
  now: Date
  until: Date
}

/**
 * Fetches due deliveries of these receivers, up to a limit each. The lease is on the receiver's whole queue, so that
 * fetching writes no delivery row. If the worker dies, its deliveries are still due, and the next leaseholder finds them.
 * Within a shipment a later event waits for the earlier ones, unless their next attempt is far off. Nothing is fetched for a
 * deleted or paused shop: its deliveries wait in case that is undone. Of an endpoint whose circuit is open, nothing is fetched
 * but the probe, by a statement of its own: checking that here would cost every fetch a tenth of its time.
 *
 *   given        the requests, without deleted and paused shops
 *   newly_leased the leases that were free or ours, for queues with something due
 *   leased       every request under a lease
 *   fetched      the oldest due deliveries of each
 */
export async function fetchDeliveries(
  scope: CommitScope,
  requests: FetchRequest[],
  lease: Lease,
): Promise<{ deliveries: Delivery[]; leased: Receiver[] }> {
  const given = requests.map(({ shopId, receiverId, limit, isLeased }) => ({
    shop_id: shopId,
    target: receiverId,
    at_most: limit,
    is_leased: isLeased,
  }))
  const excluded = requests.flatMap(({ exclude }) => [...exclude])
  const { rows } = await sql<FetchedRow | LeasedRow>`
    with relaxed as materialized (${withoutSync}), given as materialized (
      select given.*
      from relaxed
      cross join json_to_recordset(${JSON.stringify(given)}::json) as given
        (shop_id uuid, target text, at_most int, is_leased boolean)
      where not ${isOfStoppedShop('given')}
    ), newly_leased as (
      insert into receiver_leases (shop_id, target, worker, leased_until)
      select given.shop_id, given.target, ${lease.worker}::uuid, ${lease.until}::timestamptz
      from given
      where not given.is_leased and exists (select 1 from deliveries where ${isDue('given', lease.now)} offset 0)
      order by given.shop_id, given.target
      on conflict (shop_id, target) do update set worker = excluded.worker, leased_until = excluded.leased_until
      where receiver_leases.worker = excluded.worker or receiver_leases.leased_until <= ${lease.now}
        -- Longer than any lease lasts: written by a node whose clock was wrong.
        or receiver_leases.leased_until > ${after(lease.until, minuteMs)}
      returning receiver_leases.shop_id, receiver_leases.target
    ), leased as materialized (
      select given.* from given where given.is_leased
      union all
      select given.* from given join newly_leased using (shop_id, target)
    ), excluded as materialized (
      select unnest(${excluded}::uuid[]) as id
    ), fetched as materialized (
      select due.*
      from leased
      cross join lateral (
        select deliveries.*
        from deliveries
        where ${isDue('leased', lease.now)}
          and deliveries.id not in (select excluded.id from excluded)
          and not ${waitsForEarlier('deliveries', lease.now)}
        order by deliveries.next_attempt_at, deliveries.id
        limit leased.at_most
      ) as due
    )
    select ${fetchedColumns}, null as url, null as "sealedUrl", null as secret, null as "formerSecret", null as "formerSecretUntil",
      null as headers, null as "circuitOpenedAt"
    from fetched
    cross join lateral ${bodyOf('fetched')} as notifications
    union all
    select leased.shop_id, null, leased.target, null, null, null, null, null, endpoint.*
    from leased
    left join lateral ${endpointOf('leased')} as endpoint on true`.execute(scope.db)
  const leased = rows.filter((row) => row.id === null)
  const fetched = rows.filter((row) => row.id !== null)
  const open = leased.filter(({ circuitOpenedAt }) => circuitOpenedAt !== null)
  if (open.length === 0) return { deliveries: toDeliveries(fetched, leased), leased }
  const probes = toDeliveries(await fetchProbes(scope, open, excluded, lease.now), open)
  await giveUpWaiting(scope, probes, lease.now)
  const held = new Set(open.map(({ receiverId }) => receiverId))
  const others = fetched.filter(({ receiverId }) => !held.has(receiverId))
  return { deliveries: [...toDeliveries(others, leased), ...probes], leased }
}

/**
 * Fetches the probe of each endpoint whose next one is due, and plans the one after it. It is the newest delivery, so
 * that a delivery that somebody resends or tests is the one that is tried.
 *
 *   due      the endpoints
 *   fetched  the newest due delivery of each
 *   planned  the time of the next probe
 */
export async function fetchProbes(
  scope: CommitScope,
  receivers: Receiver[],
  excluded: string[],
  now: Date,
): Promise<FetchedRow[]> {
  const { rows } = await sql<FetchedRow>`
    with due as materialized (${dueCircuits(receivers, now)}), fetched as materialized (
      select probe.*
      from due
      cross join lateral (
        select deliveries.*
        from deliveries
        where ${isDue('due', now)}
          and deliveries.id <> all(${excluded}::uuid[])
          and not ${waitsForEarlier('deliveries', now)}
        order by deliveries.next_attempt_at desc, deliveries.id desc
        limit 1
      ) as probe
    ), planned as (${planNextProbe('fetched', now)})
    select ${fetchedColumns}
    from fetched
    cross join lateral ${bodyOf('fetched')} as notifications`.execute(scope.db)
  return rows
}

export const fetchedColumns = sql`fetched.shop_id as "shopId", fetched.id, fetched.target as "receiverId",
  fetched.notification_id as "notificationId", fetched.attempts + 1 as "attemptNumber",
  fetched.attempts + 1 - fetched.attempts_before as "attemptSinceResend", fetched.event_group as "eventGroup",
  notifications.body`

export function bodyOf(row: string): RawBuilder<unknown> {
  return sql`(
    select body from notifications
    where notifications.shop_id = ${sql.ref(`${row}.shop_id`)} and notifications.id = ${sql.ref(`${row}.notification_id`)}
    offset 0
  )`
}

function isDue(row: string, now: Date): RawBuilder<boolean> {
  return sql`${receiverKey('deliveries')} = ${receiverKey(row)}
    and deliveries.finished_at is null and deliveries.next_attempt_at <= ${now}`
}

export type FetchedRow = Omit<Delivery, 'body' | 'endpoint'> & { body: string }
/** A queue under lease, with its endpoint if the receiver is one. */
export type LeasedRow = Receiver & EndpointColumns & { id: null }

/** Oldest first. Deliveries to the same endpoint share one object, so that its secrets are opened once for all of them. */
export function toDeliveries(rows: FetchedRow[], leased: LeasedRow[]): Delivery[] {
  const endpoints = new Map<string, Endpoint | null>(leased.map((row) => [row.receiverId, toEndpoint(row)]))
  return rows
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .map((row) => ({
      shopId: row.shopId,
      id: row.id,
      receiverId: row.receiverId,
      notificationId: row.notificationId,
      eventGroup: row.eventGroup,
      attemptNumber: row.attemptNumber,
      attemptSinceResend: row.attemptSinceResend,
      body: Buffer.from(row.body),
      endpoint: endpoints.get(row.receiverId) ?? null,
    }))
}

/** Extends leases; returns those that are still the worker's. */
export async function renewLeases(scope: CommitScope, receivers: Receiver[], lease: Lease): Promise<Receiver[]> {
  const given = receivers.map(({ shopId, receiverId }) => ({ shop_id: shopId, target: receiverId }))
  const { rows } = await sql<Receiver>`
    with relaxed as materialized (${withoutSync}), given as materialized (
      select given.* from relaxed
      cross join json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, target text)
      order by given.shop_id, given.target
    )
    update receiver_leases set leased_until = ${lease.until}
    from given
    where receiver_leases.shop_id = given.shop_id and receiver_leases.target = given.target
      and receiver_leases.worker = ${lease.worker}
    returning receiver_leases.shop_id as "shopId", receiver_leases.target as "receiverId"`.execute(scope.db)
  return rows
}

/** Releases all leases of a worker. */
export async function releaseLeases(scope: CommitScope, worker: string): Promise<void> {
  await sql`delete from receiver_leases where worker = ${worker}`.execute(scope.db)
}

/** Releases a worker's leases on these queues. */
export async function releaseLeasesOn(scope: CommitScope, worker: string, receivers: Receiver[]): Promise<void> {
  const given = receivers.map(({ shopId, receiverId }) => ({ shop_id: shopId, target: receiverId }))
  await sql`
    delete from receiver_leases
    using json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, target text)
    where receiver_leases.shop_id = given.shop_id and receiver_leases.target = given.target
      and receiver_leases.worker = ${worker}`.execute(scope.db)
}

/** Returns deliveries that were fetched and not started: they are due at once, for any worker with capacity. */
export async function releaseDeliveries(scope: CommitScope, deliveries: Delivery[], now: Date): Promise<void> {
  if (deliveries.length === 0) return
  const rows = deliveries.map(({ shopId, id, attemptNumber }) => ({ shop_id: shopId, id, number: attemptNumber }))
  await sql`
    update deliveries set next_attempt_at = ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (shop_id uuid, id uuid, number smallint)
    where deliveries.shop_id = given.shop_id and deliveries.id = given.id and ${isCurrentAttempt}`.execute(scope.db)
}

/**
 * Returns everything that was fetched and never recorded. Only for the start of a store's one and only process:
 * the process that had fetched it is gone, so its leases need not expire first.
 */
export async function releaseEverything(scope: CommitScope, now: Date): Promise<void> {
  await sql`delete from receiver_leases`.execute(scope.db)
  await sql`
    update deliveries set next_attempt_at = ${now}
    where status = 'pending' and attempts = 0 and next_attempt_at > ${now}
      and (postponed_until is null or postponed_until < next_attempt_at)`.execute(scope.db)
}

/**
 * Receivers with something due, found by a loose index scan, however much is queued for each. An endpoint whose circuit is
 * open is due when its next probe is.
 */
export async function findDueReceivers(scope: CommitScope, now: Date, limit: number): Promise<Receiver[]> {
  const { rows } = await sql<Receiver>`
    with recursive hop as (
      (select shop_id, target from deliveries where finished_at is null order by ${receiverKey('deliveries')} limit 1)
      union all
      select next.shop_id, next.target from hop
      cross join lateral (
        select deliveries.shop_id, deliveries.target from deliveries
        where deliveries.finished_at is null and ${receiverKey('deliveries')} > ${receiverKey('hop')}
        order by ${receiverKey('deliveries')}
        limit 1
      ) as next
    ), held_back as materialized (
      select shop_id, id::text as target from webhook_endpoints where circuit_opened_at is not null and probe_at > ${now}
    )
    select hop.shop_id as "shopId", hop.target as "receiverId" from hop
    where not ${isOfStoppedShop('hop')} and (hop.shop_id, hop.target) not in (select shop_id, target from held_back)
      and exists (
      select 1 from deliveries
      where ${receiverKey('deliveries')} = ${receiverKey('hop')}
        and deliveries.finished_at is null and deliveries.next_attempt_at <= ${now}
      offset 0
    )
    limit ${sql.lit(limit)}`.execute(scope.db)
  return rows
}
