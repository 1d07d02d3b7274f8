import type { ShopContext } from '../../foundation/context.ts'
import { operation, ReplyWithHeaders } from '../../foundation/operation.ts'
import { StreamReply } from '../../foundation/schema.ts'
import { exportHeader, toLine } from './present.ts'
import { defaultDays, type Period, periodOf } from './rules.ts'
import { ExportFilter } from './schema.ts'
import { type Cursor, nextShipments } from './store.ts'

const rowsAtOnce = 500

export const exportShipments = operation({
  name: 'exportShipments',
  summary: 'Export shipments as a CSV file',
  description: [
    `All shipments of a period, one a row, oldest first. A period without a beginning begins ${defaultDays} days before its end, which is now unless it is given; there is no limit to its length.`,
    'CSV as RFC 4180 has it, in UTF-8. What a spreadsheet would take for a formula has an apostrophe before it: `=`, `+`, `-`, `@` and their wide forms at the start of a value or behind a semicolon, comma or line break in it, and a value that begins with a tab or line break. So phone numbers are text; a plain negative number such as `-5` stays one. An import takes the apostrophes off. Columns that an import knows have the same names, so that the file can be imported again.',
    'The file is written while it is sent. Where something goes wrong in the middle, the connection is cut rather than ended: a file that ended is complete. With `updated_from` or `updated_to`, a shipment that changes meanwhile may stand in it twice, and the later row is the newer.',
  ].join('\n\n'),
  area: 'Imports and exports',
  route: 'GET /v1/shops/{slug}/exports/shipments.csv',
  needs: 'viewer',
  query: ExportFilter,
  reply: StreamReply,
  async handle(context, { query }) {
    return new ReplyWithHeaders(linesOf(context, periodOf(query, context.now)), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename(context)}"`,
    })
  },
})

/** The next rows are asked for when the receiver has taken these, and not at all once it has gone. */
async function* linesOf(context: ShopContext, period: Period): AsyncGenerator<string> {
  let last: Cursor | undefined
  for (;;) {
    const shipments = await nextShipments(context, period, last, rowsAtOnce)
    // Not before the store has answered: what fails until then is answered as an error.
    if (last === undefined) yield exportHeader
    yield shipments.map(toLine).join('')
    last = shipments.at(-1)
    if (shipments.length < rowsAtOnce) return
  }
}

/** A slug has nothing in it that a file's name may not have. */
function filename(context: ShopContext): string {
  return `shipments-${context.shop.slug}-${context.now.toISOString().slice(0, 10)}.csv`
}
