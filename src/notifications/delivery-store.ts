import { sql } from 'kysely'
import type { Context } from '../foundation/operation.ts'
import { patienceMs } from './retry.ts'
import type { WokenTarget } from './store.ts'

/** A delivery that this worker has taken, with everything needed to send it. */
export interface TakenDelivery {
  shopId: string
  id: string
  target: string
  notificationId: string
  eventGroup: string
  attempts: number
  /** Of these, the ones since it was last resent. */
  attemptsOfSchedule: number
  body: string
  endpoint: { url: string; secret: Buffer; formerSecret: Buffer | null; formerSecretUntil: Date | null } | null
}

type Store = Pick<Context, 'db'>

/**
 * Takes due deliveries of these targets, a number of each, under a lease: what a worker that dies had taken is due again
 * when the lease ends. Of one shipment, a later event waits for the earlier ones, unless those wait long themselves.
 */
export async function takeDeliveries(
  context: Store,
  lanes: (WokenTarget & { limit: number })[],
  now: Date,
  leaseUntil: Date,
): Promise<TakenDelivery[]> {
  const given = lanes.map(({ shopId, target, limit }) => ({ shop_id: shopId, target, at_most: limit }))
  const { rows } = await sql<
    TakenDelivery & { url: string | null; secret: Buffer; formerSecret: Buffer; formerSecretUntil: Date }
  >`
    with taken as materialized (
      select due.shop_id, due.id
      from json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, target text, at_most int)
      cross join lateral (
        select deliveries.shop_id, deliveries.id
        from deliveries
        where deliveries.shop_id = given.shop_id and deliveries.target = given.target
          and deliveries.status = 'pending' and deliveries.next_attempt_at <= ${now}
          and not exists (
            select 1 from deliveries as earlier
            where earlier.shop_id = deliveries.shop_id and earlier.target = deliveries.target
              and earlier.shipment_id = deliveries.shipment_id and earlier.status = 'pending'
              and earlier.id < deliveries.id
              and earlier.next_attempt_at < ${new Date(now.getTime() + patienceMs)}
            -- Asked of each row by its own index. As a join, planned while the queue is thought to be short, it read the
            -- whole backlog for every row: 82 ms for 8 deliveries of 5,000 waiting, instead of 1.
            offset 0
          )
        order by deliveries.next_attempt_at, deliveries.id
        limit given.at_most
        for no key update of deliveries skip locked
      ) as due
    ), leased as (
      update deliveries set next_attempt_at = ${leaseUntil}, attempts = deliveries.attempts + 1
      from taken
      where deliveries.shop_id = taken.shop_id and deliveries.id = taken.id
      returning deliveries.*
    )
    select leased.shop_id as "shopId", leased.id, leased.target, leased.notification_id as "notificationId",
      leased.attempts, leased.attempts - leased.attempts_before as "attemptsOfSchedule", notifications.body, leased.event_group as "eventGroup",
      webhook_endpoints.url, webhook_endpoints.secret, webhook_endpoints.former_secret as "formerSecret",
      webhook_endpoints.former_secret_until as "formerSecretUntil"
    from leased
    join notifications on notifications.shop_id = leased.shop_id and notifications.id = leased.notification_id
    left join webhook_endpoints
      on webhook_endpoints.shop_id = leased.shop_id and webhook_endpoints.id::text = leased.target
    order by leased.id`.execute(context.db)
  return rows.map(({ url, secret, formerSecret, formerSecretUntil, ...delivery }) => ({
    ...delivery,
    endpoint: url === null ? null : { url, secret, formerSecret, formerSecretUntil },
  }))
}

/**
 * Makes due at once what was taken and whose attempt was never written down. Only for the start of a store's one and
 * only process: whoever had taken it is gone, and nobody has to wait for the lease to end.
 */
export async function releaseTaken(context: Store, now: Date): Promise<void> {
  await sql`
    update deliveries set next_attempt_at = ${now}
    where status = 'pending' and next_attempt_at > ${now} and attempts > 0
      and not exists (
        select 1 from delivery_attempts
        where delivery_attempts.shop_id = deliveries.shop_id and delivery_attempts.delivery_id = deliveries.id
          and delivery_attempts.number = deliveries.attempts
      )`.execute(context.db)
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
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    status_code: attempt.statusCode,
    answer: attempt.answer,
    stage: attempt.stage,
    error: attempt.error,
    status: attempt.status,
    next_attempt_at: attempt.nextAttemptAt,
  }))
  await sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, delivery_id uuid, number smallint, started_at timestamptz, duration_ms int, status_code smallint,
         answer text, stage text, error text, status text, next_attempt_at timestamptz)
    ), noted as (
      insert into delivery_attempts
        (shop_id, delivery_id, number, started_at, duration_ms, status_code, answer, stage, error)
      select shop_id, delivery_id, number, started_at, duration_ms, status_code, answer, stage, error from given
      on conflict do nothing
    )
    update deliveries set
      status = given.status,
      next_attempt_at = given.next_attempt_at,
      last_error = given.error,
      finished_at = case when given.status = 'pending' then null
        else given.started_at + make_interval(secs => given.duration_ms / 1000.0) end
    from given
    where deliveries.shop_id = given.shop_id and deliveries.id = given.delivery_id
      -- A worker that was given up for dead and answers late must not undo what another has done since.
      and deliveries.attempts = given.number`.execute(context.db)
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
      (select shop_id, target from deliveries where status = 'pending' order by shop_id, target limit 1)
      union all
      select next.shop_id, next.target from hop
      cross join lateral (
        select deliveries.shop_id, deliveries.target from deliveries
        where status = 'pending' and (deliveries.shop_id, deliveries.target) > (hop.shop_id, hop.target)
        order by deliveries.shop_id, deliveries.target
        limit 1
      ) as next
    )
    select hop.shop_id as "shopId", hop.target from hop
    where exists (
      select 1 from deliveries
      where deliveries.shop_id = hop.shop_id and deliveries.target = hop.target
        and deliveries.status = 'pending' and deliveries.next_attempt_at <= ${now}
    )
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** When the next pending delivery of any target is due. */
export async function findNextDue(context: Store): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_attempt_at) as at from deliveries where status = 'pending'`.execute(context.db)
  return rows[0]?.at ?? undefined
}
