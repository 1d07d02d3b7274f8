import { sql } from 'kysely'
import { toStorableJson } from '../../platform/foundation/storable-text.ts'
import type { CommitScope } from '../../platform/foundation/transaction.ts'
import type { Attempt } from './attempt.ts'
import type { Delivery } from './delivery.ts'
import { isCurrentAttempt, isLogged, withoutSync } from './queue-store.ts'

/**
 * Records attempts, each with the new state of its delivery. A worker that was presumed dead may report late: its
 * attempt goes to the log, but it does not undo the work of another worker since.
 */
export async function recordAttempts(scope: CommitScope, attempts: Attempt[]): Promise<void> {
  const rows = attempts.map(({ delivery, startedAt, durationMs, outcome, status, nextAttemptAt }) => ({
    shop_id: delivery.shopId,
    delivery_id: delivery.id,
    number: delivery.attemptNumber,
    status,
    next_attempt_at: nextAttemptAt,
    entry: {
      number: delivery.attemptNumber,
      started_at: startedAt,
      duration_ms: durationMs,
      status_code: outcome.statusCode,
      answer: outcome.responseBody,
      stage: outcome.stage,
      error: outcome.error,
    },
  }))
  const ifCurrent = (column: string) =>
    sql`case when ${isCurrentAttempt} then ${sql.ref(`given.${column}`)} else ${sql.ref(`deliveries.${column}`)} end`
  await sql`
    with relaxed as materialized (${withoutSync}), given as materialized (
      select given.* from relaxed cross join json_to_recordset(${toStorableJson(rows)}::json) as given
        (shop_id uuid, delivery_id uuid, number smallint, status text, next_attempt_at timestamptz, entry jsonb)
    )
    update deliveries set
      status = ${ifCurrent('status')},
      attempts = greatest(deliveries.attempts, given.number),
      next_attempt_at = ${ifCurrent('next_attempt_at')},
      finished_at = case when ${isCurrentAttempt} and given.status <> 'pending'
        then given.next_attempt_at else deliveries.finished_at end,
      attempt_log = case when deliveries.attempts >= given.number and ${isLogged(sql`given.number`)}
        then deliveries.attempt_log
        else deliveries.attempt_log
          -- The customer was erased while the attempt was in flight: what the receiver returned is not stored.
          || case when deliveries.is_erased then given.entry || '{"answer": null, "error": null}' else given.entry end
        end
    from given
    where deliveries.shop_id = given.shop_id and deliveries.id = given.delivery_id`.execute(scope.db)
}

/** Makes deliveries due again at a later time. The number of attempts and the log stay as they are. */
export async function postponeDeliveries(
  scope: CommitScope,
  postponed: { delivery: Delivery; until: Date }[],
): Promise<void> {
  if (postponed.length === 0) return
  const rows = postponed.map(({ delivery, until }) => ({
    shop_id: delivery.shopId,
    id: delivery.id,
    number: delivery.attemptNumber,
    until,
  }))
  await sql`
    with relaxed as materialized (${withoutSync}), given as materialized (
      select given.* from relaxed cross join json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, id uuid, number smallint, until timestamptz)
    )
    update deliveries set next_attempt_at = given.until, postponed_until = given.until
    from given
    where deliveries.shop_id = given.shop_id and deliveries.id = given.id and ${isCurrentAttempt}`.execute(scope.db)
}
