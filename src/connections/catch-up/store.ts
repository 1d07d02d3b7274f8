import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type ShopSystemName, signingSystems } from '../../adapters/shop-systems/registry.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { toStorableText } from '../../platform/foundation/storable-text.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'
import { leaseDue } from '../../platform/store/lease-due.ts'
import { literals } from '../../platform/store/literals.ts'
import type { OpenPosition } from './open-orders-store.ts'
import type { Run } from './rules.ts'

/** Longer texts of the shop system are cut. */
const maxTextLength = 500

export type CatchUpRow = Selectable<Tables['shop_system_catch_ups']>

/** The row that a worker has leased, and the number of that lease. */
export type Lease = Pick<CatchUpRow, 'shop_id' | 'system' | 'claim'>

/** By shop system. */
export async function listCatchUps(context: ShopContext): Promise<Map<string, CatchUpRow>> {
  const rows = await context.db
    .selectFrom('shop_system_catch_ups')
    .where('shop_id', '=', context.shop.id)
    .selectAll()
    .execute()
  return new Map(rows.map((row) => [row.system, row]))
}

/**
 * A row for each connected shop system, which is tried at once if its credentials are new; those without credentials are
 * removed. Compared again and again instead of when a connection is made: moves, restores and nodes of the previous version
 * make connections, too.
 */
