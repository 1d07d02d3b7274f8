import { type Selectable, sql } from 'kysely'
import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { cutPage, offsetOf, type Page, type PageRequest } from '../../platform/foundation/page.ts'
import { toStorableText } from '../../platform/foundation/storable-text.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { countUpTo } from '../../platform/store/count.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'
import { isDuplicate } from '../../platform/store/errors.ts'
import { leaseDue } from '../../platform/store/lease-due.ts'
import type { OrderProblem } from '../past-orders/schema.ts'
import { maxProblems } from './schema.ts'

/** Longer texts of the shop system are cut. */
const maxTextLength = 500

export type BackfillRow = Selectable<Tables['backfills']>

export async function findBackfill(context: ShopContext, id: string): Promise<BackfillRow | undefined> {
  return context.db
    .selectFrom('backfills')
    .selectAll()
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function getBackfill(context: ShopContext, id: string): Promise<BackfillRow> {
  const row = await findBackfill(context, id)
  if (row === undefined) throw new ApiError('backfill_not_found', `This shop has no backfill ${id}.`)
  return row
}

/** One page of a shop's backfills, newest first. */
export async function listBackfillRows(context: ShopContext, request: PageRequest): Promise<Page<BackfillRow>> {
  const rest = sql`from backfills where shop_id = ${context.shop.id}`
  const { rows } = await sql<BackfillRow>`
    select * ${rest} order by id desc limit ${request.perPage + 1} offset ${offsetOf(request)}`.execute(context.db)
  return cutPage(request, rows, () => countUpTo(context, `backfills ${context.shop.id}`, rest))
}

/** The stored problems of some backfills, by backfill. */
export async function listProblems(context: Context, shopId: string, ids: string[]) {
  const { rows } = await sql<OrderProblem & { backfillId: string }>`
    select backfill_id as "backfillId", order_reference as "order", error_key as "key", message from backfill_problems
    where shop_id = ${shopId} and backfill_id = any(${ids}::uuid[])
    order by backfill_id, number`.execute(context.db)
  const problems = new Map<string, OrderProblem[]>(ids.map((id) => [id, []]))
  for (const { backfillId, ...problem } of rows) problems.get(backfillId)?.push(problem)
  return problems
}

/** Queues a backfill; undefined if one of this system is active. */
export async function insertBackfill(
  context: ShopContext,
  given: { system: ShopSystemName; days: number; since: Date },
): Promise<BackfillRow | undefined> {
  return context.db
    .insertInto('backfills')
    .values({
      ...given,
      shop_id: context.shop.id,
      id: newId(context.now),
      status: 'queued',
      until: context.now,
      due_at: context.now,
      created_at: context.now,
      updated_at: context.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Ends an active backfill, on any node; its worker notices at its next batch. Undefined if it is not active. */
export async function cancelBackfill(context: ShopContext, id: string): Promise<BackfillRow | undefined> {
  return context.db
    .updateTable('backfills')
    .set({ status: 'cancelled', finished_at: context.now, updated_at: context.now, due_at: null, ...noWait })
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running', 'waiting'])
    .returningAll()
    .executeTakeFirst()
}

/** Queues a failed or cancelled one again; it continues where it ended. Undefined if another one is active. */
export async function requeueBackfill(context: ShopContext, id: string): Promise<BackfillRow | undefined> {
  try {
    return await context.db
      .updateTable('backfills')
      .set({
        status: 'queued',
        finished_at: null,
        error_key: null,
        error_message: null,
        failures: 0,
        attempts: 0,
        due_at: context.now,
        updated_at: context.now,
        ...noWait,
      })
      .where('shop_id', '=', context.shop.id)
      .where('id', '=', id)
      .where('status', 'in', ['failed', 'cancelled'])
      .returningAll()
      .executeTakeFirst()
  } catch (error) {
    if (isDuplicate(error, 'backfills_active')) return undefined
    throw error
  }
}

const noWait = { waiting_until: null, waiting_reason: null }

/** The backfill that a worker has leased, and the number of that lease. */
export type Lease = Pick<BackfillRow, 'shop_id' | 'id' | 'claim'>

/** Leases the backfill that has been due longest, of any shop that is not deleted; its lease ends at the given time. */
export function leaseBackfill(context: Context, leaseUntil: Date): Promise<BackfillRow | undefined> {
  return leaseDue(
    context,
    'backfills',
    leaseUntil,
    sql`status = 'running', started_at = coalesce(started_at, ${context.now}), updated_at = ${context.now},
      waiting_until = null, waiting_reason = null`,
  )
}

/**
 * Locks a backfill that this worker has leased, until the transaction ends. False if it was cancelled, another worker has
 * leased it since, or its shop is deleted.
 */
export async function lockLeasedBackfill(context: Context, lease: Lease): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from backfills
    where shop_id = ${lease.shop_id} and id = ${lease.id} and claim = ${lease.claim} and status = 'running'
      and not ${isOfStoppedShop('backfills')}
    for update`.execute(context.db)
  return rows.length > 0
}

export interface BackfillProgress {
  created: number
  updated: number
  unchanged: number
  skipped: number
  failed: number
  problems: OrderProblem[]
  position: unknown
}

/** Records the progress of a locked backfill, in the transaction that did what is counted. */
export async function recordProgress(
  context: Context,
  lease: Lease,
  progress: BackfillProgress,
  leaseUntil: Date,
): Promise<void> {
  const { created, updated, unchanged, skipped, failed, problems } = progress
  const { rows } = await sql<{ before: number }>`
    update backfills set
      read_count = read_count + ${created + updated + unchanged + skipped + failed},
      created_count = created_count + ${created}, updated_count = updated_count + ${updated},
      unchanged_count = unchanged_count + ${unchanged}, skipped_count = skipped_count + ${skipped},
      failed_count = failed_count + ${failed}, problem_count = problem_count + ${problems.length},
      position = ${JSON.stringify(progress.position)}, due_at = ${leaseUntil}, attempts = 0, failures = 0,
      updated_at = ${context.now}
    where shop_id = ${lease.shop_id} and id = ${lease.id} and claim = ${lease.claim}
    returning problem_count - ${problems.length} as before`.execute(context.db)
  const before = rows[0]?.before ?? 0
  const stored = problems.slice(0, Math.max(0, maxProblems - before))
  if (stored.length === 0) return
  await context.db
    .insertInto('backfill_problems')
    .values(
      stored.map(({ order, key, message }, index) => ({
        shop_id: lease.shop_id,
        backfill_id: lease.id,
        number: before + index + 1,
        order_reference: toStorableText(order, maxTextLength),
        error_key: key,
        message: toStorableText(message, maxTextLength),
      })),
    )
    .execute()
}

/** The result of a lease: it ends, waits, or can be leased again at once. */
export type Release =
  | { status: 'completed' }
  | { status: 'failed'; key: string; message: string }
  | { status: 'waiting'; until: Date; reason: string; isFailure: boolean }
  | { status: 'running'; dueAt: Date }

/** Ends a lease, unless the backfill was cancelled or leased by another worker meanwhile. */
export async function releaseBackfill(context: Context, lease: Lease, release: Release): Promise<void> {
  await context.db
    .updateTable('backfills')
    .set({ status: release.status, updated_at: context.now, ...releaseColumns(context, release) })
    .where('shop_id', '=', lease.shop_id)
    .where('id', '=', lease.id)
    .where('claim', '=', lease.claim)
    .where('status', '=', 'running')
    .execute()
}

function releaseColumns(context: Context, release: Release) {
  switch (release.status) {
    case 'completed':
      return { due_at: null, finished_at: context.now }
    case 'failed':
      return {
        due_at: null,
        finished_at: context.now,
        error_key: release.key,
        error_message: toStorableText(release.message, maxTextLength),
      }
    case 'waiting':
      return {
        due_at: release.until,
        waiting_until: release.until,
        waiting_reason: toStorableText(release.reason, maxTextLength),
        attempts: 0,
        ...(release.isFailure ? { failures: sql<number>`least(failures + 1, 1000)` } : {}),
      }
    case 'running':
      return { due_at: release.dueAt }
  }
}

export async function recordTotal(context: Context, lease: Lease, total: number): Promise<void> {
  await context.db
    .updateTable('backfills')
    .set({ total: Math.min(total, 2_000_000_000) })
    .where('shop_id', '=', lease.shop_id)
    .where('id', '=', lease.id)
    .where('claim', '=', lease.claim)
    .execute()
}

/** Makes all leased backfills due, when the only process of a store starts. */
export async function releaseLeasedBackfills(context: Pick<Context, 'db' | 'now'>): Promise<void> {
  await context.db
    .updateTable('backfills')
    .set({ due_at: context.now })
    .where('due_at', '>', context.now)
    .where('status', '=', 'running')
    .execute()
}
