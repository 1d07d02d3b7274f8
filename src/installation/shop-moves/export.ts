import { proofHashes } from '../../orders/page-addresses/page-token.ts'
import type { ArchiveEntry } from '../../platform/foundation/archive/format.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { migrationNames } from '../../platform/store/migrations.ts'
import { listShopTables, readRowsOfShop, type ShopTable } from '../../platform/store/shop-tables.ts'
import { type CarriedKey, type CarriedRow, type Manifest, type Summary, tablesLeftBehind } from './archive-entries.ts'
import { digestColumn, digestOf, openValue, sealedColumnsOf, toJsonBytes } from './carried-columns.ts'
import { listDigests, listImages, listPages, readKeys, readPeople, readShop } from './store.ts'

const nothing = '00000000-0000-0000-0000-000000000000'
const pagesPerBatch = 2_000
const imagesPerBatch = 500
const maxRowsPerBatch = 1_000
/** About so much is in memory at once: the next batch has fewer rows if these were large. */
const batchBytes = 1_000_000

/** Everything of a shop, table by table: those that others refer to first. */
export async function* entriesOf(context: ShopContext, kind: Manifest['kind']): AsyncGenerator<ArchiveEntry> {
  const { id: shopId, slug } = context.shop
  const exportedAt = context.now.toISOString()
  const manifest: Manifest = { shopId, slug, kind, exportedAt, migrations: migrationNames() }
  const summary: Summary = { rows: {}, images: 0 }
  yield entry('shop', { ...manifest }, await readShop(context, shopId))
  const keys = await readKeys(context, shopId)
  yield entry('keys', {}, keys)
  yield entry('people', {}, await readPeople(context, shopId))
  const tables = (await listShopTables(context)).filter(({ name }) => !tablesLeftBehind.includes(name))
  for (const table of tables.toReversed()) {
    let count = 0
    for await (const batch of batchesOf(context, table)) {
      for (const rows of partsOf(table.name === rolesOfKeys ? withKey(batch, keys) : batch)) {
        count += rows.length
        yield entry('rows', { table: table.name, count: rows.length }, await toText(context, table.name, rows))
      }
    }
    summary.rows[table.name] = count
  }
  yield entry('signing keys', {}, JSON.stringify(signingKeysOf(context)))
  yield* pageLinksOf(context)
  for await (const image of imagesOf(context)) {
    summary.images += 1
    yield image
  }
  yield entry('end', { ...summary }, '')
}

const rolesOfKeys = 'api_key_shops'

/** The roles of the keys that move. A key for all shops stays at its installation, also if it has a role in this one. */
function withKey(rows: string[], keys: string): string[] {
  const ids = new Set((JSON.parse(keys) as { id: string }[]).map(({ id }) => id)) // to_jsonb of rows of api_keys
  return rows.filter((text) => ids.has((JSON.parse(text) as { key_id: string }).key_id)) // the same
}

function entry(name: string, fields: Record<string, unknown>, text: string): ArchiveEntry {
  return { name, fields, content: [Buffer.from(text)] }
}

async function* batchesOf(context: ShopContext, table: ShopTable): AsyncGenerator<string[]> {
  let last: string[] | undefined
  let limit = 50
  for (;;) {
    const read = await readRowsOfShop(context, table, context.shop.id, { after: last, limit })
    if (read.rows.length > 0) yield read.rows
    if (read.last === undefined) return
    last = read.last
    const bytes = read.rows.reduce((sum, row) => sum + row.length, 0)
    limit = Math.max(1, Math.min(maxRowsPerBatch, Math.floor((batchBytes * read.rows.length) / (bytes + 1))))
  }
}

/** Parts of about `batchBytes`: rows may be larger than those before them, and an import takes entries up to a limit. */
function* partsOf(rows: string[]): Generator<string[]> {
  let part: string[] = []
  let bytes = 0
  for (const row of rows) {
    if (part.length > 0 && bytes + row.length > batchBytes) {
      yield part
      part = []
      bytes = 0
    }
    part.push(row)
    bytes += row.length
  }
  if (part.length > 0) yield part
}

/** A list of rows as they are; of rows with encrypted values, each with its plain values. */
async function toText(context: ShopContext, table: string, rows: string[]): Promise<string> {
  if (table === digestColumn.table) return JSON.stringify(await withAddresses(context, rows))
  const columns = sealedColumnsOf(table)
  if (columns.length === 0) return `[${rows.join()}]`
  const carried = rows.map((text): CarriedRow => {
    const row = JSON.parse(text) as Record<string, unknown> // to_jsonb of a row is an object
    const plain: Record<string, string> = {}
    for (const column of columns) {
      const stored = row[column.column]
      // A request that is still being handled has no response yet.
      if (typeof stored !== 'string' || stored === '') continue
      plain[column.column] = openValue(context, column, row, stored)
    }
    return { row, plain }
  })
  return JSON.stringify(carried)
}

/** The addresses that belong to the digests of these rows, as far as the shop's orders have them. */
async function withAddresses(context: ShopContext, rows: string[]): Promise<CarriedRow[]> {
  const addresses = new Map<string, string>()
  const wanted = new Set(await listDigests(context, context.shop.id))
  for await (const pages of pagesOf(context)) {
    for (const { email } of pages) {
      const digest = email === null ? undefined : digestOf(context, context.shop.id, email)
      if (email !== null && digest !== undefined && wanted.has(digest)) addresses.set(digest, email)
    }
  }
  return rows.map((text): CarriedRow => {
    const row = JSON.parse(text) as Record<string, unknown> // to_jsonb of a row is an object
    const address = addresses.get(String(row.digest))
    return { row, plain: address === undefined ? {} : { digest: address } }
  })
}

/** Those of this shop only: with them, nothing of another shop can be signed or opened. */
function signingKeysOf({ services, shop }: ShopContext): CarriedKey[] {
  return services.signing
    .keysToMove(shop.id)
    .map(({ id, secret, validUntil }) => ({ id, secret, validUntil: validUntil?.toISOString() ?? null }))
}

async function* pageLinksOf(context: ShopContext): AsyncGenerator<ArchiveEntry> {
  const shopId = context.shop.id
  for await (const pages of pagesOf(context)) {
    const links = pages.flatMap(({ orderId, nonce }) =>
      proofHashes(context, { shopId, orderId, nonce }).map((hash) => ({
        shop_id: shopId,
        order_id: orderId,
        proof_hash: toJsonBytes(hash),
        nonce,
      })),
    )
    yield entry('page links', {}, JSON.stringify(links))
  }
}

async function* pagesOf(context: ShopContext) {
  let last = nothing
  for (;;) {
    const pages = await listPages(context, context.shop.id, last, pagesPerBatch)
    if (pages.length > 0) yield pages
    last = pages.at(-1)?.orderId ?? last
    if (pages.length < pagesPerBatch) return
  }
}

async function* imagesOf(context: ShopContext): AsyncGenerator<ArchiveEntry> {
  let last = ''
  for (;;) {
    const images = await listImages(context, context.shop.id, last, imagesPerBatch)
    for (const { key, mediaType } of images) {
      const bytes = await context.services.imageStore.get(key)
      if (bytes) yield { name: 'image', fields: { key, mediaType }, content: [bytes] }
    }
    last = images.at(-1)?.key ?? last
    if (images.length < imagesPerBatch) return
  }
}
