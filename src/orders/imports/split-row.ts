/** Longer than any real row: a quote that is never closed would turn the rest of the file into one row. */
export const maxRowBytes = 1_000_000

/** More than any export has: every row would have a value of each to check. */
export const maxColumns = 1_000

/** The columns to keep of each row. */
export interface KeptColumns {
  /** The positions of the columns whose values are kept, ascending. */
  kept: readonly number[]
  /** The number of columns that the header names. */
  width: number
}

export type Fault = 'open' | 'long' | 'quote' | 'wide'

export interface SplitRow {
  /** The values of the kept columns, in their order; without `KeptColumns` all values. */
  cells: string[]
  /** How many bytes of the file they are. */
  keptBytes: number
  /** How many values the row has, kept or not. */
  width: number
  isBlank: boolean
  /** Whether a column without a name has a value. */
  hasSurplus: boolean
  /** Position of the next row. */
  end: number
}

/** The row, why it cannot be split, or that its end has not arrived yet. */
export type Split = SplitRow | { fault: Fault } | 'incomplete'

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Splits the row that begins at `from`, as in RFC 4180. Values that are not kept are never copied. */
export function splitRow(
  bytes: Buffer,
  from: number,
  { delimiter, isLast, columns }: { delimiter: number; isLast: boolean; columns: KeptColumns | undefined },
): Split {
  const row: SplitRow = { cells: [], keptBytes: 0, width: 0, isBlank: true, hasSurplus: false, end: from }
  const reading: RowReading = { row, bytes, columns }
  const { length } = bytes
  const fault = (reason: Fault, at: number): Split => ({ fault: at - from > maxRowBytes ? 'long' : reason })
  const unfinished = (reason: Fault): Split =>
    isLast || length - from > maxRowBytes ? fault(reason, length) : 'incomplete'
  for (let at = from; ; at += 1) {
    if (row.width === maxColumns) return fault('wide', at)
    const isQuoted = bytes[at] === quote
    let hasQuotes = false
    let start = at
    let stop: number
    if (isQuoted) {
      start += 1
      for (at = start; ; at += 2) {
        at = bytes.indexOf(quote, at)
        if (at === -1) return unfinished('open')
        if (bytes[at + 1] !== quote) break
        hasQuotes = true
      }
      stop = at
      at += 1
    } else {
      while (at < length && !isEnd(bytes[at], delimiter)) {
        if (bytes[at] === quote) return fault('quote', at)
        at += 1
      }
      stop = at
    }
    // The last byte so far may be half of a doubled quote, or of CRLF.
    const next = bytes[at]
    if (!isLast && (next === undefined || (next === carriageReturn && at + 1 === length))) return unfinished('long')
    if (next !== undefined && !isEnd(next, delimiter)) return fault('quote', at)
    take(reading, start, stop, hasQuotes)
    if (next === delimiter) continue
    row.end = next === undefined ? at : endOfBreak(bytes, at)
    return row.end - from > maxRowBytes ? { fault: 'long' } : row
  }
}

/** End of the line that begins at `from`, or the position up to which it certainly continues. */
export function endOfLine(bytes: Buffer, from: number, isLast: boolean): { end: number; isFound: boolean } {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === lineFeed) return { end: at + 1, isFound: true }
    if (byte !== carriageReturn) continue
    if (at + 1 === bytes.length && !isLast) return { end: at, isFound: false }
    return { end: endOfBreak(bytes, at), isFound: true }
  }
  return { end: bytes.length, isFound: isLast }
}

function endOfBreak(bytes: Buffer, at: number): number {
  return bytes[at] === carriageReturn && bytes[at + 1] === lineFeed ? at + 2 : at + 1
}

function isEnd(byte: number | undefined, delimiter: number): boolean {
  return byte === delimiter || byte === lineFeed || byte === carriageReturn
}

/** A row that is being split. */
interface RowReading {
  row: SplitRow
  bytes: Buffer
  columns: KeptColumns | undefined
}

function take({ row, bytes, columns }: RowReading, start: number, stop: number, hasQuotes: boolean): void {
  const column = row.width
  row.width += 1
  if (columns === undefined || columns.kept[row.cells.length] === column) {
    const text = bytes.toString('utf8', start, stop)
    row.cells.push(hasQuotes ? text.replaceAll('""', '"') : text)
    row.keptBytes += stop - start
  }
  const isSurplus = columns !== undefined && column >= columns.width && !row.hasSurplus
  if ((row.isBlank || isSurplus) && !isBlank(bytes, start, stop)) {
    row.isBlank = false
    row.hasSurplus ||= isSurplus
  }
}

function isBlank(bytes: Buffer, start: number, stop: number): boolean {
  for (let at = start; at < stop; at += 1) {
    const byte = bytes[at] ?? 0
    // Beyond ASCII there are blanks, too, such as the one that does not break a line.
    if (byte >= 0x80) return bytes.toString('utf8', start, stop).trim() === ''
    if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return false
  }
  return true
}
