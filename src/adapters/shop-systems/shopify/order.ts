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
import { limitItems, type SentItem } from '../remaining-items.ts'
import type { OrderFields, ReportedAddress, ReportedFulfilment, ReportedOrder } from '../shop-system.ts'
import { amountReader } from './amounts.ts'
import { readFulfilment } from './fulfilment.ts'
import { exactId } from './ids.ts'
import { currentQuantity, isSent, itemsOf, type QuantityOf, statedQuantity } from './items.ts'
import { moneyOf } from './money.ts'
import { sumsOf } from './sums.ts'

export function readOrder(order: Fields, sentAt: Date | undefined): ReportedOrder {
  const id = exactId(order.id, order.admin_graphql_api_id, 'Order')
  const orderNumber = textOf(order.order_number ?? order.number ?? order.name, 255)
  requireFields([
    { loc: ['id'], value: id },
    { loc: ['order_number'], value: orderNumber },
  ])
  const cancelledAt = instantOf(order.cancelled_at)
  const items = listOf(order.line_items)
  // Cancelling sets all current quantities to 0, but the customer still expects to see what was ordered.
  const quantity = cancelledAt === undefined ? currentQuantity(order) : statedQuantity
  const fulfilments = readFulfilments(order, quantity, (fulfillment) => readFulfilment(fulfillment, sentAt))
  return {
    id: id ?? '',
    orderNumber: orderNumber ?? '',
    changedAt: instantOf(order.updated_at),
    sentAt,
    fields: fieldsFrom(order, items.some((item) => quantity(item) !== 0) ? quantity : undefined),
    cancelledAt: order.cancelled_at === undefined ? undefined : (cancelledAt ?? null),
    isRestored: false,
    quantity: items.length === 0 ? undefined : toSend(items, quantity),
    fulfilments: fulfilments.filter((fulfilment) => fulfilment.id !== ''),
    hasAllFulfilments: false,
    ...given({
      nothingToSend: nothingToSend(order, items, quantity, cancelledAt !== undefined),
      handedOverWithoutTracking: handedOverWithoutTracking(order, items, fulfilments),
      shopCurrency: currencyOf(order.currency),
    }),
    attributes: [
      ...notes(order).map(({ name, value }) => ({ type: 'note_attribute', key: name, value })),
      ...plainFields(order),
    ],
  }
}

/** If nothing is left of the order, it is shown as it was ordered. */
function fieldsFrom(order: Fields, quantity: QuantityOf | undefined): OrderFields {
  const customer = fieldsOf(order.customer)
  const money = moneyOf(order)
  const isCurrent = quantity !== undefined && quantity !== statedQuantity
  const reader = amountReader(order, money)
  const products = itemsOf(order.line_items, quantity ?? statedQuantity, reader)
  const analytics = given({
    landing_site: textOf(order.landing_site, 4_096),
    landing_site_ref: textOf(order.landing_site_ref),
    note_attributes: notes(order).length === 0 ? undefined : notes(order),
  })
  return given({
    order_name: textOf(order.name, 255),
    order_placed_at: isoOf(order.processed_at) ?? isoOf(order.created_at),
    ...sumsOf(order, products, reader, isCurrent),
    products: products.length === 0 ? undefined : products,
    email_id: textOf(order.email ?? order.contact_email ?? customer.email, 320),
    address: contactOf(order, customer),
    currency: money.currency,
    weight: amountOf(order.total_weight),
    external_customer_id: idOf(customer.id),
    order_status_url: urlOf(order.order_status_url),
    user_agent: textOf(fieldsOf(order.client_details).user_agent, 4_096),
    financial_status: textOf(order.financial_status, 255),
    shipping_method: textOf(listOf(order.shipping_lines)[0]?.title, 255),
    order_analytics: Object.keys(analytics).length === 0 ? undefined : analytics,
  })
}

function toSend(items: Fields[], quantity: QuantityOf): number {
  return items.filter(isSent).reduce((sum, item) => sum + (quantity(item) ?? 1), 0)
}

/** A cancelled order has its own status, so only digital items count as "nothing to send" there. */
function nothingToSend(
  order: Fields,
  items: Fields[],
  quantity: QuantityOf,
  isCancelled: boolean,
): boolean | undefined {
  if (!isCancelled && order.financial_status === 'refunded') return true
  return items.length === 0 ? undefined : items.every((item) => !isSent(item) || quantity(item) === 0)
}

function handedOverWithoutTracking(
  order: Fields,
  items: Fields[],
  fulfilments: ReportedFulfilment[],
): boolean | undefined {
  if (order.fulfillment_status === undefined || !Array.isArray(order.fulfillments)) return undefined
  if (order.fulfillment_status !== 'fulfilled' || !items.some(isSent)) return false
  const active = fulfilments.filter(({ isActive }) => isActive)
  return active.length === 0 || active.some(({ parcels }) => parcels.length === 0)
}

