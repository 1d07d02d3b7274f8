import type { ShopContext } from '../../platform/foundation/context.ts'
import { operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import { StreamReply } from '../../platform/foundation/schema.ts'
import { guardFormulas } from '../../platform/foundation/spreadsheet.ts'
import { defaultDays, type ExportSelection, selectionOf } from './rules.ts'
import { ExportFilter } from './schema.ts'
import { type Cursor, type ExportedShipment, listShipmentsToExport } from './store.ts'

type Column = [name: string, value: (shipment: ExportedShipment) => string | null]

const address = (name: string): Column => [name, (shipment) => shipment.address?.[name] ?? null]

/** Columns that an import knows have the same names there. */
const columns: Column[] = [
  ['shipment_id', ({ id }) => id],
  ['order_id', ({ order_id }) => order_id],
  ['order_number', ({ order_number }) => order_number],
  ['external_id', ({ external_id }) => external_id],
  ['order_name', ({ order_name }) => order_name],
  ['order_placed_at', ({ order_placed_at }) => order_placed_at.toISOString()],
  ['email_id', ({ email_id }) => email_id],
  address('name'),
  address('company'),
  address('street'),
  address('address_line_1'),
  address('address_line_2'),
  address('city'),
  ['zip_code', ({ zip_code }) => zip_code],
  address('province'),
  address('province_code'),
  address('country'),
  address('country_code'),
  address('phone'),
  ['tracking_number', ({ tracking_number }) => tracking_number],
  // An import reads the columns of a parcel only if there is a tracking number, which a draft does not have.
  ['carrier_reference', ({ tracking_number, carrier_reference }) => tracking_number && carrier_reference],
  ['tracking_company', ({ tracking_number, tracking_company }) => tracking_number && tracking_company],
  ['tracking_url', ({ tracking_number, tracking_url }) => tracking_number && tracking_url],
  ['external_shipment_id', ({ tracking_number, external_shipment_id }) => tracking_number && external_shipment_id],
  ['direction', ({ direction }) => direction],
  ['phase', ({ phase }) => phase],
  ['flag', ({ flag }) => flag],
  ['current_event_key', ({ current_event_key }) => current_event_key],
  ['current_event_at', ({ current_event_at }) => current_event_at.toISOString()],
  ['sent_at', ({ tracking_number, placed_at }) => tracking_number && placed_at.toISOString()],
  ['in_transit_at', ({ in_transit_at }) => in_transit_at?.toISOString() ?? null],
  ['delivered_at', ({ delivered_at }) => delivered_at?.toISOString() ?? null],
  ['expected_from', ({ expected_delivery }) => toIso(expected_delivery?.start)],
  ['expected_to', ({ expected_delivery }) => toIso(expected_delivery?.end)],
  ['shipment_created_at', ({ created_at }) => created_at.toISOString()],
  ['shipment_updated_at', ({ updated_at }) => updated_at.toISOString()],
]

const exportHeader = csvLine(columns.map(([name]) => name))

function toLine(shipment: ExportedShipment): string {
  return csvLine(columns.map(([, value]) => value(shipment)))
}

function toIso(text: string | undefined): string | null {
  return text === undefined ? null : new Date(text).toISOString()
}

/** A line of CSV as defined by RFC 4180. */
function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A cell that no spreadsheet interprets as a formula, whether it splits cells at commas or at semicolons. */
export function csvCell(value: string | null): string {
  if (value === null) return ''
  const safe = guardFormulas(value)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

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
    return new ReplyWithHeaders(linesOf(context, selectionOf(query, context.now)), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename(context)}"`,
    })
  },
})

/** Reads the next rows when the client has received these, and stops when it disconnects. */
async function* linesOf(context: ShopContext, period: ExportSelection): AsyncGenerator<string> {
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
