import type { Context } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { savepoint } from '../../platform/store/savepoint.ts'
import type { OrderWrite } from '../orders/decide.ts'
import { type WriteOutcome, writeOrders } from '../orders/upsert.ts'
import { type Batch, maxUnreadable } from './batches.ts'
import { type BuiltOrder, buildOrder, fileLoc } from './build-order.ts'
import type { Layout } from './columns.ts'
import { findNamesInUse, type NameInFile, recordNames } from './file-store.ts'
import { countRows, type RowGroup } from './group-rows.ts'
import { leaseFrom } from './lease.ts'
import type { ImportProblem } from './schema.ts'
import { type ImportProgress, type Lease, lockLeasedImport, recordProgress } from './store.ts'

/**
 * It was cancelled, another worker has leased it, or its shop was deleted or paused: this worker writes nothing more.
 */
export class ImportLost extends Error {}

type Step = Pick<Batch, 'groups' | 'next' | 'unreadable' | 'isLast'>

/** Writes the orders of a batch and moves the position, in one transaction. */
export async function writeBatch(
  newContext: () => Context,
  lease: Lease & { is_dry_run: boolean },
  layout: Layout,
  batch: Step,
): Promise<void> {
  try {
    await whileLeased(newContext(), lease, async (context) => {
      const applied = await applyOrders(context, lease, layout, batch.groups)
      await recordProgress(context, lease, { ...applied, ...outcomeOf(batch) }, leaseFrom(context))
    })
  } catch (error) {
    if (!isAboutData(error)) throw error
    // One faulty order must not fail the others: each is written by itself, and the faulty one is omitted.
    if (batch.groups.length > 1) return writeOneByOne(newContext, lease, layout, batch)
    newContext().log.error({ err: error, import: lease.id, row: batch.next.row }, 'an order of an import failed')
    await omitBatch(newContext(), lease, batch)
  }
}

/** Works on an import in one transaction; throws `ImportLost` if this worker no longer has it. */
export function whileLeased(context: Context, lease: Lease, work: (context: Context) => Promise<void>): Promise<void> {
  return inTransaction(context, async (context) => {
    if (!(await lockLeasedImport(context, lease))) {
      throw new ImportLost('it was cancelled, another worker has leased it, or its shop was deleted')
    }
    await work(context)
  })
}

async function writeOneByOne(
  newContext: () => Context,
  lease: Lease & { is_dry_run: boolean },
  layout: Layout,
  { groups, ...batch }: Step,
): Promise<void> {
  for (const [index, group] of groups.entries()) {
    const isEnd = index === groups.length - 1
    const step = isEnd ? batch : { next: group.next, unreadable: 0, isLast: false }
    await writeBatch(newContext, lease, layout, { ...step, groups: [group] })
  }
}

function omitBatch(context: Context, lease: Lease, batch: Step): Promise<void> {
  return whileLeased(context, lease, async (context) => {
    const problems = batch.groups.map((group) => ({
      row: group.rows[0]?.number ?? batch.next.row,
      column: null,
      value: group.orderNumber ?? null,
      key: 'unexpected',
      message: 'could not be written; the log of the service has the cause',
    }))
    const rows = countRows(batch.groups)
    const counts = { rows, created: 0, updated: 0, unchanged: 0, failed: batch.groups.length, problems }
    await recordProgress(context, lease, { ...counts, ...outcomeOf(batch) }, leaseFrom(context))
  })
}

function outcomeOf({
  next,
  unreadable,
  isLast,
}: Step): Pick<ImportProgress, 'next' | 'unreadable' | 'status' | 'reason'> {
  if (unreadable < maxUnreadable) return { next, unreadable, status: isLast ? 'completed' : 'running', reason: null }
  const count = maxUnreadable.toLocaleString('en')
  const reason = `The ${count} rows up to row ${next.row - 1} could not be read, one after another: this is not the CSV file that its header promises. What comes after them was not read.`
  return { next, unreadable, status: 'failed', reason }
}

/** Errors of PostgreSQL about values: data exceptions, violated constraints, exceeded limits. Others are not the file's fault. */
function isAboutData(error: unknown): boolean {
  return /^(22|23|54)/.test((error as { code?: string } | undefined)?.code ?? '')
}

type Applied = Omit<ImportProgress, 'next' | 'unreadable' | 'status' | 'reason'>

interface Entry extends BuiltOrder {
  row: number
  orderNumber: string
  externalId: string | undefined
}

