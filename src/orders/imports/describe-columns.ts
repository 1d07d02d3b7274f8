import { aliases, type Column, type ColumnName, columns } from './columns.ts'
import type { ImportColumn } from './schema.ts'

/** Every known column, in the order of the table that the importer itself reads. */
export function describeColumns(): ImportColumn[] {
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
