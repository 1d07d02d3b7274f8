import { sql } from 'kysely'
import type { ProviderName } from '../../adapters/carriers/registry.ts'
import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'

/** The requests of one shop to one provider that ended in one hour. */
export interface HourOfRequests {
  shopId: string
  provider: ProviderName
  hour: Date
  requests: number
  failures: number
}

/** Adds requests to those that are stored, in one statement for all of them. */
export async function addRequests(context: Pick<Context, 'db'>, hours: HourOfRequests[]): Promise<void> {
  if (hours.length === 0) return
  const given = hours.map(({ shopId, ...hour }) => ({ shop_id: shopId, ...hour }))
  await sql`
    insert into provider_hours (shop_id, provider, hour, requests, failures)
    select given.shop_id, given.provider, given.hour, given.requests, given.failures
    from json_to_recordset(${JSON.stringify(given)}::json) as given
      (shop_id uuid, provider text, hour timestamptz, requests int, failures int)
    -- Nothing is counted for a shop that was removed meanwhile.
    join shops on shops.id = given.shop_id
    -- All writers lock them in the same order, which prevents deadlocks.
    order by given.shop_id, given.provider, given.hour
    on conflict (shop_id, provider, hour) do update set
      requests = provider_hours.requests + excluded.requests,
      failures = provider_hours.failures + excluded.failures`.execute(context.db)
}

export interface UsageRow {
  provider: string
  hour: Date
  requests: number
  failures: number
}

/** The hours of a shop since then in which something was requested, the oldest first. */
export async function listUsage(context: Pick<Context, 'db'>, shopId: string, since: Date): Promise<UsageRow[]> {
  return context.db
    .selectFrom('provider_hours')
    .where('shop_id', '=', shopId)
    .where('hour', '>=', since)
    .orderBy('hour')
    .select(['provider', 'hour', 'requests', 'failures'])
    .execute()
}

/** Deletes hours that no reply includes any more. */
export async function deleteOldUsage(context: Context): Promise<void> {
  await context.db
    .deleteFrom('provider_hours')
    .where('hour', '<', after(context.now, -2 * dayMs))
    .execute()
}
