/** Beginnings of a cell that a spreadsheet would run as a formula. Such a cell gets an apostrophe. */
const formula = /^[=+\-@\t\r＝＋－＠]/

function cellOf(value: string | number | null | undefined): string {
  const text = String(value ?? '')
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Saves rows as a CSV file, made in the browser: the chosen rows are already loaded. */
export function saveCsv(
  name: string,
  rows: readonly Readonly<Record<string, string | number | null | undefined>>[],
): void {
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  const text = `\uFEFF${lines.map((line) => line.map(cellOf).join(',')).join('\r\n')}\r\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
