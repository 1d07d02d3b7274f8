import { sql } from 'kysely'
import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { CommitScope } from '../../platform/foundation/transaction.ts'
import type { FailureReason } from './failure-reason.ts'
import { receiverKey, withoutSync } from './queue-store.ts'

/** Results of some attempts to one receiver. */
export interface ReceiverResult {
  shopId: string
  receiverId: string
  /** Null: none of them succeeded. */
  lastSuccessAt: Date | null
  /** The first failure after the last success. */
  failingSince: Date | null
  /** Failures after the last success. */
  failures: number
  /** Whether one of them was sent while the circuit was open. */
  isProbed: boolean
  lastFailure: { at: Date; reason: FailureReason; statusCode: number | null; deliveryId: string } | null
  hours: HourResult[]
}

/** The attempts that began in one hour. */
export interface HourResult {
  startMs: number
  delivered: number
  failed: number
  dead: number
}

/**
 * Adds results to the health of receivers, in one statement for all of them.
 *
 *   given    the results, without endpoints that were deleted meanwhile
 *   counted  the attempts by hour
 *   health   the state of each receiver
 */
export async function recordHealth(scope: CommitScope, results: ReceiverResult[]): Promise<void> {
  if (results.length === 0) return
  const given = results.map(({ shopId, receiverId, lastSuccessAt, failingSince, failures, lastFailure }) => ({
    shop_id: shopId,
    target: receiverId,
    last_success_at: lastSuccessAt,
    failing_since: failingSince,
    failures,
    failed_at: lastFailure?.at ?? null,
    reason: lastFailure?.reason ?? null,
    status: lastFailure?.statusCode ?? null,
    delivery: lastFailure?.deliveryId ?? null,
  }))
  const hours = results.flatMap(({ shopId, receiverId, hours }) =>
    hours.map(({ startMs, delivered, failed, dead }) => ({
      shop_id: shopId,
      target: receiverId,
      hour: new Date(startMs),
      delivered,
      failed,
      dead,
    })),
  )
  const isNewer = sql`(excluded.last_failure_at >= coalesce(receiver_health.last_failure_at, excluded.last_failure_at))`
  const ofNewer = (column: string) =>
    sql`case when ${isNewer} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`receiver_health.${column}`)} end`
  await sql`
    with relaxed as materialized (${withoutSync}), given as materialized (
      select given.* from relaxed cross join json_to_recordset(${JSON.stringify(given)}::json) as given
        (shop_id uuid, target text, last_success_at timestamptz, failing_since timestamptz, failures int,
         failed_at timestamptz, reason text, status smallint, delivery uuid)
      where given.target !~ ${uuidPattern} or exists (
        select 1 from webhook_endpoints
        where webhook_endpoints.shop_id = given.shop_id and webhook_endpoints.id = ${endpointId('given')}
      )
    ), counted as (
      insert into receiver_hours (shop_id, target, hour, delivered, failed, dead)
      select hours.shop_id, hours.target, hours.hour, hours.delivered, hours.failed, hours.dead
      from json_to_recordset(${JSON.stringify(hours)}::json) as hours
        (shop_id uuid, target text, hour timestamptz, delivered int, failed int, dead int)
      join given on given.shop_id = hours.shop_id and given.target = hours.target
      order by hours.shop_id, hours.target, hours.hour
      on conflict (shop_id, target, hour) do update set delivered = receiver_hours.delivered + excluded.delivered,
        failed = receiver_hours.failed + excluded.failed, dead = receiver_hours.dead + excluded.dead
    ), health as (
      insert into receiver_health (shop_id, target, last_success_at, failing_since, consecutive_failures,
        last_failure_at, last_failure_reason, last_failure_status, last_failure_delivery)
      select shop_id, target, last_success_at, failing_since, failures, failed_at, reason, status, delivery
      from given
      order by shop_id, target
      on conflict (shop_id, target) do update set
        last_success_at = greatest(receiver_health.last_success_at, excluded.last_success_at),
        failing_since = case when excluded.last_success_at is null
          then coalesce(receiver_health.failing_since, excluded.failing_since) else excluded.failing_since end,
        consecutive_failures = excluded.consecutive_failures
          + case when excluded.last_success_at is null then receiver_health.consecutive_failures else 0 end,
        last_failure_at = ${ofNewer('last_failure_at')},
        last_failure_reason = ${ofNewer('last_failure_reason')},
        last_failure_status = ${ofNewer('last_failure_status')},
        last_failure_delivery = ${ofNewer('last_failure_delivery')}
      returning shop_id, target, failing_since
    )
    -- Only when it begins or ends to fail, so that a shop's failing endpoints are found with its endpoints.
    update webhook_endpoints set failing_since = health.failing_since
    from health
    where webhook_endpoints.shop_id = health.shop_id and webhook_endpoints.id = ${endpointId('health')}
      and webhook_endpoints.failing_since is distinct from health.failing_since`.execute(scope.db)
}

