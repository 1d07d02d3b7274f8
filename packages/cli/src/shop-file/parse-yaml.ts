import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { Entry, Located, Place, Scalar } from './located.ts'
import { type Problem, ShopFileError } from './problems.ts'

/** Aliases can make a small file as large as they like. */
const maxValues = 200_000

/** Reads YAML, and JSON, which is a part of it. */
export function parseYaml(file: string, text: string): Located {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false, stringKeys: true })
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(1, line), column: Math.max(1, col) }
  }
  const problems: Problem[] = document.errors.map(({ message, pos }) => ({ place: placeOf(pos[0]), message }))
  if (problems.length > 0) throw new ShopFileError(problems)
  return new Reader(document, placeOf).read(document.contents)
}

class Reader {
  readonly #document: Document.Parsed
  readonly #placeOf: (offset: number) => Place
  #count = 0

  constructor(document: Document.Parsed, placeOf: (offset: number) => Place) {
    this.#document = document
    this.#placeOf = placeOf
  }

  read(node: Node | null | undefined, at: Place = this.#placeOf(0)): Located {
    const place = node?.range ? this.#placeOf(node.range[0]) : at
    this.#count += 1
    if (this.#count > maxValues) {
      throw new ShopFileError([{ place, message: `the file has more than ${maxValues} values, with its aliases` }])
    }
    if (isAlias(node)) return this.read(node.resolve(this.#document), place)
    if (isSeq(node)) return { kind: 'list', place, items: node.items.map((item) => this.read(item as Node, place)) }
    if (isMap(node)) return { kind: 'map', place, entries: this.#entriesOf(node.items, place) }
    return { kind: 'scalar', place, value: scalarOf(node) }
  }

  #entriesOf(pairs: readonly { key: unknown; value: unknown }[], at: Place): Map<string, Entry> {
    const own = new Map<string, Entry>()
    const merged = new Map<string, Entry>()
    for (const { key, value } of pairs) {
      const node = key as Node // the parser makes nodes only
      const place = node?.range ? this.#placeOf(node.range[0]) : at
      const name = String(scalarOf(node))
      const entry = { place, value: this.read(value as Node | null, place) }
      if (name !== '<<') own.set(name, entry)
      else for (const [each, given] of sourcesOf(entry.value)) if (!merged.has(each)) merged.set(each, given)
    }
    for (const [name, entry] of merged) if (!own.has(name)) own.set(name, entry)
    return own
  }
}

/** The entries of a merge key: of one map, or of several, of which the first wins. */
function sourcesOf(value: Located): Iterable<[string, Entry]> {
  if (value.kind === 'map') return value.entries
  if (value.kind === 'list') return value.items.flatMap((item) => [...sourcesOf(item)])
  throw new ShopFileError([{ place: value.place, message: 'must be a map, or a list of maps, to be merged with <<' }])
}

function scalarOf(node: unknown): Scalar {
  const value = isScalar(node) ? node.value : null
  return typeof value === 'bigint' ? Number(value) : ((value ?? null) as Scalar) // the core schema has no others
}
