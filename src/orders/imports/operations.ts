import { invalid } from '../../platform/foundation/errors.ts'
import { created, operation, PagedQuery } from '../../platform/foundation/operation.ts'
import { PageOf, pageRequest } from '../../platform/foundation/page.ts'
import { Type } from '../../platform/foundation/schema.ts'
import type { StoredUpload } from '../../platform/foundation/upload-sink.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { type ColumnName, columns } from './columns.ts'
import { describeColumns } from './describe-columns.ts'
import { toImport, toSummary } from './present.ts'
import { Import, ImportColumn, ImportForm, ImportQuery, ImportSummary, maxProblems } from './schema.ts'
import { cancelImport, getImportRow, listImportRows, listProblems, queueImport } from './store.ts'
import { importFiles } from './store-file.ts'

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
