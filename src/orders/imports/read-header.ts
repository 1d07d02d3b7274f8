import { type Layout, layoutOf } from './columns.ts'
import { type Place, type ReadBytes, type Row, readRows, tooManyValues } from './read-rows.ts'
import { maxRowBytes } from './split-row.ts'

/** The header of a file. */
export interface Header {
  layout: Layout
  delimiter: string
  /** Where the first row of data begins. */
  dataAt: Place
}

/** Why a file cannot be read at all. */
export interface Unreadable {
  message: string
  value: string | null
}

const delimiters = [',', ';', '\t']

/** Reads the header with the delimiter that gives the most known columns. */
export async function readHeader(readBytes: ReadBytes): Promise<Header | Unreadable> {
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