const uuidPattern = '^[0-9a-f]{8}-[0-9a-f-]{27}$'

/** The id of the endpoint that a row's `target` is; null for an integration. */
function endpointId(row: string) {
  const receiverId = sql.ref(`${row}.target`)
  return sql`case when ${receiverId} ~ ${uuidPattern} then ${receiverId}::uuid end`
}

/** Pending deliveries and dead letters are counted up to this number. */
export const countedAtMost = 1_000

export interface StoredHealth {
  receiverId: string
  lastSuccessAt: Date | null
  failingSince: Date | null
  consecutiveFailures: number
  lastFailureAt: Date | null
  lastFailureReason: string | null
  lastFailureStatus: number | null
  lastFailureDelivery: string | null
  day: AttemptCounts
  week: AttemptCounts
  pending: number
  dead: number
}

export interface AttemptCounts {
  delivered: number
  failed: number
  dead: number
}

/** The health of these receivers of the shop. Each costs the rows of a week and two bounded counts. */
export async function findHealth(context: ShopContext, receiverIds: string[]): Promise<Map<string, StoredHealth>> {
  if (receiverIds.length === 0) return new Map()
  const shopId = sql`${context.shop.id}::uuid`
  const countsSince = (since: Date) => sql`json_build_object(
    'delivered', coalesce(sum(delivered) filter (where hour > ${since}), 0),
    'failed', coalesce(sum(failed) filter (where hour > ${since}), 0),
    'dead', coalesce(sum(dead) filter (where hour > ${since}), 0))`
  const week = after(context.now, -7 * dayMs)
  const limit = sql.lit(countedAtMost)
  const { rows } = await sql<StoredHealth>`
    select receiver.target as "receiverId", health.last_success_at as "lastSuccessAt", health.failing_since as "failingSince",
      coalesce(health.consecutive_failures, 0) as "consecutiveFailures", health.last_failure_at as "lastFailureAt",
      health.last_failure_reason as "lastFailureReason", health.last_failure_status as "lastFailureStatus",
      health.last_failure_delivery as "lastFailureDelivery", hours.day, hours.week, waiting.pending, given_up.dead
    from (select ${shopId} as shop_id, unnest(${receiverIds}::text[]) as target offset 0) as receiver
    left join receiver_health as health on health.shop_id = ${shopId} and health.target = receiver.target
    cross join lateral (
      select ${countsSince(after(context.now, -dayMs))} as day, ${countsSince(week)} as week
      from receiver_hours
      where receiver_hours.shop_id = ${shopId} and receiver_hours.target = receiver.target
        and receiver_hours.hour > ${week}
    ) as hours
    cross join lateral (
      select count(*) as pending from (
        select 1 from deliveries
        where ${receiverKey('deliveries')} = ${receiverKey('receiver')} and deliveries.finished_at is null
        limit ${limit}
      ) as pending
    ) as waiting
    cross join lateral (
      select count(*) as dead from (
        select 1 from deliveries
        where deliveries.shop_id = ${shopId} and deliveries.target = receiver.target and deliveries.status = 'dead'
        limit ${limit}
      ) as dead
    ) as given_up`.execute(context.db)
  return new Map(rows.map((row) => [row.receiverId, row]))
}

/** Forgets a receiver that no longer exists. */
export async function deleteHealth(context: ShopContext, receiverId: string): Promise<void> {
  for (const table of ['receiver_health', 'receiver_hours'] as const) {
    await context.db.deleteFrom(table).where('shop_id', '=', context.shop.id).where('target', '=', receiverId).execute()
  }
}

/** Deletes the counts of hours that no reply includes any more. */
export async function deleteOldHours(context: Context): Promise<void> {
  await context.db
    .deleteFrom('receiver_hours')
    .where('hour', '<', after(context.now, -8 * dayMs))
    .execute()
}
