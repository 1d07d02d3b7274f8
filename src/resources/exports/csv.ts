import { guardFormulas } from '../../foundation/spreadsheet.ts'

/** A line of CSV as RFC 4180 has it. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A cell that no spreadsheet takes for a formula, whether it separates cells by commas or by semicolons. */
export function csvCell(value: string | null): string {
  if (value === null) return ''
  const safe = guardFormulas(value)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
