import {
  amountOf,
  currencyOf,
  type Fields,
  fieldsOf,
  given,
  idOf,
  instantOf,
  isFields,
  isoOf,
  joined,
  listOf,
  plainFields,
  quantityOf,
  requireFields,
  textOf,
  urlOf,
} from '../read-fields.ts'
import type { Attribute, OrderFields, ReportedAddress, ReportedItem, ReportedOrder } from '../shop-system.ts'
import { readTrackings } from './tracking.ts'

/** A basket that somebody is still filling is no order. */
export function isUnfinished(order: Fields): boolean {
  return order.status === 'checkout-draft' || order.status === 'auto-draft'
}

export function readOrder(order: Fields, isRestored: boolean): ReportedOrder {
  const id = idOf(order.id)
  requireFields([{ loc: ['id'], value: id }])
  const changedAt = instantOf(order.date_modified_gmt) ?? instantOf(order.date_created_gmt)
  const isCancelled = order.status === 'cancelled' || order.status === 'trash'
  const items = listOf(order.line_items)
  return {
    id: id ?? '',
    // Its number is its id, unless a plug-in numbers otherwise.
    orderNumber: textOf(order.number, 255) ?? id ?? '',
    changedAt,
    sentAt: undefined,
    fields: fieldsFrom(order),
    // When it was cancelled is not told: that it is, since its last change.
    cancelledAt: cancelledAt(order, isCancelled, changedAt),
    isRestored,
    quantity: items.length === 0 ? undefined : items.reduce((sum, item) => sum + (quantityOf(item.quantity) ?? 1), 0),
    fulfilments: readTrackings(order, changedAt),
    hasAllFulfilments: Array.isArray(order.meta_data),
    attributes: [...metaOf(order), ...plainFields(order)],
  }
}

function cancelledAt(order: Fields, isCancelled: boolean, changedAt: Date | undefined): Date | null | undefined {
  if (typeof order.status !== 'string') return undefined
  if (!isCancelled) return null
  return changedAt ?? instantOf(order.date_created_gmt) ?? null
}

function fieldsFrom(order: Fields): OrderFields {
  const billing = fieldsOf(order.billing)
  const items = listOf(order.line_items)
  return given({
    order_placed_at: isoOf(order.date_created_gmt),
    total_order_price: amountOf(order.total),
    shipping_price: amountOf(order.shipping_total),
    sub_total_price: items.length === 0 ? undefined : rounded(items),
    discount_price: amountOf(order.discount_total),
    products: Array.isArray(order.line_items) ? items.slice(0, 1_000).map(itemOf) : undefined,
    discounts: Array.isArray(order.coupon_lines) ? discountsOf(order.coupon_lines) : undefined,
    email_id: textOf(billing.email, 320),
    address: addressOf(order.shipping, billing) ?? addressOf(billing, billing),
    currency: currencyOf(order.currency),
    external_customer_id: idOf(order.customer_id),
    user_agent: textOf(order.customer_user_agent, 4_096),
    financial_status: isoOf(order.date_paid_gmt) === undefined ? undefined : 'paid',
  })
}

function rounded(items: Fields[]): number {
  return Math.round(items.reduce((sum, item) => sum + (amountOf(item.subtotal) ?? 0), 0) * 100) / 100
}

export function itemOf(item: Fields): ReportedItem {
  const image = urlOf(fieldsOf(item.image).src)
  const productId = idOf(item.product_id)
  return given({
    title: textOf(item.parent_name ?? item.name, 2_000),
    quantity: quantityOf(item.quantity),
    price: amountOf(item.price),
    sku: textOf(item.sku, 255),
    variant_title: typeof item.parent_name === 'string' ? variantTitle(item) : undefined,
    images: image === undefined ? undefined : [{ src: image }],
    type: 'product',
    product_id: productId,
    variant_id: idOf(item.variation_id) ?? productId,
  })
}

/** "Hoodie - Blue, Yes" is the variation "Blue, Yes" of "Hoodie". */
function variantTitle(item: Fields): string | undefined {
  const name = textOf(item.name, 2_000) ?? ''
  const parent = textOf(item.parent_name, 2_000) ?? ''
  return name.startsWith(`${parent} - `) ? textOf(name.slice(parent.length + 3)) : undefined
}

function discountsOf(coupons: unknown): OrderFields['discounts'] {
  return listOf(coupons)
    .slice(0, 100)
    .map((coupon) =>
      given({
        code: textOf(coupon.code, 255),
        amount: textOf(coupon.discount, 64),
        type: textOf(coupon.discount_type, 100),
      }),
    )
}

/** The address of delivery has neither e-mail nor, in older versions, a phone number. An empty one is none. */
function addressOf(value: unknown, billing: Fields): ReportedAddress | undefined {
  if (!isFields(value)) return undefined
  const street = textOf(value.address_1)
  const zipCode = textOf(value.postcode, 32)
  if (street === undefined && zipCode === undefined && textOf(value.city) === undefined) return undefined
  return {
    ...given({
      name: joined(value.first_name, value.last_name),
      company: textOf(value.company),
      street,
      address_line_1: street,
      address_line_2: textOf(value.address_2),
      city: textOf(value.city),
      province_code: textOf(value.state),
      country_code: textOf(value.country, 10),
      phone: textOf(value.phone, 100) ?? textOf(billing.phone, 100),
    }),
    zip_code: zipCode ?? null,
  }
}

function metaOf(order: Fields): Attribute[] {
  return listOf(order.meta_data).flatMap((meta) => {
    const key = textOf(meta.key, 255)
    const value = textOf(meta.value, 10_000)
    return key === undefined || value === undefined ? [] : [{ type: 'meta_data', key, value }]
  })
}
