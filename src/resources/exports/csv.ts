/** A line of CSV as RFC 4180 has it. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/**
 * A cell that no spreadsheet takes for a formula: an apostrophe before the first character makes it text. An import
 * takes it off again.
 */
export function csvCell(value: string | null): string {
  if (value === null) return ''
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
