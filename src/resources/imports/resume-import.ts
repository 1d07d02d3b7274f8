import { refreshStatistics } from '../../database/statistics.ts'
import type { Context } from '../../foundation/context.ts'
import { inBatches } from './batches.ts'
import { chunkBytes, clearSome, deleteFile, findChunk } from './file-store.ts'
import { groupRows } from './group-rows.ts'
import { leaseFrom, maxLeases } from './lease.ts'
import { readHeader } from './read-header.ts'
import { type Place, type ReadBytes, readRows } from './read-rows.ts'
import { claimImport, type ImportRow, recordIgnoredColumns, recordProgress, releaseImport } from './store.ts'
import { whileClaimed, writeBatch } from './write-batch.ts'

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
  if (claimed.attempts > maxLeases) {
    await setAside(newContext(), claimed)
    return true
  }
  const readBytes = bytesOf(newContext, claimed)
  const header = await readHeader(readBytes)
  if ('message' in header) {
    await endEarly(newContext(), claimed, 'failed', header.message, header.value)
    return true
  }
  const { layout, delimiter, dataAt } = header
  const isBeginning = claimed.position_bytes === 0
  if (isBeginning) await recordIgnoredColumns(newContext(), claimed, layout.ignored)
  const from = isBeginning ? dataAt : placeOf(claimed)
  const rows = readRows(readBytes, from, delimiter, layout)
  for await (const batch of inBatches(groupRows(rows, layout), from, claimed.unreadable_rows)) {
    await writeBatch(newContext, claimed, layout, batch)
    if (batch.isLast) break
    if (isMilestone(batch.next.row - batch.rows, batch.next.row)) {
      await refreshStatistics(newContext(), ['orders', 'shipments', 'shipment_events', 'notifications'])
    }
    if (!mayContinue()) return false
  }
  return true
}

/** Whether four times as much has been read as at the last milestone: by then the planner's statistics are outdated. */
function isMilestone(fromRow: number, toRow: number): boolean {
  const passed = (row: number) => Math.floor(Math.log(Math.max(1, row)) / Math.log(4))
  return passed(toRow) > passed(fromRow)
}

function setAside(context: Context, claimed: ImportRow): Promise<void> {
  context.log.error({ import: claimed.id, row: claimed.position_row }, 'an import without progress was set aside')
  const where = claimed.position_bytes === 0 ? 'at its beginning' : `before row ${claimed.position_row}`
  const reason = `The import was resumed ${where} and stopped again, without progress; the log of the service may have the cause. It was set aside, so that it stops nothing else.`
  return endEarly(context, claimed, 'set_aside', reason, null)
}

/** Its reason is also a problem, at the row where it ended. */
function endEarly(
  context: Context,
  claimed: ImportRow,
  status: 'failed' | 'set_aside',
  reason: string,
  value: string | null,
): Promise<void> {
  return whileClaimed(context, claimed, async (context) => {
    const problem = { row: claimed.position_row, column: null, value, key: 'invalid_payload', message: reason }
    const none = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0, problems: [problem] }
    const at = { next: placeOf(claimed), unreadable: claimed.unreadable_rows }
    await recordProgress(context, claimed, { ...none, ...at, status, reason }, leaseFrom(context))
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
