import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'

/**
 * Deliveries that were enqueued or last tried after this time, which has not come yet, are due as much later than now as
 * they were to be due later than that. Reads all that is pending: only for when a clock was ahead.
 */
export async function correctDeliveryTimes(context: Context, limit: Date): Promise<void> {
  await sql`
    update deliveries set next_attempt_at = next_attempt_at - (planned.at - ${context.now}::timestamptz)
    from (
      select shop_id, id, coalesce((attempt_log -> -1 ->> 'started_at')::timestamptz, created_at) as at
      from deliveries
      where finished_at is null and next_attempt_at > ${limit} and postponed_until is null
    ) as planned
    where planned.at > ${limit} and deliveries.shop_id = planned.shop_id and deliveries.id = planned.id
      and deliveries.finished_at is null`.execute(context.db)
}
