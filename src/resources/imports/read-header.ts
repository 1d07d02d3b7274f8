import { type Layout, layoutOf } from './columns.ts'
import { type Place, type ReadBytes, readRows } from './read-rows.ts'

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
  for (const delimiter of delimiters) {
    const row = await firstRow(readBytes, delimiter)
    if (row === undefined || row.fault !== undefined) continue
    first ??= row.cells.join(',').slice(0, 200)
    const layout = layoutOf(row.cells)
    if (best === undefined || layout.columns.length > best.layout.columns.length) {
      best = { layout, delimiter, dataAt: { bytes: row.endsAt, row: 2 } }
    }
  }
  if (best === undefined || first === undefined || first.trim() === '') {
    return { message: 'The file has no header: its first row must name the columns.', value: null }
  }
  if (!best.layout.columns.some(({ subject, field }) => subject === 'order' && field === 'order_number')) {
    return { message: 'The column order_number is missing: the first row must name it.', value: first }
  }
  return best
}

async function firstRow(readBytes: ReadBytes, delimiter: string) {
  for await (const row of readRows(readBytes, { bytes: 0, row: 1 }, delimiter)) return row
  return undefined
}
