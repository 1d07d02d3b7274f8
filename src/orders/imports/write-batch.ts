import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { applyOrders } from './apply-orders.ts'
import { type Batch, maxUnreadable } from './batches.ts'
import type { Layout } from './columns.ts'
import { countRows } from './group-rows.ts'
import { leaseFrom } from './lease.ts'
import { type Lease, lockLeasedImport, type Progress, recordProgress } from './store.ts'

/** It was cancelled, another worker has leased it, or its shop was deleted: this worker writes nothing more. */
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

function outcomeOf({ next, unreadable, isLast }: Step): Pick<Progress, 'next' | 'unreadable' | 'status' | 'reason'> {
  if (unreadable < maxUnreadable) return { next, unreadable, status: isLast ? 'completed' : 'running', reason: null }
  const count = maxUnreadable.toLocaleString('en')
  const reason = `The ${count} rows up to row ${next.row - 1} could not be read, one after another: this is not the CSV file that its header promises. What comes after them was not read.`
  return { next, unreadable, status: 'failed', reason }
}

/** Errors of PostgreSQL about values: data exceptions, violated constraints, exceeded limits. Others are not the file's fault. */
function isAboutData(error: unknown): boolean {
  return /^(22|23|54)/.test((error as { code?: string } | undefined)?.code ?? '')
}
