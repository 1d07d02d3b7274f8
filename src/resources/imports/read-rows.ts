import { type CsvError, Parser } from 'csv-parse'

/** A row of a file. Numbers are those of a spreadsheet: the header is row 1. */
export interface Row {
  number: number
  cells: string[]
  /** Where the next row begins. */
  endsAt: number
  /** Why its cells could not be told apart; it has none then. */
  fault: string | undefined
}

export interface Place {
  bytes: number
  row: number
}

/** Answers a file's bytes from a place on, piece by piece. */
export type ReadBytes = (from: number) => AsyncIterable<Buffer>

/** Longer than any row that is meant as one: a quote that is never closed would make one row of the rest of the file. */
const longestRowBytes = 1_000_000

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The rows of a file from a place on. Where one cannot be read, it is answered with its fault and the next line is taken
 * for the beginning of a row again.
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

/** What came before a fault is answered before it: the parser itself would forget what nobody has taken yet. */
async function* parseFrom(readBytes: ReadBytes, from: number, delimiter: string): AsyncGenerator<Parsed> {
  let parsed: Parsed[] = []
  let skipped = 0
  const parser = new Parser({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRowBytes,
    on_record: (cells: string[], { bytes }) => {
      parsed.push({ cells, endsAt: from + skipped + bytes })
      return null
    },
  })
  // The callbacks below tell of errors; without a listener they would end the process as well.
  parser.on('error', () => {})
  parser.resume()
  const settle = (start: (callback: (error?: Error | null) => void) => void) =>
    new Promise<CsvError | undefined>((resolve) => start((error) => resolve((error ?? undefined) as CsvError)))
  const taken = (): Parsed[] => {
    const rows = parsed
    parsed = []
    return rows
  }
  let isFirst = true
  for await (const piece of readBytes(from)) {
    if (isFirst && from === 0 && piece.subarray(0, 3).equals(byteOrderMark)) skipped = byteOrderMark.length
    const fault = await settle((callback) => parser.write(isFirst ? piece.subarray(skipped) : piece, callback))
    isFirst = false
    yield* taken()
    if (fault) {
      yield { fault }
      return
    }
  }
  const fault = await ended(parser)
  yield* taken()
  if (fault) yield { fault }
}

function ended(parser: Parser): Promise<CsvError | undefined> {
  return new Promise((resolve) => {
    parser.once('error', (error) => resolve(error as CsvError)) // it has no others
    parser.once('end', () => resolve(undefined))
    parser.end()
  })
}

/** Where the line that a row begins with ends. */
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
