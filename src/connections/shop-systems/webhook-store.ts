import { type Selectable, sql } from 'kysely'
import { type ShopSystemName, shopSystemNames, signingSystems } from '../../adapters/shop-systems/registry.ts'
import { after, hourMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'
import { literals } from '../../platform/store/literals.ts'

export type WebhooksRow = Selectable<Tables['connection_webhooks']>

/** Topics by what becomes of their messages. */
export interface WebhookTopics {
  sending: string[]
  disabled: string[]
  missing: string[]
}

/** A webhook that stops is noticed after this long at most. */
const webhookCheckMs = hourMs / 2
/** Longer than all calls of a run take together. */
const leaseMs = 3 * minuteMs

export async function listWebhookStates(context: ShopContext): Promise<Map<string, WebhooksRow>> {
  const rows = await context.db
    .selectFrom('connection_webhooks')
    .where('shop_id', '=', context.shop.id)
    .selectAll()
    .execute()
  return new Map(rows.map((row) => [row.system, row]))
}

/** Makes the next run create the system's webhooks, or give them the current secret. */
export async function wantWebhooks(context: ShopContext, system: ShopSystemName): Promise<void> {
  const wanted = { is_managed: true, is_wanted: true, failures: 0, due_at: context.now }
  await context.db
    .insertInto('connection_webhooks')
    .values({ shop_id: context.shop.id, system, ...wanted })
    .onConflict((conflict) => conflict.columns(['shop_id', 'system']).doUpdateSet(wanted))
    .execute()
}

/** After the secret has changed: only webhooks that were created from here can be given the new one. */
export async function renewWebhookSecrets(context: ShopContext): Promise<void> {
  await context.db
    .updateTable('connection_webhooks')
    .set({ is_wanted: true, failures: 0, due_at: context.now })
    .where('shop_id', '=', context.shop.id)
    .where('system', '=', 'woocommerce')
    .where('is_managed', '=', true)
    .execute()
}

/** Leases the row, so that nobody else creates the same webhooks meanwhile. Undefined if it is leased already. */
export async function leaseWebhooks(context: ShopContext, system: ShopSystemName): Promise<WebhooksRow | undefined> {
  const leasedUntil = after(context.now, leaseMs)
  const { rows } = await sql<WebhooksRow>`
    insert into connection_webhooks as known (shop_id, system, due_at, leased_until)
    values (${context.shop.id}, ${system}, ${after(context.now, webhookCheckMs)}, ${leasedUntil})
    on conflict (shop_id, system) do update set leased_until = excluded.leased_until
      where known.leased_until is null or known.leased_until <= ${context.now}
        -- From a clock that ran ahead.
        or known.leased_until > ${leasedUntil}
    returning *`.execute(context.db)
  return rows[0]
}

/** The connections that are due, longest first, leased to the caller. */
export async function leaseDueWebhooks(context: Context, limit: number): Promise<WebhooksRow[]> {
  const { rows } = await sql<WebhooksRow>`
    update connection_webhooks set leased_until = ${after(context.now, leaseMs)}
    from (
      select shop_id, system from connection_webhooks
      where due_at <= ${context.now}
        and (leased_until is null or leased_until <= ${context.now} or leased_until > ${after(context.now, leaseMs)})
        and not ${isOfStoppedShop('connection_webhooks')}
      order by due_at
      limit ${sql.lit(limit)}
      for update skip locked
    ) as due
    where connection_webhooks.shop_id = due.shop_id and connection_webhooks.system = due.system
    returning connection_webhooks.*`.execute(context.db)
  return rows
}

/** Every connected system has a row; those that are new are spread over the period. */
export async function addWebhookChecks({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await sql`
    insert into connection_webhooks (shop_id, system, due_at)
    select shop_id, system,
      -- As exact as a Date, which it is compared with.
      date_trunc('milliseconds', ${now}::timestamptz + random() * ${sql.lit(webhookCheckMs)} * interval '1 millisecond')
    from (
      select shop_id, provider as system from integration_keys where provider in ${literals(signingSystems)}
      union
      select shop_id, 'shopware' from shopware_apps where connection is not null
    ) as connected
    where not exists (
      select 1 from connection_webhooks as known
      where known.shop_id = connected.shop_id and known.system = connected.system
    )
    on conflict do nothing`.execute(db)
}

export interface WebhookRun {
  /** Undefined if they could not be read. */
  topics: WebhookTopics | undefined
  problem: string | null
  /** Whether all was done that was to be done. */
  isDone: boolean
  isManaged: boolean
}

/**
 * Records the result of a run and ends its lease. A request made meanwhile stays open: a run closes only the request
 * that it began with.
 */
export async function endWebhookRun(context: ShopContext, row: WebhooksRow, run: WebhookRun): Promise<void> {
  const { topics } = run
  const failures = run.isDone ? 0 : Math.min(row.failures + 1, 10)
  const pauseMs = run.isDone ? webhookCheckMs : Math.min(webhookCheckMs, minuteMs * 2 ** failures)
  const now = context.services.clock.now()
  await sql`
    update connection_webhooks set
      ${topics ? sql`sending = ${topics.sending}, disabled = ${topics.disabled}, missing = ${topics.missing}, checked_at = ${now},` : sql``}
      problem = ${run.problem},
      is_managed = is_managed or ${run.isManaged},
      is_wanted = is_wanted and (${!run.isDone} or due_at <> ${row.due_at}),
      failures = ${failures},
      due_at = case when due_at <> ${row.due_at} then due_at else ${after(now, pauseMs)} end,
      leased_until = null
    where shop_id = ${context.shop.id} and system = ${row.system}`.execute(context.db)
}

/** The system is not connected any longer. */
export async function forgetWebhooks(context: ShopContext, system: string): Promise<void> {
  await context.db
    .deleteFrom('connection_webhooks')
    .where('shop_id', '=', context.shop.id)
    .where('system', '=', system)
    .execute()
}

export function isShopSystem(name: string): name is ShopSystemName {
  return shopSystemNames.some((known) => known === name)
}
