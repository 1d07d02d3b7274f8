import { guardFormulas } from '../../platform/foundation/spreadsheet.ts'

/** A line of CSV as defined by RFC 4180. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A cell that no spreadsheet interprets as a formula, whether it splits cells at commas or at semicolons. */
export function csvCell(value: string | null): string {
  if (value === null) return ''
  const safe = guardFormulas(value)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
