import { unguardFormulas } from '../../platform/foundation/spreadsheet.ts'
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
  /** How many bytes of the file are kept of them. */
  keptBytes: number
  /** Start of the next group. */
  next: Place
}

/** An order has at most a thousand products: more rows are a mistake, and must not fill the memory. */
const maxRows = 2_000

/** A thousand products with all their fields have less. */
const maxOrderBytes = 4_000_000

/** The rows are without blank ones. */
export async function* groupRows(rows: AsyncIterable<Row>, layout: Layout): AsyncGenerator<RowGroup> {
  const numberColumn = layout.columns.find(({ field }) => field === 'order_number')
  let open: RowGroup | undefined
  for await (const row of rows) {
    const next = { bytes: row.endsAt, row: row.number + 1 }
    const orderNumber = numberColumn && row.fault === undefined ? cellOf(row, numberColumn) : ''
    if (open && orderNumber !== '' && open.orderNumber === orderNumber) {
      open.rowCount += 1
      open.next = next
      addRow(open, row, numberColumn)
      continue
    }
    if (open) yield open
    open = {
      orderNumber: orderNumber || undefined,
      rows: [row],
      problems: [],
      rowCount: 1,
      keptBytes: row.keptBytes,
      next,
    }
    if (row.fault !== undefined) open.problems.push(wholeRow(row, `This row ${row.fault}.`))
    else if (orderNumber === '') open.problems.push(numberMissing(row, numberColumn))
  }
  if (open) yield open
}

/** The number of rows that were read for the groups. */
export function countRows(groups: readonly RowGroup[]): number {
  return groups.reduce((sum, { rowCount }) => sum + rowCount, 0)
}

/** Whether it is one row that could not be split into values. */
export function isUnreadable(group: RowGroup): boolean {
  return group.rows[0]?.fault !== undefined
}

/** Past the limits of an order its rows are counted only. */
function addRow(group: RowGroup, row: Row, numberColumn: FileColumn | undefined): void {
  const keptBytes = group.keptBytes + row.keptBytes
  const excess =
    group.rows.length >= maxRows
      ? `has more than ${maxRows} rows`
      : keptBytes > maxOrderBytes
        ? `has more than ${maxOrderBytes / 1_000_000} MB`
        : undefined
  if (excess === undefined) {
    group.rows.push(row)
    group.keptBytes = keptBytes
  } else if (group.problems.length === 0) {
    const column = numberColumn?.header ?? null
    group.problems.push({ ...wholeRow(row, excess), column, value: group.orderNumber ?? null })
  }
}

/**
 * The value of a cell: without blanks around it, and without the apostrophes that prevent spreadsheets from reading parts
 * of it as formulas.
 */
export function cellOf(row: Row, column: FileColumn): string {
  const text = unguardFormulas((row.cells[column.slot] ?? '').trim())
  return column.without ? text.replace(column.without, '') : text
}

function wholeRow(row: Row, message: string): ImportProblem {
  return { row: row.number, column: null, value: null, key: 'invalid_payload', message }
}

function numberMissing(row: Row, column: FileColumn | undefined): ImportProblem {
  return { ...wholeRow(row, 'must name the order that the row is about'), column: column?.header ?? null, value: '' }
}
