import { createHash } from 'node:crypto'
import { after, minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { created, operation, PagedQuery } from '../../platform/foundation/operation.ts'
import { PageOf, pageRequest } from '../../platform/foundation/page.ts'
import { Type } from '../../platform/foundation/schema.ts'
import { toStorableText } from '../../platform/foundation/storable-text.ts'
import type { StoredUpload, UploadSink } from '../../platform/foundation/upload-sink.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { aliases, type Column, type ColumnName, columns } from './columns.ts'
import { appendChunk, beginFile, chunkBytes, deleteFile } from './file-store.ts'
import {
  Import,
  ImportColumn,
  ImportForm,
  type ImportProblem,
  ImportQuery,
  ImportSummary,
  maxProblems,
} from './schema.ts'
import { cancelImport, getImportRow, type ImportRow, listImportRows, listProblems, queueImport } from './store.ts'

/** A file without new data for this long was cut off, with the process that received it. */
const patienceMs = 10 * minuteMs

/**
 * Stores the file of an import as it arrives. Each chunk is a write of its own: one transaction for all of
 * them would occupy a connection, or the whole embedded store, for as long as a slow upload takes.
 */
const importFiles: UploadSink = {
  async store(context, filename, bytes) {
    const id = newId(context.now)
    const until = () => after(context.services.clock.now(), patienceMs)
    await beginFile(context, id, cleanName(filename), until())
    try {
      const hash = createHash('sha256')
      let sizeBytes = 0
      let number = 0
      for await (const chunk of inChunks(bytes)) {
        hash.update(chunk)
        sizeBytes += chunk.length
        if (!(await appendChunk(context, id, { number, bytes: chunk }, until()))) {
          throw new Error('the upload was abandoned')
        }
        number += 1
      }
      return { id, sizeBytes, sha256: hash.digest('hex') }
    } catch (error) {
      await discard(context, id)
      throw error
    }
  },
  discard: (context, { id }) => discard(context, id),
}

function discard(context: ShopContext, id: string): Promise<void> {
  return deleteFile(context, { shop_id: context.shop.id, id })
}

/** The same bytes in chunks that are all of one size but the last. */
async function* inChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes) {
    waiting.push(piece)
    size += piece.length
    if (size < chunkBytes) continue
    const all = Buffer.concat(waiting)
    let from = 0
    for (; from + chunkBytes <= all.length; from += chunkBytes) yield all.subarray(from, from + chunkBytes)
    waiting = [all.subarray(from)]
    size = all.length - from
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** The name that the browser sent, without folders, as it can be stored. */
function cleanName(filename: string | undefined): string {
  const name = (filename ?? '').split(/[\\/]/).at(-1) ?? ''
  return toStorableText(name, 255)
}

const columnNames = (Object.keys(columns) as ColumnName[]).map((name) => `\`${name}\``).join(', ')

export const importOrders = operation({
  name: 'importOrders',
  summary: 'Import orders from a CSV file',
  description: [
    'Takes a form with the part `file` and the field `dry_run`, responds at once, and imports in the background: get the import to see its progress. Each order is created, updated or fulfilled as by `PUT /orders`, with the same notifications. Sending the same file again changes nothing.',
    `CSV as in RFC 4180, in UTF-8, with \`,\`, \`;\` or a tab between the values; the first row names the columns: ${columnNames}. Only \`order_number\` is required. Other columns are ignored and listed in the import. Shopify's own order export is accepted unchanged. An empty cell changes nothing.`,
    `Consecutive rows with the same \`order_number\` are one order with several products and parcels. An order with a problem is skipped as a whole; the others are imported. The first ${maxProblems.toLocaleString('en')} problems are stored.`,
    'A dry run checks the whole file against the data of the shop, and writes nothing.',
  ].join('\n\n'),
  area: 'Imports and exports',
  route: 'POST /v1/shops/{slug}/imports/orders',
  needs: 'editor',
  query: ImportQuery,
  body: ImportForm,
  file: 'file',
  uploadSink: importFiles,
  reply: Import,
  audit: {
    kind: 'import',
    outcome: (_context, { query, body }) => ({ dry_run: body.dry_run === true || query.dry_run === true }),
  },
  async handle(context, { query, body, storedUpload }) {
    const { id, sizeBytes } = storedUpload as StoredUpload // a form without the file was rejected before
    if (sizeBytes === 0) throw invalid(['body', 'file'], 'must not be empty')
    const row = await queueImport(context, id, body.dry_run === true || query.dry_run === true)
    wakeOnceCommitted(context, 'imports')
    return created(`/v1/shops/${context.shop.slug}/imports/${id}`, toImport(row, []))
  },
})

export const listImports = operation({
  name: 'listImports',
  summary: 'List the imports of a shop',
  description: 'Newest first, without their problems.',
  area: 'Imports and exports',
  route: 'GET /v1/shops/{slug}/imports',
  needs: 'viewer',
  query: PagedQuery({}),
  reply: PageOf(ImportSummary),
  async handle(context, { query }) {
    const page = await listImportRows(context, pageRequest(query))
    return { ...page, items: page.items.map(toSummary) }
  },
})

export const listImportColumns = operation({
  name: 'listImportColumns',
  summary: 'List the columns that an import of orders knows',
  description: 'In the order of a template. Only `order_number` is required.',
  area: 'Imports and exports',
  route: 'GET /v1/shops/{slug}/imports/columns',
  needs: 'viewer',
  reply: Type.Array(ImportColumn),
  handle: async () => describeColumns(),
})

export const getImport = operation({
  name: 'getImport',
  summary: 'Get an import with its problems',
  description: 'Counts grow while it runs; what is counted has been written.',
  area: 'Imports and exports',
  route: 'GET /v1/shops/{slug}/imports/{import_id}',
  needs: 'viewer',
  reply: Import,
  errors: ['import_not_found'],
  async handle(context, { path }) {
    const row = await getImportRow(context, path.import_id)
    return toImport(row, await listProblems(context, context.shop.id, row.id))
  },
})

export const cancelImportById = operation({
  name: 'cancelImport',
  summary: 'Cancel an import',
  description: 'What was written stays. One that has ended already stays as it is.',
  area: 'Imports and exports',
  route: 'POST /v1/shops/{slug}/imports/{import_id}/cancel',
  needs: 'editor',
  reply: Import,
  errors: ['import_not_found'],
  audit: { kind: 'import', read: async (context, id) => ({ status: (await getImportRow(context, id)).status }) },
  async handle(context, { path }) {
    const cancelled = await cancelImport(context, path.import_id)
    if (cancelled !== undefined) wakeOnceCommitted(context, 'imports')
    const row = cancelled ?? (await getImportRow(context, path.import_id))
    return toImport(row, await listProblems(context, context.shop.id, row.id))
  },
})

function toImport(row: ImportRow, problems: ImportProblem[]): Import {
  return { ...toSummary(row), problems }
}

function toSummary(row: ImportRow): ImportSummary {
  return {
    id: row.id,
    filename: row.filename,
    size_bytes: row.size_bytes,
    bytes_read: row.status === 'completed' ? row.size_bytes : row.position_bytes,
    status: row.status as ImportSummary['status'], // one that is being received is not shown
    reason: row.reason,
    dry_run: row.is_dry_run,
    rows: row.row_count,
    created: row.created_count,
    updated: row.updated_count,
    unchanged: row.unchanged_count,
    failed: row.failed_count,
    problem_count: row.problem_count,
    ignored_columns: row.ignored_columns,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

/** Every known column, in the order of the table that the importer itself reads. */
function describeColumns(): ImportColumn[] {
  return (Object.entries(columns) as [ColumnName, Column][]).map(([name, { subject, kind }]) => ({
    name,
    about: subject === 'tracking' ? 'parcel' : subject,
    kind,
    is_required: name === 'order_number',
    aliases: [...aliases].filter(([, target]) => target === name).map(([alias]) => alias),
    example: examples[name],
  }))
}

/** One order that can be imported as it is. */
const examples: Record<ColumnName, string> = {
  order_number: '1001',
  external_id: '5550001',
  order_name: '#1001',
  order_placed_at: '2026-11-01T09:30:00Z',
  email_id: 'ada@example.com',
  external_customer_id: 'customer-77',
  currency: 'EUR',
  total_order_price: '94.85',
  sub_total_price: '89.90',
  shipping_price: '4.95',
  discount_price: '0',
  weight: '850',
  financial_status: 'paid',
  order_status_url: 'https://shop.example/orders/1001',
  shipping_method: 'Standard',
  segments: 'vip|new',
  expected_number_of_shipments: '1',
  name: 'Ada Lovelace',
  company: 'Analytical Engines',
  street: 'Torstraße 1',
  address_line_1: 'Torstraße 1',
  address_line_2: '2nd floor',
  city: 'Berlin',
  zip_code: '10115',
  province: 'Berlin',
  province_code: 'BE',
  country: 'Germany',
  country_code: 'DE',
  phone: '+49 30 1234567',
  tracking_number: '00340434161094042557',
  carrier_reference: 'dhl',
  tracking_company: 'DHL Paket',
  service: 'DHL Paket',
  tracking_url: 'https://carrier.example/00340434161094042557',
  tracking_placed_at: '2026-11-02T15:00:00Z',
  external_shipment_id: 'parcel-1',
  product_title: 'Rain jacket',
  product_sku: 'RJ-01',
  product_quantity: '1',
  product_price: '89.90',
  product_line_subtotal: '89.90',
  product_line_total: '80.91',
  product_variant_title: 'Blue, M',
  product_id: '77',
  variant_id: '7701',
  product_image_url: 'https://shop.example/rain-jacket.jpg',
}
