import { normalizeEmail } from '../../access/people/store.ts'
import { ArchiveError } from '../../platform/foundation/archive/format.ts'
import { openArchive, type ReadEntry, readContent, shown } from '../../platform/foundation/archive/read.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { findJsonExcess, type JsonExcess } from '../../platform/foundation/count-json.ts'
import { isUuid } from '../../platform/foundation/ids.ts'
import { isLanguage } from '../../platform/foundation/languages.ts'
import { isRecord } from '../../platform/foundation/read-json.ts'
import { listColumns, listShopTables, type ShopColumn } from '../../platform/store/shop-tables.ts'
import { slugPattern } from '../../shops/shops/schema.ts'
import {
  type CarriedKey,
  type CarriedRow,
  compareSchemas,
  type Manifest,
  type Summary,
  tablesLeftBehind,
} from './archive-entries.ts'
import { archiveLimits, rowLimits } from './archive-limits.ts'
import { digestColumn, type JsonRow, sealedColumnsOf } from './carried-columns.ts'
import { checkColumns, checkPlain, checkRow, imageMediaTypeOf, isImageKeyOf } from './check-rows.ts'

/** The bytes of an archive, from their beginning at every call. */
export type Archive = () => AsyncIterable<Uint8Array>

/** An entry whose content is one that an export of this shop may have. Texts are lists of rows as JSON. */
export type CheckedEntry =
  | { kind: 'shop'; manifest: Manifest; row: string; name: string; updatedAt: Date }
  | { kind: 'keys'; text: string }
  | { kind: 'people'; text: string; people: CarriedPerson[] }
  | { kind: 'rows'; table: string; columns: ShopColumn[]; count: number; rows: string | CarriedRow[] }
  | { kind: 'signing keys'; keys: CarriedKey[] }
  | { kind: 'page links'; text: string }
  | { kind: 'image'; key: string; mediaType: string; bytes: Buffer }

export interface CarriedPerson {
  id: string
  email: string
}

/** In this order; the others may be there several times, or not at all. */
const order = ['shop', 'keys', 'people', 'rows', 'signing keys', 'page links', 'image', 'end']
const once: readonly string[] = ['shop', 'keys', 'people', 'signing keys', 'end']

/**
 * Reads a whole archive of a shop. Somebody who has the passphrase may have changed it, so each entry is checked
 * before it is passed on: it is about this shop only. What is left at the end of the iteration is complete.
 */
export async function* readShopArchive(
  context: Context,
  archive: Archive,
  passphrase: string,
): AsyncGenerator<CheckedEntry> {
  const { header, entries } = await openArchive(archive(), passphrase)
  if (header.kind !== 'shop') {
    throw new ArchiveError(`The file is an archive of the kind "${shown(header.kind)}", not of a shop.`)
  }
  if (header.encryption === undefined) throw new ArchiveError('The file is not encrypted. An export always is.')
  const checks = new ArchiveChecks(context)
  for await (const entry of entries) {
    const checked = await checks.take(entry)
    if (checked) yield checked
  }
  checks.finish()
}

class ArchiveChecks {
  readonly #context: Context
  readonly #columns = new Map<string, ShopColumn[]>()
  readonly #counts: Summary = { rows: {}, images: 0 }
  readonly #imageKeys = new Set<string>()
  #step = -1
  #tables: string[] = []
  #tableStep = 0
  #shopId = ''
  #keyIds: ReadonlySet<string> = new Set()
  #personIds: ReadonlySet<string> = new Set()

  constructor(context: Context) {
    this.#context = context
  }

  /** Undefined: an entry that only says something about the others. */
  async take(entry: ReadEntry): Promise<CheckedEntry | undefined> {
    this.#checkOrder(entry.name)
    const bytes = await readContent(entry, archiveLimits.entryBytes)
    switch (entry.name) {
      case 'shop':
        return this.#takeShop(entry.fields, bytes)
      case 'keys':
        return this.#takeKeys(bytes)
      case 'people':
        return this.#takePeople(bytes)
      case 'rows':
        return this.#takeRows(entry.fields, bytes)
      case 'signing keys':
        return takeSigningKeys(bytes)
      case 'page links':
        return this.#takePageLinks(bytes)
      case 'image':
        return this.#takeImage(entry.fields, bytes)
      default:
        return this.#compareCounts(entry.fields)
    }
  }

