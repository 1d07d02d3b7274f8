import { refreshStatistics } from '../../database/statistics.ts'
import { after, minuteMs } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { applyOrders } from './apply-orders.ts'
import { chunkBytes, clearSome, deleteFile, findChunk } from './file-store.ts'
import { groupRows, type RowGroup } from './group-rows.ts'
import { type Header, readHeader, type Unreadable } from './read-header.ts'
import { type Place, type ReadBytes, readRows } from './read-rows.ts'
import {
  type Claim,
  claimImport,
  type ImportRow,
  lockClaimedImport,
  recordIgnoredColumns,
  recordProgress,
  releaseImport,
} from './store.ts'

/** How long a worker counts as alive without a report. Each batch renews the lease. */
export const leaseMs = 2 * minuteMs

/** Orders that are written together, and rows that these may have together. */
const batchOrders = 250
const batchRows = 2_500

/** After this many claims without progress an import fails. */
const maxAttempts = 8

export function leaseFrom(context: Context): Date {
  return after(context.now, leaseMs)
}

export function claimDueImport(context: Context): Promise<ImportRow | undefined> {
  return claimImport(context, leaseFrom(context))
}

/**
 * Resumes an import where the last worker stopped, until its end or while it may. Position and counts move in the
 * transaction that writes a batch, so the next worker repeats nothing and omits nothing.
 */
export async function resumeImport(
  newContext: () => Context,
  claimed: ImportRow,
  mayContinue: () => boolean,
): Promise<void> {
  if (claimed.status === 'receiving') return deleteFile(newContext(), claimed) // its sender is gone
  if (claimed.finished_at === null && !(await importRows(newContext, claimed, mayContinue))) {
    return releaseImport(newContext(), claimed, newContext().now)
  }
  while (await clearSome(newContext(), claimed));
  await releaseImport(newContext(), claimed, null)
}

/** True when the import has come to its end. */
async function importRows(newContext: () => Context, claimed: ImportRow, mayContinue: () => boolean): Promise<boolean> {
  if (claimed.attempts > maxAttempts) {
    await giveUp(newContext(), claimed, {
      message: 'The import stopped here again and again; the log of the service has the cause.',
      value: null,
    })
    return true
  }
  const readBytes = bytesOf(newContext, claimed)
  const header = await readHeader(readBytes)
  if ('message' in header) {
    await giveUp(newContext(), claimed, header)
    return true
  }
  if (claimed.position_bytes === 0) await recordIgnoredColumns(newContext(), claimed, header.layout.ignored)
  let next = claimed.position_bytes === 0 ? header.dataAt : placeOf(claimed)
  let batch: RowGroup[] = []
  let rows = 0
  for await (const group of groupRows(readRows(readBytes, next, header.delimiter), header.layout)) {
    batch.push(group)
    rows += group.rows.length
    next = group.next
    if (batch.length < batchOrders && rows < batchRows) continue
    await writeBatch(newContext, claimed, header, batch, { next, isLast: false })
    if (isMilestone(next.row - rows, next.row)) {
      await refreshStatistics(newContext(), ['orders', 'shipments', 'shipment_events', 'notifications'])
    }
    batch = []
    rows = 0
    if (!mayContinue()) return false
  }
  await writeBatch(newContext, claimed, header, batch, { next, isLast: true })
  return true
}

/** Whether four times as much has been read as at the last milestone: by then the planner's statistics are outdated. */
function isMilestone(fromRow: number, toRow: number): boolean {
  const passed = (row: number) => Math.floor(Math.log(Math.max(1, row)) / Math.log(4))
  return passed(toRow) > passed(fromRow)
}

interface Step {
  next: Place
  isLast: boolean
}

/** Another worker has claimed the import, or its shop was deleted: this one writes nothing more. */
export class ImportLost extends Error {}

