import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'
import type { AlertSubject } from '../team-mail/view.ts'

export interface Incident {
  shopId: string
  type: AlertSubject['type']
  /** The id of an endpoint, or the name of an integration or provider. */
  target: string
  failingSince: Date
  /** Of the last response; null: there was none. */
  status: number | null
  /** Of an endpoint; null of others. */
  url: string | null
}

const uuidPattern = '^[0-9a-f]{8}-[0-9a-f-]{27}$'

/**
 * The state of everything in use that can fail: endpoints that are active, integrations that are on, and tracking
 * providers. The health of a receiver stays when it is switched off, and means nothing then.
 */
const watched = sql`
  select health.shop_id, 'webhook' as type, health.target, health.failing_since, health.last_failure_status::int as status,
    endpoints.url
  from receiver_health as health
  join webhook_endpoints as endpoints on endpoints.shop_id = health.shop_id and endpoints.status = 'active'
    and endpoints.id = case when health.target ~ ${sql.lit(uuidPattern)} then health.target::uuid end
  union all
  select health.shop_id, 'integration', health.target, health.failing_since, health.last_failure_status::int, null
  from receiver_health as health
  join trigger_settings on trigger_settings.shop_id = health.shop_id and trigger_settings.integration = health.target
    and trigger_settings.status
  union all
  -- One that only limits the number of requests is not down.
  select shop_id, 'provider', provider, failing_since, nullif(last_failure_status, 0)::int, null
  from provider_accounts
  where last_failure_status is distinct from 429`

/** Failures of all shops that have lasted for so long and that nobody was alerted about. */
export async function listNewFailures(
  context: Context,
  failingBefore: { receiver: Date; provider: Date },
  limit: number,
): Promise<Incident[]> {
  const { rows } = await sql<Incident>`
    select shop_id as "shopId", type, target, failing_since as "failingSince", status, url
    from (${watched}) as watched
    where failing_since is not null and failing_since <= ${failingBefore.provider}
      and (type = 'provider' or failing_since <= ${failingBefore.receiver})
      and ${isOfStoppedShop('watched')} is false
      and not exists (
        select 1 from team_incidents as known
        where known.shop_id = watched.shop_id and known.type = watched.type and known.target = watched.target
      )
    order by failing_since
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** An incident that is over. */
export interface EndedIncident extends Incident {
  /** False: it was switched off or deleted. */
  isRecovered: boolean
}

/** Incidents that are over. There are as many rows as there are open incidents. */
export async function listEndedIncidents(context: Context, limit: number): Promise<EndedIncident[]> {
  const { rows } = await sql<EndedIncident>`
    select known.shop_id as "shopId", known.type, known.target, known.failing_since as "failingSince", null as status,
      current.url, current.shop_id is not null as "isRecovered"
    from team_incidents as known
    left join lateral (
      select endpoints.shop_id, health.failing_since, endpoints.url
      from webhook_endpoints as endpoints
      left join receiver_health as health on health.shop_id = endpoints.shop_id and health.target = known.target
      where known.type = 'webhook' and endpoints.shop_id = known.shop_id and endpoints.status = 'active'
        and endpoints.id = case when known.target ~ ${sql.lit(uuidPattern)} then known.target::uuid end
      union all
      select settings.shop_id, health.failing_since, null
      from trigger_settings as settings
      left join receiver_health as health on health.shop_id = settings.shop_id and health.target = known.target
      where known.type = 'integration' and settings.shop_id = known.shop_id and settings.integration = known.target
        and settings.status
      union all
      select shop_id, failing_since, null from provider_accounts
      where known.type = 'provider' and provider_accounts.shop_id = known.shop_id
        and provider_accounts.provider = known.target
    ) as current on true
    where current.failing_since is distinct from known.failing_since
      and ${isOfStoppedShop('known')} is false
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** Opens incidents, and returns those that no other node has opened. */
export async function insertIncidents(context: Context, incidents: Incident[]): Promise<Incident[]> {
  const inserted: Incident[] = []
  for (const incident of incidents) {
    const row = await context.db
      .insertInto('team_incidents')
      .values({
        shop_id: incident.shopId,
        type: incident.type,
        target: incident.target,
        failing_since: incident.failingSince,
        alerted_at: context.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('target')
      .executeTakeFirst()
    if (row) inserted.push(incident)
  }
  return inserted
}

/** Closes incidents, and returns those that no other node has closed. */
export async function deleteIncidents<Ended extends Incident>(context: Context, incidents: Ended[]): Promise<Ended[]> {
  const deleted: Ended[] = []
  for (const incident of incidents) {
    const row = await context.db
      .deleteFrom('team_incidents')
      .where('shop_id', '=', incident.shopId)
      .where('type', '=', incident.type)
      .where('target', '=', incident.target)
      .where('failing_since', '=', incident.failingSince)
      .returning('target')
      .executeTakeFirst()
    if (row) deleted.push(incident)
  }
  return deleted
}
