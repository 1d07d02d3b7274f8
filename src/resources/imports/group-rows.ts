import { unguardFormulas } from '../../foundation/spreadsheet.ts'
import type { FileColumn, Layout } from './columns.ts'
import type { Place, Row } from './read-rows.ts'
import type { ImportProblem } from './schema.ts'

/** Consecutive rows of the same order; or one row without an order, with its problem. */
export interface RowGroup {
  orderNumber: string | undefined
  rows: Row[]
  problems: ImportProblem[]
  /** Rows that were read for it, including those past the limit. */
  rowCount: number
  /** Where the next group begins. */
  next: Place
}

/** An order has at most a thousand products: more rows are a mistake, and must not fill the memory. */
const maxRows = 2_000

export async function* groupRows(rows: AsyncIterable<Row>, layout: Layout): AsyncGenerator<RowGroup> {
  const numberColumn = layout.columns.find(({ field }) => field === 'order_number')
  let open: RowGroup | undefined
  for await (const row of rows) {
    const next = { bytes: row.endsAt, row: row.number + 1 }
    if (isBlank(row)) {
      if (open) open.next = next
      continue
    }
    const orderNumber = numberColumn && row.fault === undefined ? cellOf(row, numberColumn) : ''
    if (open && orderNumber !== '' && open.orderNumber === orderNumber) {
      open.rowCount += 1
      open.next = next
      if (open.rowCount <= maxRows) open.rows.push(row)
      else if (open.rowCount === maxRows + 1) open.problems.push(tooManyRows(row, numberColumn, orderNumber))
      continue
    }
    if (open) yield open
    open = { orderNumber: orderNumber || undefined, rows: [row], problems: [], rowCount: 1, next }
    if (row.fault !== undefined) open.problems.push(wholeRow(row, `This row ${row.fault}.`))
    else if (orderNumber === '') open.problems.push(numberMissing(row, numberColumn))
  }
  if (open) yield open
}

/**
 * The value of a cell: without blanks around it, and without the apostrophes that prevent spreadsheets from reading parts
 * of it as formulas.
 */
export function cellOf(row: Row, column: FileColumn): string {
  const text = unguardFormulas((row.cells[column.index] ?? '').trim())
  return column.without ? text.replace(column.without, '') : text
}

function isBlank(row: Row): boolean {
  return row.fault === undefined && row.cells.every((cell) => cell.trim() === '')
}

function wholeRow(row: Row, message: string): ImportProblem {
  return { row: row.number, column: null, value: null, key: 'invalid_payload', message }
}

function numberMissing(row: Row, column: FileColumn | undefined): ImportProblem {
  return { ...wholeRow(row, 'must name the order that the row is about'), column: column?.header ?? null, value: '' }
}

function tooManyRows(row: Row, column: FileColumn | undefined, orderNumber: string): ImportProblem {
  return { ...wholeRow(row, `has more than ${maxRows} rows`), column: column?.header ?? null, value: orderNumber }
}