async function writeBatch(
  newContext: () => Context,
  claim: Claim & { is_dry_run: boolean },
  header: Header,
  batch: RowGroup[],
  step: Step,
): Promise<void> {
  try {
    const context = newContext()
    await inTransaction(context, async (context) => {
      if (!(await lockClaimedImport(context, claim)))
        throw new ImportLost('another worker has claimed the import, or its shop was deleted')
      const applied = await applyOrders(context, claim, header.layout, batch)
      await recordProgress(
        context,
        claim,
        { ...applied, next: step.next, status: step.isLast ? 'completed' : 'running' },
        leaseFrom(context),
      )
    })
  } catch (error) {
    if (!isAboutData(error)) throw error
    // One faulty order must not fail the others: each is written by itself, and the faulty one is omitted.
    if (batch.length > 1) return writeOneByOne(newContext, claim, header, batch, step)
    newContext().log.error({ err: error, import: claim.id, row: step.next.row }, 'an order of an import failed')
    await omitBatch(newContext(), claim, batch, step)
  }
}

async function writeOneByOne(
  newContext: () => Context,
  claim: Claim & { is_dry_run: boolean },
  header: Header,
  batch: RowGroup[],
  step: Step,
): Promise<void> {
  for (const [index, group] of batch.entries()) {
    const isLast = step.isLast && index === batch.length - 1
    await writeBatch(newContext, claim, header, [group], { next: group.next, isLast })
  }
}

function omitBatch(context: Context, claim: Claim, batch: RowGroup[], step: Step): Promise<void> {
  return inTransaction(context, async (context) => {
    if (!(await lockClaimedImport(context, claim)))
      throw new ImportLost('another worker has claimed the import, or its shop was deleted')
    const problems = batch.map((group) => ({
      row: group.rows[0]?.number ?? step.next.row,
      column: null,
      value: group.orderNumber ?? null,
      key: 'unexpected',
      message: 'could not be written; the log of the service has the cause',
    }))
    const rows = batch.reduce((sum, group) => sum + group.rowCount, 0)
    const counts = { rows, created: 0, updated: 0, unchanged: 0, failed: batch.length, problems }
    const status = step.isLast ? 'completed' : 'running'
    await recordProgress(context, claim, { ...counts, next: step.next, status }, leaseFrom(context))
  })
}

/** Errors of PostgreSQL about values: data exceptions, violated constraints, exceeded limits. Others are not the file's fault. */
function isAboutData(error: unknown): boolean {
  return /^(22|23|54)/.test((error as { code?: string } | undefined)?.code ?? '')
}

function giveUp(context: Context, claim: ImportRow, { message, value }: Unreadable): Promise<void> {
  return inTransaction(context, async (context) => {
    if (!(await lockClaimedImport(context, claim)))
      throw new ImportLost('another worker has claimed the import, or its shop was deleted')
    const problem = { row: claim.position_row, column: null, value, key: 'invalid_payload', message }
    const none = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0, problems: [problem] }
    await recordProgress(context, claim, { ...none, next: placeOf(claim), status: 'failed' }, leaseFrom(context))
  })
}

function placeOf(claimed: ImportRow): Place {
  return { bytes: claimed.position_bytes, row: claimed.position_row }
}

/** The bytes of the file, a chunk at a time. The first chunk is read several times at the beginning, so it is cached. */
function bytesOf(newContext: () => Context, claimed: ImportRow): ReadBytes {
  let first: Promise<Buffer | undefined> | undefined
  return async function* (from) {
    for (let number = Math.floor(from / chunkBytes); number * chunkBytes < claimed.size_bytes; number += 1) {
      if (number === 0) first ??= findChunk(newContext(), claimed, 0)
      const chunk = await (number === 0 ? first : findChunk(newContext(), claimed, number))
      if (chunk === undefined) throw new Error(`the file of import ${claimed.id} lacks chunk ${number}`)
      yield chunk.subarray(Math.max(0, from - number * chunkBytes))
    }
  }
}
