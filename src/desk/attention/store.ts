import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { earliestId } from '../../platform/foundation/ids.ts'
import { countLimit } from './schema.ts'

// Every count ends at the limit, and every statement reads the beginning of a range of an index.

/** A webhook endpoint or an integration that fails, or has messages that were given up. */
export interface FailingReceiver {
  /** The id of the endpoint, or the name of the integration. */
  target: string
  url: string | null
  failingSince: Date | null
  /** The time the next delivery is sent, while the others wait because the circuit is open. */
  probeAt: Date | null
  undelivered: number
}

const maxEndpoints = 100

/**
 * Receivers that have failed since the given time or longer, whose circuit is open, or that have dead letters that are younger than the other.
 * In the index of the log, the dead letters of a receiver are sorted by event name, then by age: it hops from name to name.
 */
export async function listFailingReceivers(
  context: ShopContext,
  integrations: readonly string[],
  limits: { failingBefore: Date; givenUpAfter: Date },
): Promise<FailingReceiver[]> {
  const isDead = sql`
    deliveries.shop_id = ${context.shop.id} and deliveries.target = receiver.target and deliveries.status = 'dead'`
  const { rows } = await sql<FailingReceiver>`
    select receiver.target, receiver.url, receiver."failingSince", receiver."probeAt", dead.count as undelivered
    from (
      (
        select id::text as target, url, probe_at as "probeAt", case
          when failing_since <= ${limits.failingBefore} or circuit_opened_at is not null then failing_since
        end as "failingSince"
        from webhook_endpoints
        where shop_id = ${context.shop.id} and status = 'active'
        order by id
        limit ${sql.lit(maxEndpoints)}
      )
      union all
      select integration, null, null, (
        select failing_since from receiver_health
        where receiver_health.shop_id = ${context.shop.id} and receiver_health.target = integration
          and failing_since <= ${limits.failingBefore}
      ) from trigger_settings
      where shop_id = ${context.shop.id} and status and integration = any(${integrations}::text[])
    ) as receiver
    cross join lateral (
      with recursive names as (
        (select event_name from deliveries where ${isDead} order by event_name limit 1)
        union all
        select next.event_name from names
        cross join lateral (
          select event_name from deliveries where ${isDead} and deliveries.event_name > names.event_name
          order by event_name
          limit 1
        ) as next
      )
      select count(*)::int as count from (
        select 1 from names
        cross join lateral (
          select 1 from deliveries
          where ${isDead} and deliveries.event_name = names.event_name and deliveries.id >= ${earliestId(limits.givenUpAfter)}
          -- The order of the index: without it, the planner may read all dead letters.
          order by deliveries.id
          limit ${sql.lit(countLimit)}
        ) as of_name
        limit ${sql.lit(countLimit)}
      ) as limited
    ) as dead
    where receiver."failingSince" is not null or dead.count > 0
    order by receiver."failingSince", receiver.target`.execute(context.db)
  return rows
}

/** Claims with one of these statuses. */
export async function countOpenClaims(context: ShopContext, statuses: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select least(sum(counted.count), ${sql.lit(countLimit)})::int as count
    from unnest(${statuses}::text[]) as wanted (status)
    cross join lateral (
      select count(*) as count from (
        select 1 from claims
        where shop_id = ${context.shop.id} and claims.status = wanted.status and deleted_at is null
        limit ${sql.lit(countLimit)}
      ) as limited
    ) as counted`.execute(context.db)
  return rows[0]?.count ?? 0
}

/** Codes that are not mapped, and the parcels that have a scan with one of them. */
export async function countUnmapped(context: ShopContext): Promise<{ count: number; parcels: number }> {
  const { rows } = await sql<{ count: number; parcels: number }>`
    with codes as materialized (
      select provider, code from unmapped_codes
      where shop_id = ${context.shop.id} and is_mapped = false
      order by last_seen_at desc
      limit ${sql.lit(countLimit)}
    )
    select (select count(*) from codes) as count, (
      select count(distinct shipment_id) from (
        select scans.shipment_id from codes
        cross join lateral (
          select shipment_id from unmapped_scans
          where unmapped_scans.shop_id = ${context.shop.id} and unmapped_scans.provider = codes.provider
            and unmapped_scans.code = codes.code
          -- The order of the index: without it, the planner may read all scans of a code.
          order by shipment_id
          limit ${sql.lit(countLimit)}
        ) as scans
        limit ${sql.lit(countLimit)}
      ) as limited
    ) as parcels`.execute(context.db)
  return rows[0] ?? { count: 0, parcels: 0 }
}

/** The steps that the store shows to be done. */
export interface DoneSteps {
  hasOrders: boolean
  hasShopSystem: boolean
  hasChannel: boolean
  hasPalette: boolean
  hasColleague: boolean
  dismissedAt: Date | null
}

export async function findDoneSteps(context: ShopContext, integrations: readonly string[]): Promise<DoneSteps> {
  const ofShop = sql`shop_id = ${context.shop.id}`
  const { rows } = await sql<DoneSteps>`
    select
      exists (select 1 from orders where ${ofShop}) as "hasOrders",
      exists (select 1 from shopware_apps where ${ofShop} and connected_at is not null)
        or exists (select 1 from shopify_registrations where ${ofShop})
        or exists (select 1 from shop_system_secrets where ${ofShop}) as "hasShopSystem",
      exists (select 1 from webhook_endpoints where ${ofShop} and status = 'active')
        or exists (
          select 1 from trigger_settings where ${ofShop} and status and integration = any(${integrations}::text[])
        ) as "hasChannel",
      brand_palette <> '{}' as "hasPalette",
      exists (select 1 from person_shops where ${ofShop} and person_id::text <> ${context.principal.keyId})
        or exists (select 1 from people where everywhere is not null and id::text <> ${context.principal.keyId})
        as "hasColleague",
      checklist_dismissed_at as "dismissedAt"
    from shop_settings where ${ofShop}`.execute(context.db)
  const [row] = rows
  if (row === undefined) throw new Error(`shop ${context.shop.id} has no settings`)
  return row
}

export async function dismissChecklist(context: ShopContext, isDismissed: boolean): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({ checklist_dismissed_at: isDismissed ? context.now : null })
    .where('shop_id', '=', context.shop.id)
    .execute()
}
