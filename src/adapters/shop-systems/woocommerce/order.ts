import {
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
import type {
  Attribute,
  OrderDetail,
  OrderFields,
  ReportedAddress,
  ReportedFulfilment,
  ReportedOrder,
} from '../shop-system.ts'
import { fulfilmentStatus, lacksFulfilments } from './fulfilments.ts'
import { currentLines, itemOfLine, type Line, orderedLines, piecesOf } from './lines.ts'
import { lacksRefundedItems } from './refunds.ts'
import { cancelledAt, financialStatus, isFullyRefunded, stageOf, statusOf } from './status.ts'
import { sumsOf } from './sums.ts'
import { joinedText, readableText } from './text.ts'
import { readFulfilments } from './tracking.ts'

export function readOrder(order: Fields, isRestored: boolean): ReportedOrder {
  const id = idOf(order.id)
  requireFields([{ loc: ['id'], value: id }])
  const changedAt = instantOf(order.date_modified_gmt) ?? instantOf(order.date_created_gmt)
  const lines = currentLines(order)
  const fulfilments = readFulfilments(order, changedAt)
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
    quantity: lines.length === 0 ? undefined : lines.reduce((sum, line) => sum + piecesOf(line), 0),
    fulfilments,
    hasAllFulfilments: Array.isArray(order.meta_data),
    ...given({
      lacks: lackedDetails(order),
      nothingToSend: nothingToSend(order, lines),
      handedOverWithoutTracking: handedOverWithoutTracking(order, fulfilments),
    }),
    attributes: [...metaOf(order), ...plainFields(order)].map((attribute) => ({
      ...attribute,
      value: readableText(attribute.value, 10_000) ?? '',
    })),
  }
}

/**
 * Line items do not say whether they are shipped, gift cards of plug-ins apart. `needs_processing` is false if all of them are downloads, but also if
 * their products were deleted, so the order must have no shipping either.
 */
function nothingToSend(order: Fields, lines: Line[]): boolean | undefined {
  if (statusOf(order) === undefined || listOf(order.line_items).length === 0) return undefined
  if (isFullyRefunded(order) || lines.every((line) => piecesOf(line) === 0)) return true
  const hasShipping = !Array.isArray(order.shipping_lines) || order.shipping_lines.length > 0
  return order.needs_processing === false && !hasShipping
}

/** `completed` is WooCommerce's own status for shipped orders; the others come from common plug-ins. */
const handedOver = new Set(['completed', 'shipped', 'delivered'])

function handedOverWithoutTracking(order: Fields, fulfilments: ReportedFulfilment[]): boolean | undefined {
  const status = statusOf(order)
  if (status === undefined || !Array.isArray(order.meta_data)) return undefined
  if (!handedOver.has(status) && fulfilmentStatus(order) !== 'fulfilled') return false
  return fulfilments.length === 0 || fulfilments.some(({ parcels }) => parcels.length === 0)
}

function lackedDetails(order: Fields): OrderDetail[] | undefined {
  const lacked: OrderDetail[] = [
    ...(lacksRefundedItems(order) ? ['refunded items' as const] : []),
    ...(lacksFulfilments(order) ? ['fulfilments' as const] : []),
  ]
  return lacked.length === 0 ? undefined : lacked
}

function fieldsFrom(order: Fields): OrderFields {
  const billing = fieldsOf(order.billing)
  const currency = currencyOf(order.currency)
  const ordered = orderedLines(order).map((line) => itemOfLine(line, currency))
  const current = currentLines(order).map((line) => itemOfLine(line, currency))
  // A fully refunded order is shown as it was ordered.
  const products = current.length > 0 ? current : ordered
  return given({
    order_placed_at: isoOf(order.date_created_gmt),
    ...sumsOf(order, { ordered, products }, currency),
    products: products.length > 0 ? products : undefined,
    email_id: textOf(billing.email, 320),
    address: addressIn(order.shipping, billing),
    currency,
    external_customer_id: idOf(order.customer_id),
    user_agent: textOf(order.customer_user_agent, 4_096),
    financial_status: financialStatus(order),
    shipping_method: readableText(listOf(order.shipping_lines)[0]?.method_title, 255),
  })
}

/** The shipping address, else the billing address: downloads have nothing else, often only a name. */
function addressIn(shipping: unknown, billing: Fields): ReportedAddress | undefined {
  const all = [addressOf(shipping, billing), addressOf(billing, billing)]
  const sent = all.find((address) => address && (address.street ?? address.zip_code ?? address.city))
  return sent ?? all.reverse().find((address) => address && (address.name ?? address.company))
}

/** Without the phone number of the buyer if they are in another country: it is somebody else who receives the parcel. */
function addressOf(value: unknown, billing: Fields): ReportedAddress | undefined {
  if (!isFields(value)) return undefined
  const street = readableText(value.address_1)
  const [country, buyersCountry] = [value.country, billing.country].map((code) => readableText(code, 10))
  const isAbroad = country !== undefined && buyersCountry !== undefined && country !== buyersCountry
  return {
    ...given({
      name: joinedText(value.first_name, value.last_name),
      company: readableText(value.company),
      street,
      address_line_1: street,
      address_line_2: readableText(value.address_2),
      city: readableText(value.city),
      province_code: readableText(value.state),
      country_code: country,
      // Older versions have none here.
      phone: readableText(value.phone, 100) ?? (isAbroad ? undefined : textOf(billing.phone, 100)),
    }),
    zip_code: readableText(value.postcode, 32) ?? null,
  }
}

function metaOf(order: Fields): Attribute[] {
  return listOf(order.meta_data).flatMap((meta) => {
    const key = textOf(meta.key, 255)
    const value = textOf(meta.value, 10_000)
    return key === undefined || value === undefined ? [] : [{ type: 'meta_data', key, value }]
  })
}
