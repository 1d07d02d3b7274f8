import type { KeptColumns } from './split-row.ts'

/** The record that a column belongs to: the order, its address, a parcel of it, or a line item. */
export type Subject = 'order' | 'address' | 'tracking' | 'product'

export interface Column {
  subject: Subject
  /** The field that it fills; of a line item's image, the image's address. */
  field: string
  kind: 'text' | 'number' | 'integer' | 'list'
}

const text = (subject: Subject, field: string): Column => ({ subject, field, kind: 'text' })
const number = (subject: Subject, field: string): Column => ({ subject, field, kind: 'number' })

/** Every column that an import of orders knows, by its name. */
export const columns = {
  order_number: text('order', 'order_number'),
  external_id: text('order', 'external_id'),
  order_name: text('order', 'order_name'),
  order_placed_at: text('order', 'order_placed_at'),
  email_id: text('order', 'email_id'),
  external_customer_id: text('order', 'external_customer_id'),
  currency: text('order', 'currency'),
  total_order_price: number('order', 'total_order_price'),
  sub_total_price: number('order', 'sub_total_price'),
  shipping_price: number('order', 'shipping_price'),
  discount_price: number('order', 'discount_price'),
  weight: number('order', 'weight'),
  financial_status: text('order', 'financial_status'),
  shipping_method: text('order', 'shipping_method'),
  order_status_url: text('order', 'order_status_url'),
  segments: { subject: 'order', field: 'segments', kind: 'list' },
  expected_number_of_shipments: { subject: 'order', field: 'expected_number_of_shipments', kind: 'integer' },
  name: text('address', 'name'),
  company: text('address', 'company'),
  street: text('address', 'street'),
  address_line_1: text('address', 'address_line_1'),
  address_line_2: text('address', 'address_line_2'),
  city: text('address', 'city'),
  zip_code: text('address', 'zip_code'),
  province: text('address', 'province'),
  province_code: text('address', 'province_code'),
  country: text('address', 'country'),
  country_code: text('address', 'country_code'),
  phone: text('address', 'phone'),
  tracking_number: text('tracking', 'tracking_number'),
  carrier_reference: text('tracking', 'carrier_reference'),
  tracking_company: text('tracking', 'tracking_company'),
  service: text('tracking', 'service'),
  tracking_url: text('tracking', 'tracking_url'),
  tracking_placed_at: text('tracking', 'tracking_placed_at'),
  external_shipment_id: text('tracking', 'external_shipment_id'),
  product_title: text('product', 'title'),
  product_sku: text('product', 'sku'),
  product_quantity: { subject: 'product', field: 'quantity', kind: 'integer' },
  product_price: number('product', 'price'),
  product_line_subtotal: number('product', 'line_subtotal'),
  product_line_total: number('product', 'line_total'),
  product_variant_title: text('product', 'variant_title'),
  product_id: text('product', 'product_id'),
  variant_id: text('product', 'variant_id'),
  product_image_url: text('product', 'images'),
} satisfies Record<string, Column>

export type ColumnName = keyof typeof columns

/** The column of ours that a column of a file fills; it may fill two. */
interface Target {
  name: ColumnName
  /** Removed from the value first. */
  without?: RegExp
}

/** Other names that shops and spreadsheets use, normalised by `plainName`. */
export const aliases = new Map<string, ColumnName>(
  Object.entries({
    order: 'order_number',
    order_no: 'order_number',
    order_date: 'order_placed_at',
    created_at: 'order_placed_at',
    email: 'email_id',
    customer_email: 'email_id',
    customer_id: 'external_customer_id',
    total: 'total_order_price',
    subtotal: 'sub_total_price',
    customer_name: 'name',
    recipient: 'name',
    address1: 'address_line_1',
    address2: 'address_line_2',
    postal_code: 'zip_code',
    postcode: 'zip_code',
    zip: 'zip_code',
    carrier: 'tracking_company',
    title: 'product_title',
    sku: 'product_sku',
    quantity: 'product_quantity',
    price: 'product_price',
  } as const),
)

/** Shopify's own order export. Its "Name" is the order's, and its country is a code. */
const shopify = new Map<string, Target[]>(
  Object.entries({
    name: [{ name: 'order_name' }, { name: 'order_number', without: /^#/ }],
    id: [{ name: 'external_id' }],
    email: [{ name: 'email_id' }],
    created_at: [{ name: 'order_placed_at' }],
    currency: [{ name: 'currency' }],
    financial_status: [{ name: 'financial_status' }],
    shipping_method: [{ name: 'shipping_method' }],
    total: [{ name: 'total_order_price' }],
    subtotal: [{ name: 'sub_total_price' }],
    shipping: [{ name: 'shipping_price' }],
    discount_amount: [{ name: 'discount_price' }],
    shipping_name: [{ name: 'name' }],
    shipping_company: [{ name: 'company' }],
    shipping_street: [{ name: 'street' }],
    shipping_address1: [{ name: 'address_line_1' }],
    shipping_address2: [{ name: 'address_line_2' }],
    shipping_city: [{ name: 'city' }],
    // Shopify writes an apostrophe before it, so that spreadsheets preserve leading zeros.
    shipping_zip: [{ name: 'zip_code', without: /^'/ }],
    shipping_province: [{ name: 'province_code' }],
    shipping_country: [{ name: 'country_code' }],
    shipping_phone: [{ name: 'phone' }],
    lineitem_name: [{ name: 'product_title' }],
    lineitem_sku: [{ name: 'product_sku' }],
    lineitem_quantity: [{ name: 'product_quantity' }],
    lineitem_price: [{ name: 'product_price' }],
  } satisfies Record<string, Target[]>),
)

/** A known column of a file, with its header in the file. */
export interface FileColumn extends Column {
  /** Its place among the kept values of a row; two columns of ours may share one. */
  slot: number
  header: string
  without: RegExp | undefined
}

export interface Layout extends KeptColumns {
  columns: FileColumn[]
  ignored: string[]
}

/** The known columns of a file, by its header. Of two with the same meaning, our own name wins, then the first. */
export function layoutOf(header: string[]): Layout {
  const names = new Set(header.map(plainName))
  const isShopify = names.has('lineitem_name')
  const taken = new Set<ColumnName>()
  const kept: number[] = []
  const layout: Layout = { columns: [], kept, width: header.length, ignored: [] }
  for (const [index, name] of header.entries()) {
    const targets = (isShopify ? shopify.get(plainName(name)) : undefined) ?? targetsOf(plainName(name), names)
    const free = targets.filter((target) => !taken.has(target.name))
    if (free.length > 0) kept.push(index)
    for (const target of free) {
      taken.add(target.name)
      layout.columns.push({
        ...columns[target.name],
        slot: kept.length - 1,
        header: name.trim(),
        without: target.without,
      })
    }
    if (free.length === 0 && name.trim() !== '') layout.ignored.push(name.trim())
  }
  return layout
}

/** In a file of Shopify, other columns are known by our names only: an alias may have another meaning there. */
function targetsOf(name: string, names: Set<string>): Target[] {
  if (Object.hasOwn(columns, name)) return [{ name: name as ColumnName }] // just looked up
  const alias = names.has('lineitem_name') ? undefined : aliases.get(name)
  return alias === undefined || names.has(alias) ? [] : [{ name: alias }]
}

/** "Order Number" and "order-number" are `order_number`. */
function plainName(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_.-]+/g, '_')
}
