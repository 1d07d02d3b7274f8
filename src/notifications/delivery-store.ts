import { sql } from 'kysely'
import { after } from '../foundation/clock.ts'
import type { Endpoint, TakenDelivery, WokenTarget } from '../foundation/deliveries.ts'
import type { Context } from '../foundation/operation.ts'
import { isOfDeletedShop } from '../resources/shops/store.ts'
import { endpointOf, isHeldBack, isNoted, laneOf } from './queue-store.ts'

type Store = Pick<Context, 'db'>

/**
 * Leases and attempts need not be on disk before work goes on: what a crash of the server takes with it is sent once more,
 * under the same webhook-id, and nothing is lost. Waiting for the disk cost two of the three syncs of every delivery.
 */
const withoutSync = sql`select set_config('synchronous_commit', 'off', true)`

/**
 * Takes due deliveries of these targets, a number of each, under a lease: what a worker that dies had taken is due again
 * when the lease ends. Of one shipment, a later event waits for the earlier ones, unless those wait long themselves. Of a
 * deleted shop nothing is taken: it waits for the deletion to be taken back.
 */
export async function takeDeliveries(
  context: Store,
  lanes: (WokenTarget & { limit: number })[],
  now: Date,
  leaseUntil: Date,
): Promise<TakenDelivery[]> {
  const given = lanes.map(({ shopId, target, limit }) => ({ shop_id: shopId, target, at_most: limit }))
  const { rows } = await sql<TakenRow | EndpointRow>`
    with relaxed as materialized (${withoutSync}), given as materialized (
      select given.*
      from relaxed
      cross join json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, target text, at_most int)
      where not ${isOfDeletedShop('given')}
    ), taken as materialized (
      select due.place
      from given
      cross join lateral (
        select deliveries.ctid as place
        from deliveries
        where ${laneOf('deliveries')} = ${laneOf('given')}
          and deliveries.finished_at is null and deliveries.next_attempt_at <= ${now}
          and not ${isHeldBack('deliveries', now)}
        order by deliveries.next_attempt_at, deliveries.id
        limit given.at_most
        for no key update of deliveries skip locked
      ) as due
    ), leased as (
      -- By their places, which the locks hold: a join by id may be planned as a reading of the whole table.
      update deliveries set next_attempt_at = ${leaseUntil}, attempts = deliveries.attempts + 1
      from taken
      where deliveries.ctid = taken.place
      returning deliveries.*
    )
    select leased.shop_id as "shopId", leased.id, leased.target, leased.notification_id as "notificationId",
      leased.attempts, leased.attempts - leased.attempts_before as "attemptsOfSchedule", leased.event_group as "eventGroup",
      notifications.body, null as url, null as secret, null as "formerSecret", null as "formerSecretUntil"
    from leased
    cross join lateral (
      select body from notifications
      where notifications.shop_id = leased.shop_id and notifications.id = leased.notification_id
      offset 0
    ) as notifications
    union all
    select given.shop_id, null, given.target, null, null, null, null, null, endpoint.*
    from given
    cross join lateral ${endpointOf('given')} as endpoint`.execute(context.db)
  // One object for each endpoint: its secrets are opened once for all that goes there.
  const endpoints = new Map<string, Endpoint>()
  const deliveries: TakenRow[] = []
  for (const row of rows) {
    if (row.id === null) endpoints.set(row.target, row)
    else deliveries.push(row)
  }
  return deliveries.sort(oldestFirst).map((row) => ({
    shopId: row.shopId,
    id: row.id,
    target: row.target,
    notificationId: row.notificationId,
    eventGroup: row.eventGroup,
    attempts: row.attempts,
    attemptsOfSchedule: row.attemptsOfSchedule,
    body: Buffer.from(row.body),
    endpoint: endpoints.get(row.target) ?? null,
  }))
}

type TakenRow = Omit<TakenDelivery, 'body' | 'endpoint'> & { body: string }
type EndpointRow = Endpoint & { id: null; target: string }

function oldestFirst(left: TakenRow, right: TakenRow): number {
  return left.id < right.id ? -1 : 1
}

/** Gives back what was taken and has not begun: it is due at once, for whoever has room. */
export async function releaseDeliveries(context: Store, taken: TakenDelivery[], now: Date): Promise<void> {
  if (taken.length === 0) return
  const rows = taken.map(({ shopId, id, attempts }) => ({ shop_id: shopId, id, number: attempts }))
  await sql`
    update deliveries set next_attempt_at = ${now}, attempts = deliveries.attempts - 1
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (shop_id uuid, id uuid, number smallint)
    where deliveries.shop_id = given.shop_id and deliveries.id = given.id
      and deliveries.attempts = given.number and deliveries.finished_at is null`.execute(context.db)
}

/**
 * Makes due at once what was taken and whose attempt was never written down. Only for the start of a store's one and
 * only process: whoever had taken it is gone, and nobody has to wait for the lease to end.
 */
export async function releaseTaken(context: Store, now: Date): Promise<void> {
  await sql`
    update deliveries set next_attempt_at = ${now}
    where status = 'pending' and next_attempt_at > ${now} and attempts > 0
      and not ${isNoted(sql`deliveries.attempts`)}`.execute(context.db)
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
    finished_at: attempt.status === 'pending' ? null : after(attempt.startedAt, attempt.durationMs),
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
    sql`case when deliveries.attempts = given.number then ${sql.ref(`given.${column}`)} else ${sql.ref(`deliveries.${column}`)} end`
  await sql`
    with relaxed as materialized (${withoutSync}), given as materialized (
      select given.* from relaxed cross join json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, delivery_id uuid, number smallint, status text, next_attempt_at timestamptz,
         finished_at timestamptz, entry jsonb)
    )
    update deliveries set
      status = ${becomes('status')},
      next_attempt_at = ${becomes('next_attempt_at')},
      finished_at = ${becomes('finished_at')},
      attempt_log = case when ${isNoted(sql`given.number`)} then deliveries.attempt_log
        else deliveries.attempt_log || given.entry end
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