  finish(): void {
    if (order[this.#step] !== 'end') throw new ArchiveError('The file is not a complete archive of a shop.')
  }

  #checkOrder(name: string): void {
    const step = order.indexOf(name)
    if (step < 0) throw new ArchiveError(`The file has an entry "${shown(name)}", which an export does not write.`)
    const next = step === this.#step && !once.includes(name)
    const isSkipped = order.slice(this.#step + 1, step).some((each) => once.includes(each))
    if (!next && (step <= this.#step || isSkipped)) {
      throw new ArchiveError(`The entry "${name}" of the file is not where an export writes it.`)
    }
    this.#step = step
  }

  async #takeShop(fields: JsonRow, bytes: Buffer): Promise<CheckedEntry> {
    const manifest = readManifest(fields)
    const row = parse(bytes)
    checkColumns('shops', await listColumns(this.#context, 'shops'), row)
    const { id, slug, name, language, descriptions, updated_at: updatedAt } = row
    const isDescribed =
      Array.isArray(descriptions) &&
      descriptions.every((each) => isRecord(each) && isLanguage(String(each.language)) && typeof each.text === 'string')
    if (id !== manifest.shopId || slug !== manifest.slug) {
      throw new ArchiveError('The file has another shop than it says.')
    }
    if (typeof name !== 'string' || !isLanguage(String(language)) || !isDescribed || typeof updatedAt !== 'string') {
      throw new ArchiveError('The file has no complete shop.')
    }
    this.#shopId = manifest.shopId
    const tables = await listShopTables(this.#context)
    this.#tables = tables.map(({ name }) => name).filter((name) => !tablesLeftBehind.includes(name))
    this.#tables.reverse()
    return { kind: 'shop', manifest, row: bytes.toString('utf8'), name, updatedAt: new Date(updatedAt) }
  }

  async #takeKeys(bytes: Buffer): Promise<CheckedEntry> {
    const keys = parseList(bytes, 'API keys', archiveLimits.keys)
    const columns = await listColumns(this.#context, 'api_keys')
    for (const key of keys) {
      checkColumns('api_keys', columns, key)
      // A key for all shops belongs to its installation, and so do those that its settings name.
      const isOfShops = (key.everywhere ?? null) === null && /^[A-Za-z0-9]{12}$/.test(String(key.id))
      if (!isOfShops || !/^\\x[0-9a-f]{64}$/.test(String(key.secret_hash)) || typeof key.username !== 'string') {
        throw new ArchiveError('The file has an API key that is not one of certain shops.')
      }
    }
    this.#keyIds = idsOf(keys, 'API keys')
    return { kind: 'keys', text: bytes.toString('utf8') }
  }

  async #takePeople(bytes: Buffer): Promise<CheckedEntry> {
    const people = parseList(bytes, 'people', archiveLimits.people)
    const columns = (await listColumns(this.#context, 'people')).filter(({ name }) => personFields.includes(name))
    for (const person of people) {
      checkColumns('people', columns, person)
      const { id, email } = person
      if (typeof id !== 'string' || typeof email !== 'string' || email !== normalizeEmail(email)) {
        throw new ArchiveError('The file has a person without an id or an address.')
      }
    }
    this.#personIds = idsOf(people, 'people')
    return { kind: 'people', text: bytes.toString('utf8'), people: people as unknown as CarriedPerson[] } // checked above
  }

  async #takeRows(fields: JsonRow, bytes: Buffer): Promise<CheckedEntry> {
    const { table, count } = fields
    const step = this.#tables.indexOf(String(table))
    if (typeof table !== 'string' || step < 0) {
      throw new ArchiveError(`The file has rows of "${shown(String(table))}", which is not a table of a shop.`)
    }
    if (step < this.#tableStep) throw new ArchiveError(`The rows of ${table} are not where an export writes them.`)
    this.#tableStep = step
    const columns = this.#columns.get(table) ?? (await listColumns(this.#context, table))
    this.#columns.set(table, columns)
    const rows = parseList(bytes, `rows of ${table}`, archiveLimits.rows)
    if (rows.length !== count) throw new ArchiveError(`The file has other rows of ${table} than it says.`)
    const known = { shopId: this.#shopId, keyIds: this.#keyIds, personIds: this.#personIds }
    const isCarried = table === digestColumn.table || sealedColumnsOf(table).length > 0
    for (const given of rows) {
      if (isCarried) checkPlain(table, given)
      const row: unknown = isCarried ? (given as unknown as CarriedRow).row : given // checked by `checkPlain`
      checkColumns(table, columns, row)
      checkRow(table, row, known)
    }
    this.#counts.rows[table] = (this.#counts.rows[table] ?? 0) + rows.length
    // As text, rows keep every digit of their numbers.
    const content = isCarried ? (rows as unknown as CarriedRow[]) : bytes.toString('utf8')
    return { kind: 'rows', table, columns, count: rows.length, rows: content }
  }

  async #takePageLinks(bytes: Buffer): Promise<CheckedEntry> {
    const columns = await listColumns(this.#context, 'moved_page_links')
    for (const link of parseList(bytes, 'links to pages', archiveLimits.pageLinks)) {
      checkColumns('moved_page_links', columns, link)
      checkRow('moved_page_links', link, { shopId: this.#shopId, keyIds: new Set(), personIds: new Set() })
    }
    return { kind: 'page links', text: bytes.toString('utf8') }
  }

  #takeImage({ key, mediaType }: JsonRow, bytes: Buffer): CheckedEntry {
    if (typeof key !== 'string' || !isImageKeyOf(this.#shopId, key)) {
      throw new ArchiveError(`The file has an image "${shown(String(key))}", which is not one of the shop.`)
    }
    const usual = imageMediaTypeOf(key)
    if (mediaType !== usual) throw new ArchiveError(`The image ${key} is not what its name says.`)
    if (this.#imageKeys.has(key)) throw new ArchiveError(`The file has the image ${key} twice.`)
    if (this.#imageKeys.size === archiveLimits.images) {
      throw new ArchiveError(`The file has more than ${archiveLimits.images} images.`)
    }
    this.#imageKeys.add(key)
    this.#counts.images += 1
    return { kind: 'image', key, mediaType: usual, bytes }
  }

  /** Compares what was there with what the file says about itself. */
  #compareCounts({ rows, images }: JsonRow): undefined {
    const isComplete =
      isRecord(rows) &&
      images === this.#counts.images &&
      Object.keys(rows).every((table) => this.#tables.includes(table)) &&
      this.#tables.every((table) => (rows[table] ?? 0) === (this.#counts.rows[table] ?? 0))
    if (!isComplete) throw new ArchiveError('The file has other numbers of rows or images than it says.')
  }
}

const personFields: readonly string[] = ['id', 'email', 'name', 'created_at']
const slugs = new RegExp(slugPattern)

function readManifest({ shopId, slug, kind, migrations, exportedAt }: JsonRow): Manifest {
  const isManifest =
    typeof shopId === 'string' &&
    isUuid(shopId) &&
    shopId === shopId.toLowerCase() &&
    typeof slug === 'string' &&
    slugs.test(slug) &&
    (kind === 'move' || kind === 'copy') &&
    Array.isArray(migrations) &&
    migrations.every((name) => typeof name === 'string')
  if (!isManifest) throw new ArchiveError('The file does not say which shop it has.')
  const comparison = compareSchemas(migrations)
  if (comparison === 'newer') {
    throw new ArchiveError('The file was written by a newer version. Upgrade this installation first.')
  }
  if (comparison === 'older') {
    throw new ArchiveError(
      'The file was written by an older version. Upgrade the installation it comes from, and export the shop again.',
    )
  }
  return { shopId, slug, kind, exportedAt: String(exportedAt), migrations }
}

function takeSigningKeys(bytes: Buffer): CheckedEntry {
  const keys = parseList(bytes, 'signing keys', archiveLimits.signingKeys)
  const isKey = ({ id, secret, validUntil }: JsonRow) =>
    typeof id === 'string' &&
    id.length <= 100 &&
    typeof secret === 'string' &&
    (validUntil === null || (typeof validUntil === 'string' && !Number.isNaN(Date.parse(validUntil))))
  if (!keys.every(isKey)) throw new ArchiveError('The file has a signing key that an export does not write.')
  return { kind: 'signing keys', keys: keys as unknown as CarriedKey[] } // checked above
}

function idsOf(rows: readonly JsonRow[], what: string): ReadonlySet<string> {
  const ids = new Set(rows.map(({ id }) => String(id)))
  if (ids.size < rows.length) throw new ArchiveError(`The file has ${what} twice.`)
  return ids
}

function parseList(bytes: Buffer, what: string, most: number): JsonRow[] {
  const list = parse(bytes)
  if (!Array.isArray(list) || !list.every(isRecord)) throw new ArchiveError(`The file has no list of ${what}.`)
  if (list.length > most) throw new ArchiveError(`The file has more than ${most} ${what} in one entry.`)
  return list
}

const excesses: Readonly<Record<JsonExcess, string>> = {
  depth: 'is nested deeper',
  values: 'has more values',
  names: 'has more names of fields',
}

function parse(bytes: Buffer): unknown {
  const excess = findJsonExcess(bytes, rowLimits)
  if (excess !== undefined) throw new ArchiveError(`An entry of the file ${excesses[excess]} than an export writes.`)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new ArchiveError('An entry of the file is not JSON.')
  }
}
