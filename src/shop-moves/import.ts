import { movedKeyPurpose } from '../database/sealed-columns.ts'
import {
  deleteRowsOfShop,
  insertRows,
  listShopTables,
  listStoredColumns,
  type ShopColumn,
} from '../database/shop-tables.ts'
import { ArchiveError } from '../foundation/archive/format.ts'
import { openArchive, type ReadEntry } from '../foundation/archive/read.ts'
import { minuteMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { ApiError, invalid } from '../foundation/errors.ts'
import { inTransaction } from '../foundation/transaction.ts'
import { changesBetween } from '../resources/audit-log/changes.ts'
import { recordChange } from '../resources/audit-log/record.ts'
import { listImageKeys } from '../resources/images/store.ts'
import { deleteKeysOfShopAlone } from '../resources/keys/store.ts'
import { deletePeopleOfShopAlone } from '../resources/people/store.ts'
import { removeShop } from '../resources/shops/store.ts'
import {
  type CarriedKey,
  type CarriedRow,
  compareSchemas,
  type Manifest,
  personColumns,
  type Summary,
} from './archive-entries.ts'
import { digestColumn, digestOf, sealedColumnsOf, sealValue } from './carried-columns.ts'
import {
  dropPending,
  findSameShops,
  insertHiddenShop,
  insertKeys,
  insertMovedKeys,
  insertPageLinks,
  insertPeople,
  showShop,
  touchImport,
} from './store.ts'

/** The bytes of an archive, from their beginning at every call. */
export type Archive = () => AsyncIterable<Uint8Array>

export interface ImportOptions {
  passphrase: string
  /** What is pending in a copy is sent when the shop is started. */
  deliverPending: boolean
  /** The rows of the same shop that was deleted here are removed first. */
  replaceDeleted: boolean
}

/** An import whose node died says nothing for so long. */
const silenceMs = minuteMs
const purgedAtOnce = 500
const keysAtOnce = 1_000

/** Reads the whole archive once: the passphrase fits, nothing is damaged or missing, and its rows fit our schema. */
export async function checkArchive(archive: Archive, passphrase: string): Promise<Manifest> {
  try {
    const { header, entries } = await openArchive(archive(), passphrase)
    if (header.kind !== 'shop')
      throw new ArchiveError(`The file is an archive of the kind "${header.kind}", not of a shop.`)
    let manifest: Manifest | undefined
    for await (const { name, fields } of entries) {
      if (name !== 'shop') continue
      manifest = fields as unknown as Manifest // as written by an export
      checkSchema(manifest)
    }
    if (manifest === undefined) throw new ArchiveError('The file is not an archive of a shop.')
    return manifest
  } catch (error) {
    if (error instanceof ArchiveError) throw invalid(['body', 'file'], error.message)
    throw error
  }
}

function checkSchema({ migrations }: Manifest): void {
  const comparison = compareSchemas(migrations)
  if (comparison === 'same') return
  throw invalid(
    ['body', 'file'],
    comparison === 'newer'
      ? 'The file was written by a newer version. Upgrade this installation first.'
      : 'The file was written by an older version. Upgrade the installation it comes from, and export the shop again.',
  )
}

/** Whether the shop can be imported. What a killed import has left behind is removed. */
export async function removePrevious(context: Context, manifest: Manifest, options: ImportOptions): Promise<void> {
  for (const known of await findSameShops(context, manifest.shopId, manifest.slug)) {
    if (known.deletedAt === null) {
      throw new ApiError('shop_exists', `There is already a shop "${known.slug}". Delete it first.`)
    }
    const isLeftOver = known.pausedFor === 'import'
    if (isLeftOver && context.now.getTime() - known.updatedAt.getTime() < silenceMs) {
      throw new ApiError('shop_exists', 'This shop is being imported, or was a minute ago. Try again in a minute.')
    }
    if (!isLeftOver && !options.replaceDeleted) {
      throw new ApiError(
        'shop_exists',
        `The shop "${known.slug}" was deleted here, and its data can still be restored. Import with replace_deleted to remove them first.`,
      )
    }
    await removeEverything(context, manifest.shopId)
  }
}

/** Removes the rows and images of a shop that is hidden. */
export async function removeEverything(context: Context, shopId: string): Promise<void> {
  while ((await deleteKeysOfShopAlone(context, shopId, keysAtOnce)) === keysAtOnce);
  while ((await deletePeopleOfShopAlone(context, shopId, keysAtOnce)) === keysAtOnce);
  for (let keys = await listImageKeys(context, shopId, '', keysAtOnce); keys.length > 0; ) {
    // The bytes first: without the row they could not be found.
    await Promise.all(keys.map((key) => context.services.imageStore.delete(key)))
    keys = keys.length < keysAtOnce ? [] : await listImageKeys(context, shopId, keys.at(-1) ?? '', keysAtOnce)
  }
  for (let hasFound = true; hasFound; ) {
    hasFound = false
    for (const table of await listShopTables(context)) {
      for (let last: string[] | undefined, more = true; more; more = last !== undefined) {
        const deleted = await deleteRowsOfShop(context, table, shopId, last, purgedAtOnce)
        hasFound ||= deleted.count > 0
        last = deleted.last
      }
    }
  }
  await removeShop(context, shopId, new Date(context.services.clock.now().getTime() + silenceMs))
}

/** Writes the shop hidden, batch by batch, and shows it at the end. Yields the number of rows so far. */
export async function* importEntries(
  context: Context,
  archive: Archive,
  manifest: Manifest,
  options: ImportOptions,
): AsyncGenerator<number> {
  const { entries } = await openArchive(archive(), options.passphrase)
  const importer = new Importer(context, manifest)
  for await (const entry of entries) {
    await importer.take(entry)
    yield importer.rows
  }
  await importer.finish(options)
}

class Importer {
  rows = 0
  readonly #context: Context
  readonly #manifest: Manifest
  readonly #columns = new Map<string, ShopColumn[]>()
  readonly #counts: Summary = { rows: {}, images: 0 }
  #summary: Summary | undefined
  #updatedAt = ''
  #name = ''
  #people: Record<string, string> = {}

  constructor(context: Context, manifest: Manifest) {
    this.#context = context
    this.#manifest = manifest
  }

  async take({ name, fields, content }: ReadEntry): Promise<void> {
    const bytes = await collect(content)
    if (name === 'rows') return this.#addRows(String(fields.table), Number(fields.count), bytes.toString('utf8'))
    if (name === 'image') return this.#addImage(String(fields.key), String(fields.mediaType), bytes)
    const text = bytes.toString('utf8')
    const context = this.#context
    if (name === 'shop') {
      const shop = JSON.parse(text) as { updated_at: string; name: string } // to_jsonb of a shop
      this.#updatedAt = shop.updated_at
      this.#name = shop.name
      await insertHiddenShop(context, text, context.services.clock.now())
    } else if (name === 'keys') {
      const foreign = await insertKeys(context, text)
      if (foreign.length > 0) throw new ArchiveError(`The API keys ${foreign.join(', ')} exist here as other keys.`)
    } else if (name === 'people') this.#people = await insertPeople(context, text)
    else if (name === 'signing keys') await this.#addSigningKeys(JSON.parse(text) as CarriedKey[])
    else if (name === 'page links') await insertPageLinks(context, text)
    else if (name === 'end') this.#summary = fields as unknown as Summary // as written by an export
  }

  async #addRows(table: string, count: number, text: string): Promise<void> {
    const context = this.#context
    const known = this.#columns.get(table) ?? (await listStoredColumns(context, table))
    this.#columns.set(table, known)
    const ids = this.#people
    const columns = Object.keys(ids).length === 0 ? [] : (personColumns[table] ?? [])
    await insertRows(context, table, known, closed(context, this.#manifest.shopId, table, text), { columns, ids })
    await touchImport(context, this.#manifest.shopId, context.services.clock.now())
    this.#counts.rows[table] = (this.#counts.rows[table] ?? 0) + count
    this.rows += count
  }

  async #addSigningKeys(keys: CarriedKey[]): Promise<void> {
    const { services } = this.#context
    const { shopId } = this.#manifest
    // A shop that comes back: what was signed here is accepted anyway, for as long as it is decided here.
    const own = new Set(services.signing.keysToMove(shopId).map(({ id }) => id))
    const rows = keys
      .filter(({ id }) => !own.has(id))
      .map(({ id, secret, validUntil }) => ({
        shop_id: shopId,
        id,
        sealed: services.vault.seal(secret, movedKeyPurpose(shopId, id)),
        valid_until: validUntil === null ? null : new Date(validUntil),
      }))
    await inTransaction(this.#context, async (context) => {
      await insertMovedKeys(context, rows)
      await services.announce(context, { kind: 'signingKeys', id: shopId })
    })
  }

  async #addImage(key: string, mediaType: string, bytes: Buffer): Promise<void> {
    await this.#context.services.imageStore.put(key, bytes, mediaType)
    this.#counts.images += 1
  }

  async finish({ deliverPending }: ImportOptions): Promise<void> {
    const { shopId, slug, kind } = this.#manifest
    const counts = Object.entries(this.#summary?.rows ?? { none: -1 })
    const isComplete =
      counts.every(([table, count]) => count === (this.#counts.rows[table] ?? 0)) &&
      this.#summary?.images === this.#counts.images
    if (!isComplete) throw new ArchiveError('The file has other numbers of rows or images than it says.')
    await inTransaction(this.#context, async (context) => {
      const now = context.services.clock.now()
      if (kind === 'copy' && !deliverPending) await dropPending(context, shopId, now)
      const pause = kind === 'copy' ? { at: now, for: 'copy' } : undefined
      await showShop(context, { id: shopId, updatedAt: new Date(this.#updatedAt), pause })
      const change = { action: 'importShop', area: 'Moving shops', kind: 'shop', id: slug, name: this.#name }
      const changes = changesBetween(undefined, { kind })
      // In the log of the installation, as every new shop is, and in the shop's own: its people see where it is now.
      for (const where of [null, shopId]) await recordChange(context, { ...change, shopId: where, changes })
      await context.services.announce(context, { kind: 'shop', id: shopId, slug })
    })
  }
}

/** Rows with encrypted values are encrypted with our own key. */
function closed(context: Context, shopId: string, table: string, text: string): string {
  const columns = sealedColumnsOf(table)
  if (columns.length === 0 && table !== digestColumn.table) return text
  const rows = (JSON.parse(text) as CarriedRow[]).map(({ row, plain }) => {
    const own = { ...row }
    for (const column of columns) {
      const value = plain[column.column]
      if (value !== undefined) own[column.column] = sealValue(context, column, row, value)
    }
    if (table === digestColumn.table && plain.digest !== undefined) {
      own.digest = digestOf(context, shopId, plain.digest) ?? row.digest
    }
    return own
  })
  return JSON.stringify(rows)
}

async function collect(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}
