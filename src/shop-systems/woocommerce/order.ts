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
  listOf,
  plainFields,
  requireFields,
  textOf,
} from '../read-fields.ts'
import type { Attribute, OrderFields, ReportedAddress, ReportedFulfilment, ReportedOrder } from '../shop-system.ts'
import { itemsOf } from './items.ts'
import { cancelledAt, financialStatus, isFullyRefunded, stageOf, statusOf } from './status.ts'
import { joinedText, readableText } from './text.ts'
import { readTrackings } from './tracking.ts'

export function readOrder(order: Fields, isRestored: boolean): ReportedOrder {
  const id = idOf(order.id)
  requireFields([{ loc: ['id'], value: id }])
  const changedAt = instantOf(order.date_modified_gmt) ?? instantOf(order.date_created_gmt)
  const items = itemsOf(order)
  const fulfilments = readTrackings(order, changedAt)
  return {
    id: id ?? '',
    // The number is the id, unless a plug-in numbers orders differently.
    orderNumber: textOf(order.number, 255) ?? id ?? '',
    stage: stageOf(order),
    changedAt,
    sentAt: undefined,
    fields: fieldsFrom(order),
    cancelledAt: cancelledAt(order, changedAt),
    isRestored,
    quantity: items.length === 0 ? undefined : items.reduce((sum, { quantity }) => sum + (quantity ?? 1), 0),
    fulfilments,
    hasAllFulfilments: Array.isArray(order.meta_data),
    ...given({
      nothingToSend: nothingToSend(order),
      handedOverWithoutTracking: handedOverWithoutTracking(order, fulfilments),
    }),
    attributes: [...metaOf(order), ...plainFields(order)].map((attribute) => ({
      ...attribute,
      value: readableText(attribute.value, 10_000) ?? '',
    })),
  }
}

/**
 * Line items do not say whether they are shipped. `needs_processing` is false if all of them are downloads, but also if
 * their products were deleted, so the order must have no shipping either.
 */
function nothingToSend(order: Fields): boolean | undefined {
  if (statusOf(order) === undefined || listOf(order.line_items).length === 0) return undefined
  if (isFullyRefunded(order) || itemsOf(order).length === 0) return true
  const hasShipping = !Array.isArray(order.shipping_lines) || order.shipping_lines.length > 0
  return order.needs_processing === false && !hasShipping
}

/** `completed` is WooCommerce's own status for shipped orders; the others come from common plug-ins. */
const handedOver = new Set(['completed', 'shipped', 'delivered'])

function handedOverWithoutTracking(order: Fields, fulfilments: ReportedFulfilment[]): boolean | undefined {
  const status = statusOf(order)
  if (status === undefined || !Array.isArray(order.meta_data)) return undefined
  return handedOver.has(status) && fulfilments.length === 0
}

function fieldsFrom(order: Fields): OrderFields {
  const billing = fieldsOf(order.billing)
  const lineItems = listOf(order.line_items)
  const items = itemsOf(order)
  const fees = listOf(order.fee_lines).map((fee) => ({
    name: readableText(fee.name, 255),
    amount: amountOf(fee.total ?? fee.amount) ?? 0,
  }))
  const charged = fees.filter(({ amount }) => amount > 0).slice(0, 100)
  // Plug-ins express discounts as negative fees.
  const deducted = fees.filter(({ amount }) => amount < 0)
  const discounts = [...discountsOf(order), ...deducted.map(asDiscount)].slice(0, 100)
  return given({
    order_placed_at: isoOf(order.date_created_gmt),
    total_order_price: amountOf(order.total),
    shipping_price: amountOf(order.shipping_total),
    sub_total_price: lineItems.length === 0 ? undefined : totalOf(lineItems.map(({ subtotal }) => amountOf(subtotal))),
    discount_price: discountPrice(
      order,
      deducted.map(({ amount }) => -amount),
    ),
    // A fully refunded order is shown as it was ordered.
    products: items.length > 0 ? items : lineItems.length > 0 ? itemsOf({ ...order, refunds: [] }) : undefined,
    discounts: discounts.length === 0 ? undefined : discounts,
    fees: charged.length === 0 ? undefined : charged.map((fee) => given(fee)),
    email_id: textOf(billing.email, 320),
    address: addressOf(order.shipping, billing) ?? addressOf(billing, billing),
    currency: currencyOf(order.currency),
    external_customer_id: idOf(order.customer_id),
    user_agent: textOf(order.customer_user_agent, 4_096),
    financial_status: financialStatus(order),
    shipping_method: readableText(listOf(order.shipping_lines)[0]?.method_title, 255),
  })
}

function discountPrice(order: Fields, deducted: number[]): number | undefined {
  const coupons = amountOf(order.discount_total)
  return coupons === undefined && deducted.length === 0 ? undefined : totalOf([coupons, ...deducted])
}

function totalOf(amounts: (number | undefined)[]): number {
  return Math.round(amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0) * 100) / 100
}

function asDiscount({ name, amount }: { name: string | undefined; amount: number }) {
  return given({ code: name, amount: (-amount).toFixed(2), type: 'fee' })
}

function discountsOf(order: Fields): NonNullable<OrderFields['discounts']> {
  return listOf(order.coupon_lines).map((coupon) =>
    given({
      code: readableText(coupon.code, 255),
      amount: textOf(coupon.discount, 64),
      type: textOf(coupon.discount_type, 100),
    }),
  )
}

/** The shipping address has no e-mail address and, in older versions, no phone number. An empty one counts as none. */
function addressOf(value: unknown, billing: Fields): ReportedAddress | undefined {
  if (!isFields(value)) return undefined
  const street = readableText(value.address_1)
  const zipCode = readableText(value.postcode, 32)
  if (street === undefined && zipCode === undefined && readableText(value.city) === undefined) return undefined
  return {
    ...given({
      name: joinedText(value.first_name, value.last_name),
      company: readableText(value.company),
      street,
      address_line_1: street,
      address_line_2: readableText(value.address_2),
      city: readableText(value.city),
      province_code: readableText(value.state),
      country_code: readableText(value.country, 10),
      phone: readableText(value.phone, 100) ?? textOf(billing.phone, 100),
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
