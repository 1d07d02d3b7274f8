import { type CsvError, Parser } from 'csv-parse'

/** A row of a file. Numbers are those of a spreadsheet: the header is row 1. */
export interface Row {
  number: number
  cells: string[]
  /** Where the next row begins. */
  endsAt: number
  /** Why it could not be split into cells; then it has none. */
  fault: string | undefined
}

export interface Place {
  bytes: number
  row: number
}

/** Reads a file from a position on, piece by piece. */
export type ReadBytes = (from: number) => AsyncIterable<Buffer>

/** Longer than any real row: a quote that is never closed would turn the rest of the file into one row. */
const maxRowBytes = 1_000_000

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The rows of a file from a position on. A row that cannot be parsed is returned with its fault, and the next line counts
 * as the beginning of a row.
 */
export async function* readRows(readBytes: ReadBytes, from: Place, delimiter: string): AsyncGenerator<Row> {
  let { bytes: position, row: number } = from
  for (;;) {
    let fault: CsvError | undefined
    for await (const read of parseFrom(readBytes, position, delimiter)) {
      if ('fault' in read) fault = read.fault
      else {
        position = read.endsAt
        yield { number, cells: read.cells, endsAt: position, fault: undefined }
        number += 1
      }
    }
    if (fault === undefined) return
    position = await nextLine(readBytes, position)
    yield { number, cells: [], endsAt: position, fault: explain(fault) }
    number += 1
  }
}

type Parsed = { cells: string[]; endsAt: number } | { fault: CsvError }

/** Yields the rows before a fault first: the parser itself would drop those that have not been read. */
async function* parseFrom(readBytes: ReadBytes, from: number, delimiter: string): AsyncGenerator<Parsed> {
  let parsed: Parsed[] = []
  let skipped = 0
  const parser = new Parser({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: maxRowBytes,
    on_record: (cells: string[], { bytes }) => {
      parsed.push({ cells, endsAt: from + skipped + bytes })
      return null
    },
  })
  // The callbacks below report errors; without a listener an error would end the process.
  parser.on('error', () => {})
  parser.resume()
  const settle = (start: (callback: (error?: Error | null) => void) => void) =>
    new Promise<CsvError | undefined>((resolve) => start((error) => resolve((error ?? undefined) as CsvError)))
  const takeParsed = (): Parsed[] => {
    const rows = parsed
    parsed = []
    return rows
  }
  let isFirst = true
  for await (const piece of readBytes(from)) {
    if (isFirst && from === 0 && piece.subarray(0, 3).equals(byteOrderMark)) skipped = byteOrderMark.length
    const fault = await settle((callback) => parser.write(isFirst ? piece.subarray(skipped) : piece, callback))
    isFirst = false
    yield* takeParsed()
    if (fault) {
      yield { fault }
      return
    }
  }
  const fault = await ended(parser)
  yield* takeParsed()
  if (fault) yield { fault }
}

function ended(parser: Parser): Promise<CsvError | undefined> {
  return new Promise((resolve) => {
    parser.once('error', (error) => resolve(error as CsvError)) // it has no others
    parser.once('end', () => resolve(undefined))
    parser.end()
  })
}

/** The end of the line that begins at this position. */
async function nextLine(readBytes: ReadBytes, from: number): Promise<number> {
  let position = from
  let isAfterReturn = false
  for await (const piece of readBytes(from)) {
    for (const byte of piece) {
      if (isAfterReturn) return byte === 0x0a ? position + 1 : position
      position += 1
      if (byte === 0x0a) return position
      isAfterReturn = byte === 0x0d
    }
  }
  return position
}

function explain(fault: CsvError): string {
  switch (fault.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
    case 'CSV_MAX_RECORD_SIZE':
      return 'opens a quote that is never closed, or is longer than a megabyte'
    default:
      return 'has a quote inside a value: put the value in quotes, and double each quote in it'
  }
}
