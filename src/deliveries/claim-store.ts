import { sql } from 'kysely'
import { isOfDeletedShop } from '../database/deleted-shops.ts'
import { after, minuteMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import type { Endpoint, TakenDelivery, WokenTarget } from './delivery.ts'
import { endpointOf, isHeldBack, isNoted, laneOf } from './queue-store.ts'

type Store = Pick<Context, 'db'>

/**
 * Leases and attempts need not be on disk before work goes on: what a crash of the server takes with it is sent once more,
 * under the same webhook-id, and nothing is lost. Waiting for the disk cost two of the three syncs of every delivery.
 */
const withoutSync = sql`select set_config('synchronous_commit', 'off', true)`

/** Whether the attempt of a row `given` is the next of its delivery: nobody has made another since it was taken. */
const isCurrent = sql`(deliveries.attempts = given.number - 1 and deliveries.finished_at is null)`

/** A receiver's queue that a worker would take from. */
export interface WantedLane extends WokenTarget {
  limit: number
  /** Whether the worker holds it, and long enough for what it takes now. */
  isHeld: boolean
  /** What it has taken of it and not written down yet. */
  busy: Iterable<string>
}

/** A worker, and the time until which it is to hold what it takes from. */
export interface Hold {
  worker: string
  now: Date
  until: Date
}

/**
 * Takes due deliveries of these receivers, a number of each. A worker holds the whole queue of a receiver while it takes
 * from it, and nobody else does: no row has to be written for being taken. What a worker that dies had taken is due still,
 * and is found by the next that holds the queue. Of one shipment, a later event waits for the earlier ones, unless those
 * wait long themselves. Of a deleted shop nothing is taken: it waits for the deletion to be taken back.
 */
export async function takeDeliveries(
  context: Store,
  lanes: WantedLane[],
  hold: Hold,
): Promise<{ deliveries: TakenDelivery[]; held: WokenTarget[] }> {
  const given = lanes.map(({ shopId, target, limit, isHeld }) => ({
    shop_id: shopId,
    target,
    at_most: limit,
    is_held: isHeld,
  }))
  const busy = lanes.flatMap((lane) => [...lane.busy])
  const isDue = (lane: string) => sql`
    ${laneOf('deliveries')} = ${laneOf(lane)}
    and deliveries.finished_at is null and deliveries.next_attempt_at <= ${hold.now}`
  const { rows } = await sql<TakenRow | LaneRow>`
    with relaxed as materialized (${withoutSync}), given as materialized (
      select given.*
      from relaxed
      cross join json_to_recordset(${JSON.stringify(given)}::json) as given
        (shop_id uuid, target text, at_most int, is_held boolean)
      where not ${isOfDeletedShop('given')}
    ), newly_held as (
      insert into delivery_lanes (shop_id, target, worker, held_until)
      select given.shop_id, given.target, ${hold.worker}::uuid, ${hold.until}::timestamptz
      from given
      where not given.is_held and exists (select 1 from deliveries where ${isDue('given')} offset 0)
      order by given.shop_id, given.target
      on conflict (shop_id, target) do update set worker = excluded.worker, held_until = excluded.held_until
      where delivery_lanes.worker = excluded.worker or delivery_lanes.held_until <= ${hold.now}
        -- Longer than anybody holds one: of a clock that was wrong.
        or delivery_lanes.held_until > ${after(hold.until, minuteMs)}
      returning delivery_lanes.shop_id, delivery_lanes.target
    ), held as materialized (
      select given.* from given where given.is_held
      union all
      select given.* from given join newly_held using (shop_id, target)
    ), busy as materialized (
      select unnest(${busy}::uuid[]) as id
    ), taken as materialized (
      select due.*
      from held
      cross join lateral (
        select deliveries.*
        from deliveries
        where ${isDue('held')}
          and deliveries.id not in (select busy.id from busy)
          and not ${isHeldBack('deliveries', hold.now)}
        order by deliveries.next_attempt_at, deliveries.id
        limit held.at_most
      ) as due
    )
    select taken.shop_id as "shopId", taken.id, taken.target, taken.notification_id as "notificationId",
      taken.attempts + 1 as number, taken.attempts + 1 - taken.attempts_before as "numberOfSchedule",
      taken.event_group as "eventGroup", notifications.body,
      null as url, null as secret, null as "formerSecret", null as "formerSecretUntil"
    from taken
    cross join lateral (
      select body from notifications
      where notifications.shop_id = taken.shop_id and notifications.id = taken.notification_id
      offset 0
    ) as notifications
    union all
    select held.shop_id, null, held.target, null, null, null, null, null, endpoint.*
    from held
    left join lateral ${endpointOf('held')} as endpoint on true`.execute(context.db)
  const held: WokenTarget[] = []
  // One object for each endpoint: its secrets are opened once for all that goes there.
  const endpoints = new Map<string, Endpoint>()
  const taken: TakenRow[] = []
  for (const row of rows) {
    if (row.id !== null) taken.push(row)
    else {
      held.push(row)
      const { url, secret, formerSecret, formerSecretUntil } = row
      if (url !== null) endpoints.set(row.target, { url, secret, formerSecret, formerSecretUntil })
    }
  }
  const deliveries = taken.sort(oldestFirst).map((row) => ({
    shopId: row.shopId,
    id: row.id,
    target: row.target,
    notificationId: row.notificationId,
    eventGroup: row.eventGroup,
    number: row.number,
    numberOfSchedule: row.numberOfSchedule,
    body: Buffer.from(row.body),
    endpoint: endpoints.get(row.target) ?? null,
  }))
  return { deliveries, held }
}

type TakenRow = Omit<TakenDelivery, 'body' | 'endpoint'> & { body: string }
/** A queue that is held now, with its endpoint where the receiver is one. */
type LaneRow = WokenTarget & Omit<Endpoint, 'url'> & { id: null; url: string | null }

function oldestFirst(left: TakenRow, right: TakenRow): number {
  return left.id < right.id ? -1 : 1
}

/** Holds on to queues; answers those that are still the worker's. */
export async function renewHolds(context: Store, lanes: WokenTarget[], hold: Hold): Promise<WokenTarget[]> {
  const given = lanes.map(({ shopId, target }) => ({ shop_id: shopId, target }))
  const { rows } = await sql<WokenTarget>`
    with relaxed as materialized (${withoutSync}), given as materialized (
      select given.* from relaxed
      cross join json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, target text)
      order by given.shop_id, given.target
    )
    update delivery_lanes set held_until = ${hold.until}
    from given
    where delivery_lanes.shop_id = given.shop_id and delivery_lanes.target = given.target
      and delivery_lanes.worker = ${hold.worker}
    returning delivery_lanes.shop_id as "shopId", delivery_lanes.target`.execute(context.db)
  return rows
}

/** Lets go of all that a worker holds. */
export async function releaseHolds(context: Store, worker: string): Promise<void> {
  await sql`delete from delivery_lanes where worker = ${worker}`.execute(context.db)
}

/** Gives back what was taken and has not begun: it is due at once, for whoever has room. */
export async function releaseDeliveries(context: Store, taken: TakenDelivery[], now: Date): Promise<void> {
  if (taken.length === 0) return
  const rows = taken.map(({ shopId, id, number }) => ({ shop_id: shopId, id, number }))
  await sql`
    update deliveries set next_attempt_at = ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (shop_id uuid, id uuid, number smallint)
    where deliveries.shop_id = given.shop_id and deliveries.id = given.id and ${isCurrent}`.execute(context.db)
}

/**
 * Makes due at once what was taken as it was queued and never written down, and lets go of every queue. Only for the start
 * of a store's one and only process: whoever had taken it is gone, and nobody has to wait for the lease to end.
 */
export async function releaseTaken(context: Store, now: Date): Promise<void> {
  await sql`delete from delivery_lanes`.execute(context.db)
  await sql`
    update deliveries set next_attempt_at = ${now}
    where status = 'pending' and attempts = 0 and next_attempt_at > ${now}`.execute(context.db)
}

/** How an attempt went, and what follows from it. */
export interface AttemptRecord {
  shopId: string
  deliveryId: string
  number: number
  startedAt: Date
  durationMs: number
  statusCode: number | null
  answer: string | null
  stage: string | null
  error: string | null
  status: 'pending' | 'delivered' | 'skipped' | 'dead'
  /** When the next one is due; of the last, when it ended. */
  nextAttemptAt: Date
  /** The endpoint whose health this says something about. */
  endpointId: string | null
}

/** Writes down attempts, each with what its delivery has become. */
export async function recordAttempts(context: Store, attempts: AttemptRecord[]): Promise<void> {
  const rows = attempts.map((attempt) => ({
    shop_id: attempt.shopId,
    delivery_id: attempt.deliveryId,
    number: attempt.number,
    status: attempt.status,
    next_attempt_at: attempt.nextAttemptAt,
    entry: {
      number: attempt.number,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      status_code: attempt.statusCode,
      answer: attempt.answer,
      stage: attempt.stage,
      error: attempt.error,
    },
  }))
  // A worker that was given up for dead and answers late must not undo what another has done since; what it saw is noted.
  const becomes = (column: string) =>
    sql`case when ${isCurrent} then ${sql.ref(`given.${column}`)} else ${sql.ref(`deliveries.${column}`)} end`
  await sql`
    with relaxed as materialized (${withoutSync}), given as materialized (
      select given.* from relaxed cross join json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, delivery_id uuid, number smallint, status text, next_attempt_at timestamptz, entry jsonb)
    )
    update deliveries set
      status = ${becomes('status')},
      attempts = greatest(deliveries.attempts, given.number),
      next_attempt_at = ${becomes('next_attempt_at')},
      finished_at = case when ${isCurrent} and given.status <> 'pending' then given.next_attempt_at else deliveries.finished_at end,
      attempt_log = case when deliveries.attempts >= given.number and ${isNoted(sql`given.number`)}
        then deliveries.attempt_log
        else deliveries.attempt_log
          || case when deliveries.is_erased then given.entry || '{"answer": null, "error": null}' else given.entry end
        end
    from given
    where deliveries.shop_id = given.shop_id and deliveries.id = given.delivery_id`.execute(context.db)
}

/** Notes what attempts say about their endpoints: the last success, and since when one has been failing. */
export async function recordHealth(
  context: Store,
  health: { shopId: string; endpointId: string; isSuccess: boolean; at: Date }[],
): Promise<void> {
  const rows = health.map(({ shopId, endpointId, isSuccess, at }) => ({
    shop_id: shopId,
    id: endpointId,
    ok: isSuccess,
    at,
  }))
  await sql`
    update webhook_endpoints set
      last_success_at = case when given.ok then given.at else webhook_endpoints.last_success_at end,
      failing_since = case when given.ok then null else coalesce(webhook_endpoints.failing_since, given.at) end
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (shop_id uuid, id uuid, ok boolean, at timestamptz)
    where webhook_endpoints.shop_id = given.shop_id and webhook_endpoints.id = given.id`.execute(context.db)
}

/** Targets with something due, found by hopping from target to target in the index, whatever is queued for each. */
export async function findDueTargets(context: Store, now: Date, limit: number): Promise<WokenTarget[]> {
  const { rows } = await sql<WokenTarget>`
    with recursive hop as (
      (select shop_id, target from deliveries where finished_at is null order by ${laneOf('deliveries')} limit 1)
      union all
      select next.shop_id, next.target from hop
      cross join lateral (
        select deliveries.shop_id, deliveries.target from deliveries
        where deliveries.finished_at is null and ${laneOf('deliveries')} > ${laneOf('hop')}
        order by ${laneOf('deliveries')}
        limit 1
      ) as next
    )
    select hop.shop_id as "shopId", hop.target from hop
    where not ${isOfDeletedShop('hop')} and exists (
      select 1 from deliveries
      where ${laneOf('deliveries')} = ${laneOf('hop')}
        and deliveries.finished_at is null and deliveries.next_attempt_at <= ${now}
      offset 0
    )
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}
