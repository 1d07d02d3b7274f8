import { readFileSync } from 'node:fs'

/**
 * The rows of a code file without its header. Columns are separated by commas; the last may contain commas. The files
 * are next to the adapters, so that a mapping can be read and corrected without reading code.
 */
export function readTable(file: URL, columns: number): string[][] {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const cells = line.trim().split(',')
    return [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(',')]
  })
}

/** A code file, and which of its columns has the name of our event. The last has the meaning as text. */
export interface CodeTable {
  file: URL
  columns: number
  eventColumn: number
}

/** Our event for each code of a provider, from a file with the columns code, event_name and meaning. */
export function readCodeMap(file: URL): ReadonlyMap<string, string> {
  return new Map(readTable(file, 3).map(([code = '', eventName = '']) => [code, eventName]))
}

/** A code file with these columns. */
export function codesIn(file: URL): CodeTable {
  return { file, columns: 3, eventColumn: 1 }
}

/** Our carriers and their names at a provider; requests use the first name. */
export interface CarrierNames {
  references: readonly string[]
  /** The provider's name for our carrier. */
  nameOf(reference: string): string | undefined
  /** Our carrier for the provider's name, ignoring case. */
  referenceOf(name: string | undefined): string | undefined
}

/** From a file with the columns carrier_reference and names; the names are separated by spaces. */
export function readCarrierNames(file: URL): CarrierNames {
  const rows = readTable(file, 2).map(([reference = '', names = '']) => ({ reference, names: names.split(' ') }))
  const names = new Map(rows.map((row) => [row.reference, row.names[0]]))
  const references = new Map(rows.flatMap((row) => row.names.map((name) => [name.toLowerCase(), row.reference])))
  return {
    references: rows.map(({ reference }) => reference),
    nameOf: (reference) => names.get(reference),
    referenceOf: (name) => (name === undefined ? undefined : references.get(name.toLowerCase())),
  }
}
