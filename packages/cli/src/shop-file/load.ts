import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { entryOf, itemsOf, type Located, type LocatedMap, type Place, plainOf } from './located.ts'
import { parseYaml } from './parse-yaml.ts'
import { type Problem, ShopFileError, shown } from './problems.ts'
import type { ShopFileSchema } from './schema.ts'
import type { Secrets } from './secrets.ts'
import { keyOf } from './sections.ts'
import { validate } from './validate.ts'

/** A shop as the files describe it. */
export interface DesiredShop {
  slug: string
  /** The place that names it. */
  place: Place
  /** Its sections: settings, campaigns and so on. */
  parts: LocatedMap
}

const maxFileBytes = 10_000_000
const maxDepth = 10

/** The entries of a file that are not about a shop's things. */
const frame = new Set(['shop', 'shops', 'extends'])

/** The shops of files and folders, with everything validated. Throws a ShopFileError with all problems. */
export function loadShops(paths: readonly string[], schema: ShopFileSchema, secrets: Secrets): DesiredShop[] {
  const loader = new Loader(schema, secrets)
  const shops = paths.flatMap((path) => loader.shopsOf(path))
  const seen = new Map<string, Place>()
  for (const { slug, place } of shops) {
    const first = seen.get(slug)
    if (first) loader.problems.push({ place, message: `the shop ${slug} is already in ${shown(first)}` })
    else seen.set(slug, place)
  }
  if (loader.problems.length > 0) throw new ShopFileError(distinct(loader.problems))
  return shops
}

class Loader {
  readonly problems: Problem[] = []
  readonly #schema: ShopFileSchema
  readonly #secrets: Secrets
  /** A file that many others extend is read once. */
  readonly #files = new Map<string, LocatedMap | undefined>()

  constructor(schema: ShopFileSchema, secrets: Secrets) {
    this.#schema = schema
    this.#secrets = secrets
  }

  shopsOf(path: string): DesiredShop[] {
    if (!statSync(path).isDirectory()) return this.#shopsOfFile(path, false)
    const names = readdirSync(path).filter((name) => /\.ya?ml$/.test(name))
    if (names.length === 0) this.#report({ file: path, line: 1, column: 1 }, 'the folder has no .yaml files')
    return names.sort().flatMap((name) => this.#shopsOfFile(join(path, name), true))
  }

  #shopsOfFile(file: string, isInFolder: boolean): DesiredShop[] {
    const content = this.#read(file)
    if (!content) return []
    const [shop, shops] = [entryOf(content, 'shop'), entryOf(content, 'shops')]
    if (shop && shops) this.#report(shops.place, 'a file has either shop or shops')
    if (!shop && !shops) {
      // In a folder, such a file is what the others extend.
      if (!isInFolder) this.#report(content.place, 'names no shop: add "shop: its-slug" or a list "shops:"')
      return []
    }
    const parts = this.#partsOf(content, file, [])
    return [shop, ...itemsOf(shops)]
      .flatMap((each) => (each?.kind === 'scalar' ? [{ slug: String(each.value), place: each.place, parts }] : []))
      .concat(shops?.kind === 'map' ? this.#shopsOfMap(shops, parts) : [])
  }

  #shopsOfMap({ entries }: LocatedMap, parts: LocatedMap): DesiredShop[] {
    return [...entries].map(([slug, { place, value }]) => {
      const own = value.kind === 'map' ? merge(parts, value) : parts
      return { slug, place, parts: own as LocatedMap } // two maps are merged to a map
    })
  }

  /** The sections of a file on top of those that it extends. */
  #partsOf(content: LocatedMap, file: string, chain: readonly string[]): LocatedMap {
    const own: LocatedMap = {
      ...content,
      entries: new Map([...content.entries].filter(([name]) => !frame.has(name))),
    }
    const given = entryOf(content, 'extends')
    const bases = given?.kind === 'scalar' ? [given] : itemsOf(given)
    return [...bases.flatMap((base) => this.#baseOf(base, file, [...chain, file])), own].reduce(
      (earlier, later) => merge(earlier, later) as LocatedMap, // two maps are merged to a map
    )
  }

  #baseOf(base: Located, file: string, chain: readonly string[]): LocatedMap[] {
    const path = join(dirname(file), String(base.kind === 'scalar' ? base.value : ''))
    if (chain.includes(path) || chain.length > maxDepth) {
      this.#report(base.place, `extends itself: ${[...chain, path].join(' → ')}`)
      return []
    }
    const content = this.#read(path, base.place)
    if (!content) return []
    const named = entryOf(content, 'shop') ?? entryOf(content, 'shops')
    if (named) this.#report(base.place, `${path} cannot be extended, because it names a shop`)
    return [this.#partsOf(content, path, chain)]
  }

  /** A valid file; undefined if it is not, which is reported. */
  #read(file: string, from?: Place): LocatedMap | undefined {
    if (!this.#files.has(file)) this.#files.set(file, this.#load(file, from))
    return this.#files.get(file)
  }

  #load(file: string, from: Place | undefined): LocatedMap | undefined {
    try {
      const content = this.#secrets.fill(parseYaml(file, textOf(file)))
      if (content.kind !== 'map') {
        this.#report(content.place, 'must be a map with "shop:" and what the shop has')
        return undefined
      }
      this.problems.push(...validate(this.#schema, content), ...repeatedItems(content))
      return content
    } catch (error) {
      if (error instanceof ShopFileError) this.problems.push(...error.problems)
      else if (from) this.#report(from, `cannot be read: ${(error as Error).message}`)
      else throw error
      return undefined
    }
  }

  #report(place: Place, message: string): void {
    this.problems.push({ place, message })
  }
}

function textOf(file: string): string {
  const { size } = statSync(file)
  if (size <= maxFileBytes) return readFileSync(file, 'utf8')
  throw new ShopFileError([
    { place: { file, line: 1, column: 1 }, message: `the file is larger than ${maxFileBytes / 1_000_000} MB` },
  ])
}

/** Two items with one key would overwrite each other at every apply. */
function repeatedItems(located: Located, path: readonly string[] = []): Problem[] {
  if (located.kind === 'map') {
    // The own part of a shop in a list has the same sections.
    const isShops = path.length === 1 && path[0] === 'shops'
    return [...located.entries].flatMap(([name, { value }]) => repeatedItems(value, isShops ? [] : [...path, name]))
  }
  const key = located.kind === 'list' ? keyOf(path) : undefined
  if (!key) return []
  const seen = new Map<string, Place>()
  return itemsOf(located).flatMap((item) => {
    const identity = JSON.stringify(key.map((name) => plainOf(entryOf(item, name) ?? nothing(item.place))))
    const first = seen.get(identity)
    seen.set(identity, first ?? item.place)
    return first ? [{ place: item.place, message: `has the same ${key.join(' and ')} as ${shown(first)}` }] : []
  })
}

function nothing(place: Place): Located {
  return { kind: 'scalar', place, value: null }
}

function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
}

/**
 * Parts of several files as one. Maps are merged field by field and lists of a shop's things item by item; of anything else
 * the later one counts.
 */
function merge(earlier: Located, later: Located, path: readonly string[] = []): Located {
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
