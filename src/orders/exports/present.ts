import { csvLine } from './csv.ts'
import type { ExportedShipment } from './store.ts'

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

export const exportHeader = csvLine(columns.map(([name]) => name))

export function toLine(shipment: ExportedShipment): string {
  return csvLine(columns.map(([, value]) => value(shipment)))
}

function toIso(text: string | undefined): string | null {
  return text === undefined ? null : new Date(text).toISOString()
}
