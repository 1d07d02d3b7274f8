import { endOfLine, type Fault, type KeptColumns, maxColumns, type SplitRow, splitRow } from './split-row.ts'

/** A row of a file. */
export interface Row extends Omit<SplitRow, 'isBlank' | 'end'> {
  /** As in a spreadsheet: the header is row 1. */
  number: number
  /** Position of the next row. */
  endsAt: number
  /** Reason why it could not be split into cells; then it has none. */
  fault: string | undefined
}

export interface Place {
  bytes: number
  row: number
}

/** Reads a file from a position on, piece by piece. */
export type ReadBytes = (from: number) => AsyncIterable<Buffer>

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The rows of a file from a position on; with `KeptColumns` only what is kept of them, and no blank rows. A row that
 * cannot be split is returned with its fault, and the next line counts as the beginning of a row. The file is read once,
 * however many rows are faulty.
 */
export async function* readRows(
  readBytes: ReadBytes,
  from: Place,
  delimiter: string,
  columns?: KeptColumns,
): AsyncGenerator<Row> {
  const reader = new RowReader(from, delimiter.charCodeAt(0), columns)
  for await (const piece of readBytes(from.bytes)) {
    reader.add(piece)
    for (let row = reader.next(false); row !== undefined; row = reader.next(false)) yield row
  }
  for (let row = reader.next(true); row !== undefined; row = reader.next(true)) yield row
}

/**
 * Splits bytes that arrive piece by piece. It has the bytes of one row and of one piece in memory: the rest of a faulty
 * line is skipped without being collected.
 */
class RowReader {
  readonly #delimiter: number
  readonly #columns: KeptColumns | undefined
  #bytes: Buffer = Buffer.alloc(0)
  /** The position of `#bytes` in the file. */
  #position: number
  #at = 0
  #number: number
  /** Of the row whose line is being skipped. */
  #fault: Fault | undefined

  constructor(from: Place, delimiter: number, columns: KeptColumns | undefined) {
    this.#position = from.bytes
    this.#number = from.row
    this.#delimiter = delimiter
    this.#columns = columns
  }

  add(piece: Buffer): void {
    const rest = this.#bytes.subarray(this.#at)
    this.#bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    this.#position += this.#at
    this.#at = 0
    if (this.#position === 0 && this.#bytes.subarray(0, 3).equals(byteOrderMark)) this.#at = byteOrderMark.length
  }

  /** The next row; undefined: more bytes are needed, or there is none. */
  next(isLast: boolean): Row | undefined {
    while (this.#fault === undefined) {
      if (this.#at >= this.#bytes.length) return undefined
      const options = { delimiter: this.#delimiter, isLast, columns: this.#columns }
      const split = splitRow(this.#bytes, this.#at, options)
      if (split === 'incomplete') return undefined
      if ('fault' in split) this.#fault = split.fault
      else {
        this.#at = split.end
        if (split.isBlank && this.#columns !== undefined) this.#number += 1
        else return this.#row(split, undefined)
      }
    }
    const { end, isFound } = endOfLine(this.#bytes, this.#at, isLast)
    this.#at = end
    if (!isFound) return undefined
    const fault = explain(this.#fault)
    this.#fault = undefined
    return this.#row({ cells: [], keptBytes: 0, width: 0, hasSurplus: false }, fault)
  }

  #row({ cells, keptBytes, width, hasSurplus }: Omit<SplitRow, 'end' | 'isBlank'>, fault: string | undefined): Row {
    const number = this.#number
    this.#number += 1
    return { number, cells, keptBytes, width, hasSurplus, endsAt: this.#position + this.#at, fault }
  }
}

export const tooManyValues = `has more than ${maxColumns.toLocaleString('en')} values`

function explain(fault: Fault): string {
  switch (fault) {
    case 'open':
    case 'long':
      return 'opens a quote that is never closed, or is longer than a megabyte'
    case 'wide':
      return tooManyValues
    case 'quote':
      return 'has a quote inside a value: put the value in quotes, and double each quote in it'
  }
}
