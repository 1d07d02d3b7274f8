/** A position in a file, counted from 1. */
export interface Place {
  file: string
  line: number
  column: number
}

export type Scalar = string | number | boolean | null

/** A value of a file that knows where it stands. */
export type Located =
  | { kind: 'scalar'; place: Place; value: Scalar /** Filled in from the environment. */; isReference?: true }
  | { kind: 'list'; place: Place; items: readonly Located[] }
  | { kind: 'map'; place: Place; entries: ReadonlyMap<string, Entry> }

export type LocatedMap = Extract<Located, { kind: 'map' }>

export interface Entry {
  /** Of its name. */
  place: Place
  value: Located
}

/** The plain value. */
export function plainOf(located: Located): unknown {
  if (located.kind === 'scalar') return located.value
  if (located.kind === 'list') return located.items.map(plainOf)
  return Object.fromEntries([...located.entries].map(([name, { value }]) => [name, plainOf(value)]))
}

export function entryOf(located: Located | undefined, name: string): Located | undefined {
  return located?.kind === 'map' ? located.entries.get(name)?.value : undefined
}

export function itemsOf(located: Located | undefined): readonly Located[] {
  return located?.kind === 'list' ? located.items : []
}

/** The place of what a path leads to, or of the last part of it that exists. */
export function placeAt(located: Located, path: readonly (string | number)[]): Place {
  let found: Located = located
  for (const part of path) {
    const next: Located | undefined = typeof part === 'number' ? itemsOf(found)[part] : entryOf(found, part)
    if (next === undefined) break
    found = next
  }
  return found.place
}
