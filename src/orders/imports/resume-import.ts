import type { Context } from '../../platform/foundation/context.ts'
import { refreshStatistics } from '../../platform/store/statistics.ts'
import { inBatches } from './batches.ts'
import { type Layout, layoutOf } from './columns.ts'
import { chunkBytes, clearSome, deleteFile, findChunk } from './file-store.ts'
import { groupRows } from './group-rows.ts'
import { leaseFrom, maxLeases } from './lease.ts'
import { type Place, type ReadBytes, type Row, readRows, tooManyValues } from './read-rows.ts'
import { maxRowBytes } from './split-row.ts'
import { type ImportRow, leaseImport, recordIgnoredColumns, recordProgress, releaseImport } from './store.ts'
import { whileLeased, writeBatch } from './write-batch.ts'

export function leaseDueImport(context: Context): Promise<ImportRow | undefined> {
  return leaseImport(context, leaseFrom(context))
}

/**
 * Resumes an import where the last worker stopped, until its end or while it may. Position and counts move in the
 * transaction that writes a batch, so the next worker repeats nothing and omits nothing.
 */
export async function resumeImport(
  newContext: () => Context,
  leased: ImportRow,
  mayContinue: () => boolean,
): Promise<void> {
  if (leased.status === 'receiving') return deleteFile(newContext(), leased) // its sender is gone
  if (leased.finished_at === null && !(await importRows(newContext, leased, mayContinue))) {
    return releaseImport(newContext(), leased, newContext().now)
  }
  while (await clearSome(newContext(), leased));
  await releaseImport(newContext(), leased, null)
}

/** True when the import has come to its end. */
async function importRows(newContext: () => Context, leased: ImportRow, mayContinue: () => boolean): Promise<boolean> {
  if (leased.attempts > maxLeases) {
    await setAside(newContext(), leased)
    return true
  }
  const readBytes = bytesOf(newContext, leased)
  const header = await readHeader(readBytes)
  if ('message' in header) {
    await endEarly(newContext(), leased, 'failed', header)
    return true
  }
  const { layout, delimiter, dataAt } = header
  const isBeginning = leased.position_bytes === 0
  if (isBeginning) await recordIgnoredColumns(newContext(), leased, layout.ignored)
  const from = isBeginning ? dataAt : placeOf(leased)
  const rows = readRows(readBytes, from, delimiter, layout)
  for await (const batch of inBatches(groupRows(rows, layout), from, leased.unreadable_rows)) {
    await writeBatch(newContext, leased, layout, batch)
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

function setAside(context: Context, leased: ImportRow): Promise<void> {
  context.log.error({ import: leased.id, row: leased.position_row }, 'an import without progress was set aside')
  const where = leased.position_bytes === 0 ? 'at its beginning' : `before row ${leased.position_row}`
  const message = `The import was resumed ${where} and stopped again, without progress; the log of the service may have the cause. It was set aside, so that it stops nothing else.`
  return endEarly(context, leased, 'set_aside', { message, value: null })
}

/** Its reason is also a problem, at the row where it ended. */
function endEarly(
  context: Context,
  leased: ImportRow,
  status: 'failed' | 'set_aside',
  { message, value }: Unreadable,
): Promise<void> {
  return whileLeased(context, leased, async (context) => {
    const problem = { row: leased.position_row, column: null, value, key: 'invalid_payload', message }
    const none = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0, problems: [problem] }
    const at = { next: placeOf(leased), unreadable: leased.unreadable_rows }
    await recordProgress(context, leased, { ...none, ...at, status, reason: message }, leaseFrom(context))
  })
}

function placeOf(leased: ImportRow): Place {
  return { bytes: leased.position_bytes, row: leased.position_row }
}

/** The bytes of the file, a chunk at a time. The first chunk is read several times at the beginning, so it is cached. */
function bytesOf(newContext: () => Context, leased: ImportRow): ReadBytes {
  let first: Promise<Buffer | undefined> | undefined
  return async function* (from) {
    for (let number = Math.floor(from / chunkBytes); number * chunkBytes < leased.size_bytes; number += 1) {
      if (number === 0) first ??= findChunk(newContext(), leased, 0)
      const chunk = await (number === 0 ? first : findChunk(newContext(), leased, number))
      if (chunk === undefined) throw new Error(`the file of import ${leased.id} lacks chunk ${number}`)
      yield chunk.subarray(Math.max(0, from - number * chunkBytes))
    }
  }
}

/** The header of a file. */
interface Header {
  layout: Layout
  delimiter: string
  /** Position of the first row of data. */
  dataAt: Place
}

/** Reason why a file cannot be read at all. */
interface Unreadable {
  message: string
  value: string | null
}

const delimiters = [',', ';', '\t']

/** Reads the header with the delimiter that gives the most known columns. */
async function readHeader(readBytes: ReadBytes): Promise<Header | Unreadable> {
  let best: Header | undefined
  let first: string | undefined
  let fault: string | undefined
  let isTooWide = false
  for (const delimiter of delimiters) {
    const row = await firstRow(readBytes, delimiter)
    if (row === undefined) continue
    if (row.fault !== undefined) {
      fault ??= row.fault
      isTooWide ||= row.fault === tooManyValues
      continue
    }
    first ??= row.cells.join(',').slice(0, 200)
    const layout = layoutOf(row.cells)
    if (best === undefined || layout.columns.length > best.layout.columns.length) {
      best = { layout, delimiter, dataAt: { bytes: row.endsAt, row: 2 } }
    }
  }
  if (best === undefined && fault !== undefined) {
    return { message: `The file has no header: its first row must name the columns, and ${fault}.`, value: null }
  }
  // With a delimiter that it does not have, the whole row is one value.
  if (isTooWide && best?.layout.columns.length === 0) {
    return { message: `The first row must name the columns of the file, and ${tooManyValues}.`, value: null }
  }
  if (best === undefined || first === undefined || first.trim() === '') {
    return { message: 'The file has no header: its first row must name the columns.', value: null }
  }
  if (!best.layout.columns.some(({ subject, field }) => subject === 'order' && field === 'order_number')) {
    return { message: 'The column order_number is missing: the first row must name it.', value: first }
  }
  return best
}

async function firstRow(readBytes: ReadBytes, delimiter: string): Promise<Row | undefined> {
  for await (const row of readRows(beginningOf(readBytes), { bytes: 0, row: 1 }, delimiter)) return row
  return undefined
}

/** Of a first line without an end, no more is read than a row may have. */
function beginningOf(readBytes: ReadBytes): ReadBytes {
  return async function* (from) {
    let size = 0
    for await (const piece of readBytes(from)) {
      yield piece
      size += piece.length
      if (size > maxRowBytes + 3) return
    }
  }
}
