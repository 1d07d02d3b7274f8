import { type Selectable, sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { cutPage, offsetOf, type Page, type PageRequest } from '../../platform/foundation/page.ts'
import { toStorableText } from '../../platform/foundation/storable-text.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { countUpTo } from '../../platform/store/count.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'
import { leaseDue } from '../../platform/store/lease-due.ts'
import { type ImportProblem, maxProblems } from './schema.ts'

export type ImportRow = Selectable<Tables['imports']>

export async function getImportRow(context: ShopContext, id: string): Promise<ImportRow> {
  const row = await context.db
    .selectFrom('imports')
    .selectAll()
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .where('status', '<>', 'receiving')
    .executeTakeFirst()
  if (row === undefined) throw new ApiError('import_not_found', `This shop has no import ${id}.`)
  return row
}

/** One page of a shop's imports, newest first. */
export async function listImportRows(context: ShopContext, request: PageRequest): Promise<Page<ImportRow>> {
  const rest = sql`from imports where shop_id = ${context.shop.id} and status <> 'receiving'`
  const { rows } = await sql<ImportRow>`
    select * ${rest} order by id desc limit ${request.perPage + 1} offset ${offsetOf(request)}`.execute(context.db)
  return cutPage(request, rows, () => countUpTo(context, `imports ${context.shop.id}`, rest))
}

export async function listProblems(context: Context, shopId: string, importId: string): Promise<ImportProblem[]> {
  const { rows } = await sql<ImportProblem>`
    select row_number as "row", column_name as "column", value, error_key as "key", message from import_problems
    where shop_id = ${shopId} and import_id = ${importId}
    order by number
    limit ${sql.lit(maxProblems)}`.execute(context.db)
  return rows
}

/** A file that has arrived becomes an import. */
export async function queueImport(context: ShopContext, id: string, isDryRun: boolean): Promise<ImportRow> {
  return context.db
    .updateTable('imports')
    .set({ status: 'queued', is_dry_run: isDryRun, due_at: context.now, created_at: context.now })
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .where('status', '=', 'receiving')
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Leases the import that has been due longest, of any shop that is neither deleted nor paused, until the given time.
 */
export function leaseImport(context: Context, leaseUntil: Date): Promise<ImportRow | undefined> {
  return leaseDue(
    context,
    'imports',
    leaseUntil,
    sql`status = case when status = 'queued' then 'running' else status end`,
  )
}

/** The import that a worker has leased, and the number of that lease. */
export type Lease = Pick<ImportRow, 'shop_id' | 'id' | 'claim'>

/**
 * Locks an import that this worker has leased, until the transaction ends. False if it was cancelled, another worker
 * has leased it since, or its shop is deleted or paused.
 */
export async function lockLeasedImport(context: Context, lease: Lease): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from imports
    where shop_id = ${lease.shop_id} and id = ${lease.id} and claim = ${lease.claim} and finished_at is null
      and not ${isOfStoppedShop('imports')}
    for update`.execute(context.db)
  return rows.length > 0
}

export interface ImportProgress {
  rows: number
  created: number
  updated: number
  unchanged: number
  failed: number
  problems: ImportProblem[]
  next: { bytes: number; row: number }
  /** How many consecutive rows before that could not be read. */
  unreadable: number
  status: 'running' | 'completed' | 'failed' | 'set_aside'
  /** Reason why it ends before the end of its file. */
  reason: string | null
}

/** Records the progress of a locked import, in the transaction that did what is counted. */
export async function recordProgress(
  context: Context,
  lease: Lease,
  progress: ImportProgress,
  leaseUntil: Date,
): Promise<void> {
  const isFinished = progress.status !== 'running'
  const found = progress.problems.length
  const { rows } = await sql<{ before: number }>`
    update imports set
      row_count = row_count + ${progress.rows}, created_count = created_count + ${progress.created},
      updated_count = updated_count + ${progress.updated}, unchanged_count = unchanged_count + ${progress.unchanged},
      failed_count = failed_count + ${progress.failed}, problem_count = problem_count + ${found},
      position_bytes = ${progress.next.bytes}, position_row = ${progress.next.row}, unreadable_rows = ${progress.unreadable},
      status = ${progress.status}, reason = ${progress.reason}, finished_at = ${isFinished ? context.now : null}, due_at = ${leaseUntil}, attempts = 0
    where shop_id = ${lease.shop_id} and id = ${lease.id} and claim = ${lease.claim}
    returning problem_count - ${found} as before`.execute(context.db)
  const before = rows[0]?.before ?? 0
  await insertProblems(context, lease, before, progress.problems.slice(0, Math.max(0, maxProblems - before)))
}

async function insertProblems(
  context: Context,
  lease: Lease,
  before: number,
  problems: ImportProblem[],
): Promise<void> {
  if (problems.length === 0) return
  const given = problems.map(({ column, value, ...problem }, index) => ({
    number: before + index + 1,
    column: column && storable(column),
    value: value && storable(value),
    ...problem,
  }))
  await sql`
    insert into import_problems (shop_id, import_id, number, row_number, column_name, value, error_key, message)
    select ${lease.shop_id}, ${lease.id}, number, "row", "column", value, "key", message
    from json_to_recordset(${JSON.stringify(given)}::json) as given
      (number int, "row" int, "column" text, value text, "key" text, message text)`.execute(context.db)
}

/** The part of a value that is shown: its beginning, without characters that PostgreSQL rejects. */
function storable(text: string): string {
  return toStorableText(text, 200)
}

/** Records the first columns of the file that are ignored. */
export async function recordIgnoredColumns(context: Context, lease: Lease, ignored: string[]): Promise<void> {
  await context.db
    .updateTable('imports')
    .set({ ignored_columns: ignored.slice(0, 500).map(storable) })
    .where('shop_id', '=', lease.shop_id)
    .where('id', '=', lease.id)
    .where('claim', '=', lease.claim)
    .execute()
}

/** Ends a lease. The import can be leased again from the given time on; null: nothing remains to be done. */
export async function releaseImport(context: Context, lease: Lease, dueAt: Date | null): Promise<void> {
  await context.db
    .updateTable('imports')
    .set({ due_at: dueAt })
    .where('shop_id', '=', lease.shop_id)
    .where('id', '=', lease.id)
    .where('claim', '=', lease.claim)
    .execute()
}

/** Ends a lease in which the store failed: it does not count as one without progress. */
export async function returnImport(context: Context, lease: Lease, dueAt: Date): Promise<void> {
  await sql`
    update imports set due_at = ${dueAt}, attempts = greatest(attempts - 1, 0)
    where shop_id = ${lease.shop_id} and id = ${lease.id} and claim = ${lease.claim}`.execute(context.db)
}

/**
 * Ends an import that has not ended yet; undefined if there is none. It waits for the batch that a worker is writing, and
 * is due at once, so that its file is deleted.
 */
export function cancelImport(context: ShopContext, id: string): Promise<ImportRow | undefined> {
  return context.db
    .updateTable('imports')
    .set({ status: 'cancelled', finished_at: context.now, due_at: context.now })
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returningAll()
    .executeTakeFirst()
}

/** Makes all leased imports due, when the only process of a store starts. */
export async function releaseLeasedImports(context: Pick<Context, 'db' | 'now'>): Promise<void> {
  await context.db.updateTable('imports').set({ due_at: context.now }).where('due_at', '>', context.now).execute()
}

/** Deletes imports that ended before then, with their problems; returns how many. */
export async function deleteImportsBefore(context: Pick<Context, 'db'>, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from imports using (
      select shop_id, id from imports where finished_at < ${before} and due_at is null
      order by finished_at
      limit ${sql.lit(limit)}
    ) as old
    where imports.shop_id = old.shop_id and imports.id = old.id
    returning imports.id`.execute(context.db)
  return rows.length
}
