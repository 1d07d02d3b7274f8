import { readFileSync } from 'node:fs'

/**
 * The lines of a file of codes, without its heading: columns by commas, of which the last may hold further ones. The
 * files are kept beside the adapters, so that a mapping can be read, and put right, without reading code.
 */
export function readTable(file: URL, columns: number): string[][] {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const cells = line.trim().split(',')
    return [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(',')]
  })
}

/** Which event each code of a provider is: from a file with the columns code, event_name and meaning. */
export function readCodeMap(file: URL): ReadonlyMap<string, string> {
  return new Map(readTable(file, 3).map(([code = '', eventName = '']) => [code, eventName]))
}

/** Our carriers and their names at a provider, of which the first is the one to ask with. */
export interface CarrierNames {
  references: readonly string[]
  /** What the provider calls our carrier. */
  nameOf(reference: string): string | undefined
  /** Which of our carriers the provider means; case makes no difference. */
  referenceOf(name: string | undefined): string | undefined
}

/** From a file with the columns carrier_reference and names, the latter with blanks between them. */
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
