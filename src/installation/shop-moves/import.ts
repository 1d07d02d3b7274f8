import type pg from 'pg'
import { ArchiveError } from '../../platform/foundation/archive/format.ts'
import { secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { movedKeyPurpose } from '../../platform/store/sealed-columns.ts'
import { insertRows } from '../../platform/store/shop-tables.ts'
import { changesBetween } from '../../shops/audit-log/changes.ts'
import { recordChange } from '../../shops/audit-log/record.ts'
import { hasImage } from '../../shops/images/store.ts'
import { addressesHere } from '../../webhooks/endpoints/address.ts'
import { type CarriedKey, type CarriedRow, type Manifest, personColumns } from './archive-entries.ts'
import { archiveLimits } from './archive-limits.ts'
import { digestColumn, digestOf, sealedColumnsOf, sealValue } from './carried-columns.ts'
import { checkKeys, matchPeople } from './check-archive.ts'
import { tablesWithReferences } from './check-rows.ts'
import { type Archive, type CarriedPerson, type CheckedEntry, readShopArchive } from './read-archive.ts'
import { removeEverything } from './remove-shop.ts'
import {
  dropPending,
  insertHiddenShop,
  insertKeys,
  insertMovedKeys,
  insertPageLinks,
  insertPeople,
  showShop,
  touchImport,
} from './store.ts'

export interface ImportOptions {
  passphrase: string
  /** The pending work of a copy is done once the shop is started. */
  deliverPending: boolean
  /** The rows of the same shop that was deleted here are removed first. */
  replaceDeleted: boolean
}

/**
 * Writes the shop hidden, batch by batch, and shows it at the end, together with its keys and people. Yields the number of
 * rows so far. What fails is removed again; what a killed process has left is removed by the next import or by the purge.
 */
export async function* importEntries(
  context: Context,
  archive: Archive,
  manifest: Manifest,
  options: ImportOptions,
): AsyncGenerator<number> {
  const importer = new Importer(context, manifest)
  let isDone = false
  try {
    for await (const entry of readShopArchive(context, archive, options.passphrase)) {
      await importer.add(entry)
      yield importer.rows
    }
    await importer.finish(options)
    isDone = true
  } finally {
    if (!isDone) await importer.removeWritten()
  }
}

type RowsEntry = Extract<CheckedEntry, { kind: 'rows' }>

/** How often an import records that it is in progress: well within the time after which it is given up. */
const touchEveryMs = 10 * secondMs

class Importer {
  rows = 0
  readonly #context: Context
  readonly #manifest: Manifest
  /** Since when the hidden shop is there, or when the import last recorded that it is in progress. */
  #touchedAt: Date | undefined
  #updatedAt = new Date(0)
  #name = ''
  #keys = '[]'
  #people = '[]'
  #givenPeople: CarriedPerson[] = []
  /** Ids here of people whose id in the file is another one. */
  #peopleIds: Record<string, string> = {}
  /** Rows that name keys and people: they are written after these, at the end. */
  readonly #deferred: RowsEntry[] = []
  #deferredBytes = 0
  #signingKeys: CarriedKey[] = []

  constructor(context: Context, manifest: Manifest) {
    this.#context = context
    this.#manifest = manifest
  }

  async add(entry: CheckedEntry): Promise<void> {
    const context = this.#context
    const { shopId } = this.#manifest
    if (entry.kind === 'shop') return this.#begin(entry)
    await this.#touch()
    if (entry.kind === 'keys') this.#keys = entry.text
    else if (entry.kind === 'people') {
      this.#people = entry.text
      this.#givenPeople = entry.people
      this.#peopleIds = await matchPeople(context, entry.text, entry.people)
    } else if (entry.kind === 'rows') {
      this.rows += entry.count
      if (tablesWithReferences.includes(entry.table)) this.#defer(entry)
      else await this.#addRows(context, entry)
    } else if (entry.kind === 'signing keys') this.#signingKeys = entry.keys
    else if (entry.kind === 'page links') {
      await storing('links to pages', () => insertPageLinks(context, shopId, entry.text))
    } else await this.#addImage(entry)
  }

  async #begin({ row, name, updatedAt }: Extract<CheckedEntry, { kind: 'shop' }>): Promise<void> {
    const { shopId, slug } = this.#manifest
    const now = this.#context.services.clock.now()
    this.#updatedAt = updatedAt
    this.#name = name
    await storing('shops', () => insertHiddenShop(this.#context, { id: shopId, slug, row }, now))
    this.#touchedAt = now
  }

  async #touch(): Promise<void> {
    const now = this.#context.services.clock.now()
    const before = this.#touchedAt
    if (before !== undefined && now.getTime() - before.getTime() < touchEveryMs) return
    if (before === undefined || !(await touchImport(this.#context, this.#manifest.shopId, before, now))) {
      throw this.#givenUp()
    }
    this.#touchedAt = now
  }

  #givenUp(): ApiError {
    // Its rows are somebody else's now.
    this.#touchedAt = undefined
    return new ApiError('store_unavailable', 'The import took a break of minutes, and was given up. Start it again.')
  }

  #defer(entry: RowsEntry): void {
    this.#deferred.push(entry)
    this.#deferredBytes += Buffer.byteLength(typeof entry.rows === 'string' ? entry.rows : JSON.stringify(entry.rows))
    if (this.#deferredBytes > archiveLimits.deferredBytes) {
      throw new ArchiveError(
        `The file has more than ${archiveLimits.deferredBytes} bytes of rows about keys and people.`,
      )
    }
  }

  async #addRows(context: Context, { table, columns, rows }: RowsEntry): Promise<void> {
    const { shopId } = this.#manifest
    const ids = this.#peopleIds
    const text = typeof rows === 'string' ? rows : sealRows(context, await this.#sealingShop(context), table, rows)
    const replaced = { columns: Object.keys(ids).length === 0 ? [] : (personColumns[table] ?? []), ids }
    await storing(table, () => insertRows(context, { table, columns, shopId }, text, replaced))
  }

  async #sealingShop(context: Context): Promise<SealingShop> {
    const { shopId } = this.#manifest
    return { shopId, storeAddress: await addressesHere(context, shopId) }
  }

  /** Its row is there already: so it is found and removed if the import fails, whenever that is. */
  async #addImage({ key, mediaType, bytes }: Extract<CheckedEntry, { kind: 'image' }>): Promise<void> {
    if (!(await hasImage(this.#context, this.#manifest.shopId, key))) {
      throw new ArchiveError(`The file has no row of the image ${key}.`)
    }
    await this.#context.services.imageStore.put(key, bytes, mediaType)
  }

  async finish({ deliverPending }: ImportOptions): Promise<void> {
    const { shopId, slug, kind } = this.#manifest
    await inTransaction(this.#context, async (context) => {
      const now = context.services.clock.now()
      const { signing } = context.services
      const pause = kind === 'copy' ? { at: now, for: 'copy' } : undefined
      const shown = { id: shopId, touchedAt: this.#touchedAt ?? now, updatedAt: this.#updatedAt, pause }
      // First: from here on, nobody else takes it for one that was given up.
      if (!(await showShop(context, shown))) throw this.#givenUp()
      await this.#addKeysAndPeople(context)
      await insertMovedKeys(context, this.#movedKeys(new Set(signing.keysToMove(shopId).map(({ id }) => id))))
      await context.services.announce(context, { kind: 'signingKeys', id: shopId })
      if (kind === 'copy' && !deliverPending) await dropPending(context, shopId, now)
      const change = { action: 'importShop', area: 'Moving shops', kind: 'shop', id: slug, name: this.#name }
      const changes = changesBetween(undefined, { kind })
      // In the log of the installation, as every new shop is, and in the shop's own: its people see where it is now.
      for (const where of [null, shopId]) await recordChange(context, { ...change, shopId: where, changes })
      await context.services.announce(context, { kind: 'shop', id: shopId, slug })
    })
  }

  async #addKeysAndPeople(context: Context): Promise<void> {
    await checkKeys(context, this.#keys)
    const people = await matchPeople(context, this.#people, this.#givenPeople)
    if (JSON.stringify(people) !== JSON.stringify(this.#peopleIds)) {
      throw new ArchiveError('Somebody whom the file names got an account meanwhile. Start the import again.')
    }
    await storing('api_keys', () => insertKeys(context, this.#keys))
    await storing('people', () => insertPeople(context, this.#people))
    for (const entry of this.#deferred) await this.#addRows(context, entry)
  }

  /** @param own A shop that comes back: what was signed here is accepted anyway, for as long as it is decided here. */
  #movedKeys(own: ReadonlySet<string>) {
    const { services } = this.#context
    const { shopId } = this.#manifest
    return this.#signingKeys
      .filter(({ id }) => !own.has(id))
      .map(({ id, secret, validUntil }) => ({
        shop_id: shopId,
        id,
        sealed: services.vault.seal(secret, movedKeyPurpose(shopId, id)),
        valid_until: validUntil === null ? null : new Date(validUntil),
      }))
  }

  /** Nothing, if the hidden shop is not that of this import. */
  async removeWritten(): Promise<void> {
    const before = this.#touchedAt
    if (before === undefined) return
    const { shopId } = this.#manifest
    const now = this.#context.services.clock.now()
    if (await touchImport(this.#context, shopId, before, now)) await removeEverything(this.#context, shopId)
  }
}

/** Rows that the store rejects are an error of the file: two with one key, one without the row that it belongs to. */
async function storing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code, message } = error as Partial<pg.DatabaseError>
    // Classes 22 and 23: data exceptions, and violations of constraints. 54: more nested than the store can read.
    if (code === undefined || !/^(?:22|23|54)/.test(code)) throw error
    throw new ArchiveError(`The file has something in ${what} that cannot be stored: ${message}`)
  }
}

/** The shop whose rows they become. */
interface SealingShop {
  shopId: string
  storeAddress: Awaited<ReturnType<typeof addressesHere>>
}

/** The rows of a table with encrypted values, encrypted with the key of this installation, as JSON. */
function sealRows(
  context: Context,
  { shopId, storeAddress }: SealingShop,
  table: string,
  carried: readonly CarriedRow[],
): string {
  const columns = sealedColumnsOf(table)
  const rows = carried.map(({ row, plain }) => {
    const own = { ...row }
    for (const column of columns) {
      const value = plain[column.column]
      if (value !== undefined) own[column.column] = sealValue(context, column, row, value)
    }
    if (table === digestColumn.table && plain.digest !== undefined) {
      own.digest = digestOf(context, shopId, plain.digest) ?? row.digest
    }
    if (table === 'webhook_endpoints' && plain.sealed_url !== undefined) {
      Object.assign(own, storeAddress(plain.sealed_url))
    }
    return own
  })
  return JSON.stringify(rows)
}
