/** Prints rows under their headings. The first column is text, and so is every column that is not all numbers. */
export function printTable(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  const isNumeric = headings.map((_, index) => rows.every((row) => /^[\d.]+$/.test(row[index] ?? '')))
  const line = (cells: string[]) =>
    `| ${cells.map((cell, index) => (isNumeric[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0))).join(' | ')} |`
  console.log(line(headings))
  console.log(
    `|${widths.map((width, index) => (isNumeric[index] ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`,
  )
  for (const row of rows) console.log(line(row))
}

export function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
