import { entryOf, type Located, type LocatedMap } from './located.ts'
import { keyOf } from './sections.ts'

/**
 * Parts of several files as one. Maps are merged field by field and lists of a shop's things item by item; of anything else
 * the later one counts.
 */
export function merge(earlier: Located, later: Located, path: readonly string[] = []): Located {
  if (earlier.kind === 'map' && later.kind === 'map') return mergeMaps(earlier, later, path)
  const key = keyOf(path)
  if (!key || earlier.kind !== 'list' || later.kind !== 'list') return later
  const items = new Map(earlier.items.map((item) => [identify(item, key), item]))
  for (const item of later.items) {
    const identity = identify(item, key)
    const known = items.get(identity)
    items.set(identity, known ? merge(known, item, [...path, 'item']) : item)
  }
  return { ...later, items: [...items.values()] }
}

function mergeMaps(earlier: LocatedMap, later: LocatedMap, path: readonly string[]): LocatedMap {
  const entries = new Map(earlier.entries)
  for (const [name, entry] of later.entries) {
    const known = entries.get(name)
    entries.set(name, known ? { ...entry, value: merge(known.value, entry.value, [...path, name]) } : entry)
  }
  return { ...later, entries }
}

function identify(item: Located, key: readonly string[]): string {
  const parts = key.map((name) => {
    const value = entryOf(item, name)
    return value?.kind === 'scalar' ? String(value.value ?? '') : ''
  })
  return JSON.stringify(parts)
}
