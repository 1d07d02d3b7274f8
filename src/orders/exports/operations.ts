import type { ShopContext } from '../../platform/foundation/context.ts'
import { operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import { StreamReply } from '../../platform/foundation/schema.ts'
import { exportHeader, toLine } from './present.ts'
import { defaultDays, type Period, periodOf } from './rules.ts'
import { ExportFilter } from './schema.ts'
import { type Cursor, listShipmentsToExport } from './store.ts'

const rowsPerBatch = 500

export const exportShipments = operation({
  name: 'exportShipments',
  summary: 'Export shipments as a CSV file',
  description: [
    `Returns all shipments of a period, one per row, oldest first. The period ends now unless an end is given. If no start is given, it starts ${defaultDays} days before its end. Its length is not limited.`,
    'CSV as defined by RFC 4180, in UTF-8. What a spreadsheet would interpret as a formula is prefixed with an apostrophe: `=`, `+`, `-`, `@` and their full-width forms at the start of a value or after a semicolon, comma or line break in it, and a value that starts with a tab or line break. Phone numbers therefore become text; a plain negative number such as `-5` stays a number. An import removes the apostrophes. Columns have the same names as in an import, so that the file can be imported again.',
    'The file is streamed. If an error occurs, the connection is aborted, so a response that ended normally is complete. With `updated_from` or `updated_to`, a shipment that changes during the export may appear twice; the later row is the newer one.',
  ].join('\n\n'),
  area: 'Imports and exports',
  route: 'GET /v1/shops/{slug}/exports/shipments.csv',
  reads: 'replica',
  needs: 'viewer',
  query: ExportFilter,
  reply: StreamReply('text/csv', exportHeader),
  async handle(context, { query }) {
    return new ReplyWithHeaders(linesOf(context, periodOf(query, context.now)), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename(context)}"`,
    })
  },
})

/** Reads the next rows when the client has received these, and stops when it disconnects. */
async function* linesOf(context: ShopContext, period: Period): AsyncGenerator<string> {
  let last: Cursor | undefined
  for (;;) {
    const shipments = await listShipmentsToExport(context, period, last, rowsPerBatch)
    // Not before the first query: if it fails, the client gets an error response instead of a file.
    if (last === undefined) yield exportHeader
    yield shipments.map(toLine).join('')
    last = shipments.at(-1)
    if (shipments.length < rowsPerBatch) return
  }
}

/** A slug contains only characters that are allowed in file names. */
function filename(context: ShopContext): string {
  return `shipments-${context.shop.slug}-${context.now.toISOString().slice(0, 10)}.csv`
}