export async function openCatchUps({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await sql`
    with credentials as materialized (${credentials()}), removed as (
      delete from shop_system_catch_ups as known
      where not exists (
        select 1 from credentials where credentials.shop_id = known.shop_id and credentials.system = known.system
      )
    )
    insert into shop_system_catch_ups (shop_id, system, began_at, credentials_at, due_at)
    select shop_id, system, since, since, ${now}::timestamptz from credentials
    -- The token of Shopify may be there to send events only.
    where system <> 'shopify'
      or exists (select 1 from shopify_registrations as one where one.shop_id = credentials.shop_id)
      or exists (select 1 from backfills as one where one.shop_id = credentials.shop_id and one.system = 'shopify')
      or exists (
        select 1 from shop_system_activity as one
        where one.shop_id = credentials.shop_id and one.system = 'shopify' and one.last_received_at is not null
      )
      or exists (
        select 1 from shop_system_catch_ups as one
        where one.shop_id = credentials.shop_id and one.system = credentials.system
      )
    ${unlessKnown}`.execute(db)
}

/** The row of one connection, due now unless a worker has leased it. */
export async function makeDue(context: ShopContext, system: ShopSystemName): Promise<CatchUpRow> {
  await sql`
    with credentials as materialized (${credentials(context.shop.id)})
    insert into shop_system_catch_ups (shop_id, system, began_at, credentials_at, due_at)
    select shop_id, system, since, since, ${context.now}::timestamptz from credentials where system = ${system}
    ${unlessKnown}`.execute(context.db)
  return context.db
    .updateTable('shop_system_catch_ups')
    .set({ due_at: sql<Date>`case when is_running then due_at else least(due_at, ${context.now}) end` })
    .where('shop_id', '=', context.shop.id)
    .where('system', '=', system)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The shop systems whose API can be called, and since when with these credentials. */
function credentials(shopId?: string): RawBuilder<unknown> {
  const ofShop = shopId === undefined ? sql`` : sql`and shop_id = ${shopId}`
  return sql`
    select shop_id, provider as system, updated_at as since from integration_keys
    where provider in ${literals(signingSystems)} ${ofShop}
    union all
    select shop_id, 'shopware', coalesce(connected_at, created_at) from shopware_apps
    where connection is not null ${ofShop}`
}

/** New credentials may be for another store: a run that is not finished begins again. */
const unlessKnown = sql`
  on conflict (shop_id, system) do update set
    credentials_at = excluded.credentials_at, run = null, failures = 0, attempts = 0,
    problem_key = null, problem_message = null,
    due_at = case when shop_system_catch_ups.is_running then shop_system_catch_ups.due_at else excluded.due_at end
  where shop_system_catch_ups.credentials_at <> excluded.credentials_at`

/** Leases the one that has been due longest, of any shop that is neither deleted nor paused, until its lease ends. */
export function leaseCatchUp(context: Context, leaseUntil: Date): Promise<CatchUpRow | undefined> {
  return leaseDue(context, 'shop_system_catch_ups', leaseUntil, sql`is_running = true`)
}

/** Locks what this worker has leased, until the transaction ends. False if it has lost it, or the shop is stopped. */
export async function lockLeasedCatchUp(context: Context, { shop_id, system, claim }: Lease): Promise<boolean> {
  const { rows } = await sql`
    select system from shop_system_catch_ups
    where shop_id = ${shop_id} and system = ${system} and claim = ${claim} and is_running
      and not ${isOfStoppedShop('shop_system_catch_ups')}
    for update`.execute(context.db)
  return rows.length > 0
}

export interface CatchUpProgress {
  run: Run
  /** The last of our open orders that was read. */
  openPosition: OpenPosition | undefined
}

/** Records the progress of a locked run, in the transaction that wrote what is counted. */
export async function recordProgress(
  context: Context,
  lease: Lease,
  { run, openPosition }: CatchUpProgress,
  leaseUntil: Date,
): Promise<void> {
  await ofLease(context, lease)
    .set({ ...progressColumns(run, openPosition), due_at: leaseUntil, attempts: 0, failures: 0 })
    .execute()
}

/** The result of a lease. */
export interface Release {
  dueAt: Date
  /** The period of this run was read; absent: it continues where it stopped. */
  finished?: CatchUpProgress
  problem?: { key: string; message: string }
}

/** Ends a lease, unless another worker has leased it meanwhile. */
export async function releaseCatchUp(context: Context, lease: Lease, release: Release): Promise<void> {
  const { dueAt, finished, problem } = release
  await ofLease(context, lease)
    .set({
      ...{ is_running: false, due_at: dueAt },
      ...(finished ? finishedColumns(context, finished) : {}),
      ...(problem ? problemColumns(problem) : {}),
    })
    .execute()
}

function finishedColumns({ now }: Context, { run, openPosition }: CatchUpProgress) {
  return {
    ...progressColumns(undefined, openPosition),
    ...{ caught_up_until: new Date(run.until), caught_up_at: now, failures: 0, attempts: 0 },
    ...{ problem_key: null, problem_message: null },
    ...{ read_count: run.read, created_count: run.created, updated_count: run.updated, failed_count: run.failed },
    order_problems: JSON.stringify(run.problems),
    ...(run.created > 0 ? { missed_at: now, missed_count: run.created } : {}),
  }
}

function problemColumns({ key, message }: { key: string; message: string }) {
  return {
    problem_key: key,
    problem_message: toStorableText(message, maxTextLength),
    failures: sql<number>`least(failures + 1, 1000)`,
    attempts: 0,
  }
}

function progressColumns(run: Run | undefined, openPosition: OpenPosition | undefined) {
  return {
    run: run === undefined ? null : JSON.stringify(run),
    open_position: openPosition === undefined ? null : JSON.stringify(openPosition),
  }
}

function ofLease(context: Pick<Context, 'db'>, { shop_id, system, claim }: Lease) {
  return context.db
    .updateTable('shop_system_catch_ups')
    .where('shop_id', '=', shop_id)
    .where('system', '=', system)
    .where('claim', '=', claim)
    .where('is_running', '=', true)
}

/** Makes all leased ones due, when the only process of a store starts. */
export async function releaseLeasedCatchUps(context: Pick<Context, 'db' | 'now'>): Promise<void> {
  await context.db
    .updateTable('shop_system_catch_ups')
    .set({ due_at: context.now, is_running: false })
    .where('is_running', '=', true)
    .execute()
}