/**
 * The shipping address, with the customer's phone number from any field that has it, unless it is in another country:
 * somebody else receives the parcel then.
 */
function contactOf(order: Fields, customer: Fields): ReportedAddress | undefined {
  const buyer = addressOf(order.billing_address) ?? addressOf(customer.default_address)
  const address = addressOf(order.shipping_address) ?? addressOf(order.billing_address)
  const [country, buyersCountry] = [address?.country_code, buyer?.country_code]
  const isAbroad = country !== undefined && buyersCountry !== undefined && country !== buyersCountry
  const numbers = [
    address?.phone,
    ...(isAbroad
      ? []
      : [order.phone, customer.phone, fieldsOf(order.billing_address).phone, fieldsOf(customer.default_address).phone]),
  ]
  const phone = numbers.map((number) => textOf(number, 100)).find(Boolean)
  if (address) return { ...address, ...given({ phone }) }
  // A download has no address, only a buyer. A message without address fields does not change the known one.
  const isWithout = order.shipping_address === null || order.billing_address === null
  const name = joined(customer.first_name, customer.last_name)
  return isWithout && (phone ?? name) !== undefined ? { ...given({ name, phone }), zip_code: null } : undefined
}

function addressOf(value: unknown): ReportedAddress | undefined {
  if (!isFields(value)) return undefined
  const name = textOf(value.name) ?? textOf(`${textOf(value.first_name) ?? ''} ${textOf(value.last_name) ?? ''}`)
  return {
    ...given({
      name,
      company: textOf(value.company),
      street: textOf(value.address1),
      address_line_1: textOf(value.address1),
      address_line_2: textOf(value.address2),
      city: textOf(value.city),
      province: textOf(value.province),
      province_code: textOf(value.province_code),
      country: textOf(value.country),
      country_code: textOf(value.country_code, 10),
      phone: textOf(value.phone, 100),
    }),
    zip_code: textOf(value.zip, 32) ?? null,
  }
}

function notes(order: Fields): { name: string; value: string }[] {
  return listOf(order.note_attributes)
    .slice(0, 500)
    .flatMap((note) => {
      const name = textOf(note.name, 255)
      return name === undefined ? [] : [{ name, value: textOf(note.value, 10_000) ?? '' }]
    })
}

interface Piece extends SentItem {
  item: Fields
}

/**
 * The fulfilments of an order, without what was refunded: a fulfilment itself always has what was put into it. Of a
 * cancelled order, all quantities are those that were ordered.
 */
function readFulfilments(
  order: Fields,
  current: QuantityOf,
  read: (fulfillment: Fields) => ReportedFulfilment | undefined,
): ReportedFulfilment[] {
  const all = listOf(order.fulfillments).flatMap((fulfillment) => {
    const fulfilment = read(fulfillment)
    const pieces = fulfilment?.isActive ? listOf(fulfillment.line_items).map(pieceOf) : []
    return fulfilment ? [{ fulfillment, fulfilment, pieces }] : []
  })
  if (current === statedQuantity) return all.map(({ fulfilment }) => fulfilment)
  const parcels = all.map(({ pieces }) => pieces)
  const left = limitItems(parcels, limitsOf(order, current, parcels.flat()))
  return all.map(({ fulfillment, fulfilment, pieces }, index) => {
    const own = left[index] ?? []
    if (pieces.length === 0) return fulfilment
    // A parcel of which nothing is left is shown as it was sent: without products, it would have those of the order.
    if (own.length === 0) return { ...fulfilment, quantity: 0 }
    const line_items = own.map(({ item, quantity }) => ({ ...item, quantity }))
    return read({ ...fulfillment, line_items }) ?? fulfilment
  })
}

function pieceOf(item: Fields): Piece {
  return { itemId: idOf(item.id), quantity: quantityOf(item.quantity) ?? 1, item }
}

/** Refunds take from what was not sent yet, except returns, which were. */
function limitsOf(order: Fields, current: QuantityOf, pieces: Piece[]): Map<string, number> {
  const returned = new Map<string | undefined, number>()
  for (const line of listOf(order.refunds).flatMap((refund) => listOf(refund.refund_line_items))) {
    if (line.restock_type !== 'return') continue
    const id = idOf(line.line_item_id)
    returned.set(id, (returned.get(id) ?? 0) + (quantityOf(line.quantity) ?? 0))
  }
  const sent = new Map<string | undefined, number>()
  for (const { itemId, quantity } of pieces) sent.set(itemId, (sent.get(itemId) ?? 0) + quantity)
  return new Map(
    listOf(order.line_items).flatMap((item): [string, number][] => {
      const id = idOf(item.id)
      const quantity = current(item)
      if (id === undefined || quantity === undefined) return []
      return [[id, Math.min(quantity, Math.max(0, (sent.get(id) ?? 0) - (returned.get(id) ?? 0)))]]
    }),
  )
}