/** Writes the orders of some rows and returns their outcomes; a dry run rolls its writes back. */
async function applyOrders(
  context: Context,
  lease: Lease & { is_dry_run: boolean },
  layout: Layout,
  groups: RowGroup[],
): Promise<Applied> {
  const entries = groups.map((group) => entryOf(group, layout))
  const valid = entries.filter(({ upsert }) => upsert !== undefined)
  const problems = entries.flatMap((entry) => entry.problems)
  const fresh = await withoutRepeated(context, lease, valid, problems)
  const outcomes = await write(context, lease, fresh)
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const [index, outcome] of outcomes.entries()) {
    if ('change' in outcome) counts[outcome.change] += 1
    else problems.push(...(fresh[index]?.locate(outcome.error) ?? []))
  }
  await recordNames(context, lease, namesOf(fresh, outcomes, lease.is_dry_run))
  return {
    rows: countRows(groups),
    ...counts,
    failed: entries.length - counts.created - counts.updated - counts.unchanged,
    problems: problems.sort((left, right) => left.row - right.row),
  }
}

function entryOf(group: RowGroup, layout: Layout): Entry {
  const built = buildOrder(group, layout)
  return {
    ...built,
    row: group.rows[0]?.number ?? 0,
    orderNumber: group.orderNumber ?? '',
    externalId: built.upsert?.order?.external_id ?? undefined,
  }
}

/** Omits orders that occurred earlier in the file: their later rows would undo the earlier ones. */
async function withoutRepeated(
  context: Context,
  lease: Lease & { is_dry_run: boolean },
  entries: Entry[],
  problems: ImportProblem[],
): Promise<Entry[]> {
  const numbers = entries.map(({ orderNumber }) => orderNumber)
  const rows = await findNamesInUse(context, lease, 'order_number', numbers)
  const ids = lease.is_dry_run ? entries.map((entry) => entry.externalId ?? entry.orderNumber) : []
  const idsInUse = await findNamesInUse(context, lease, 'external_id', ids)
  return entries.filter((entry) => {
    const row = rows.get(entry.orderNumber)
    const externalId = entry.externalId ?? entry.orderNumber
    if (row !== undefined) problems.push(...entry.locate(repeated(entry.orderNumber, row)))
    // In a dry run the order that has the id is not in the store, so the conflict is found here.
    else if (idsInUse.has(externalId)) problems.push(...entry.locate(idTaken(externalId)))
    else {
      rows.set(entry.orderNumber, entry.row)
      return true
    }
    return false
  })
}

async function write(
  context: Context,
  lease: Lease & { is_dry_run: boolean },
  entries: Entry[],
): Promise<WriteOutcome[]> {
  if (entries.length === 0) return []
  const writes = entries.flatMap(({ upsert }): OrderWrite[] =>
    upsert ? [{ shopId: lease.shop_id, now: context.now, upsert, isPlacement: false, loc: fileLoc }] : [],
  )
  if (!lease.is_dry_run) return writeOrders(context, writes)
  let outcomes: WriteOutcome[] = []
  const undo = new Error('undone')
  await savepoint(context, async () => {
    // Actions for after the commit are dropped, too.
    outcomes = await writeOrders({ ...context, afterCommit: [] }, writes)
    throw undo
  }).catch((error) => {
    if (error !== undo) throw error
  })
  return outcomes
}

function namesOf(entries: Entry[], outcomes: WriteOutcome[], isDryRun: boolean): NameInFile[] {
  return entries.flatMap((entry, index): NameInFile[] => {
    const { row, orderNumber: name } = entry
    const outcome = outcomes[index]
    const isNew = outcome !== undefined && 'change' in outcome && outcome.change === 'created'
    const externalId = entry.externalId ?? (isNew ? name : undefined)
    const isIdTaken = isDryRun && externalId !== undefined && outcome !== undefined && 'change' in outcome
    return [
      { kind: 'order_number', name, row },
      ...(isIdTaken ? [{ kind: 'external_id' as const, name: externalId, row }] : []),
    ]
  })
}

function repeated(orderNumber: string, row: number): ApiError {
  return new ApiError(
    'order_exists',
    `The order_number ${JSON.stringify(orderNumber)} stands in row ${row} already: rows of one order must follow one another.`,
  )
}

function idTaken(externalId: string): ApiError {
  return new ApiError('order_exists', `Another order of this shop has the external_id ${JSON.stringify(externalId)}.`)
}
