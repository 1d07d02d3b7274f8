import { latest } from '../../../platform/foundation/clock.ts'
import {
  currencyOf,
  type Fields,
  fieldsOf,
  given,
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
import { createParcelItems, type ParcelItems } from '../settle.ts'
import type {
  Attribute,
  OrderFields,
  ReportedAddress,
  ReportedFulfilment,
  ReportedItem,
  ReportedOrder,
  Version,
} from '../shop-system.ts'
import { type Line, linesOf, piecesOf } from './lines.ts'
import { sumsOf } from './sums.ts'

/** A Shopware 6 order as its events carry it, with the associations they load. */
export function readOrder(order: Fields, event: string, sentAt: Date | undefined): ReportedOrder {
  const id = textOf(order.id, 255)
  const orderNumber = textOf(order.orderNumber, 255)
  requireFields([
    { loc: ['data', 'payload', 'order', 'id'], value: id },
    { loc: ['data', 'payload', 'order', 'orderNumber'], value: orderNumber },
  ])
  const lines = linesOf(order)
  const parcels = createParcelItems(currencyOf(fieldsOf(order.currency).isoCode))
  const changedAt = lastChange(order)
  const deliveries = listOf(order.deliveries)
  const states = statesOf(deliveries, event)
  // The fetch that follows every write reports deliveries whose state is unknown here.
  const fulfilments = deliveries.flatMap((delivery, index) => {
    const state = states[index]
    return state === undefined ? [] : readDelivery(delivery, state, { lines, parcels }, { changedAt, sentAt })
  })
  const hasAllFulfilments = Array.isArray(order.deliveries) && !states.includes(undefined)
  return {
    id: id ?? '',
    orderNumber: orderNumber ?? '',
    changedAt,
    sentAt,
    fields: fieldsFrom(order, lines),
    cancelledAt: cancelledAt(order, event, changedAt ?? sentAt),
    isRestored: false,
    quantity: lines.length === 0 ? undefined : lines.reduce((sum, line) => sum + piecesOf(line), 0),
    fulfilments,
    hasAllFulfilments,
    ...given({
      nothingToSend: nothingToSend(order, lines),
      handedOverWithoutTracking: hasAllFulfilments ? isHandedOver(deliveries, states, fulfilments) : undefined,
      shopCurrency: order.currencyFactor === 1 ? currencyOf(fieldsOf(order.currency).isoCode) : undefined,
    }),
    attributes: [...customFields(order), ...plainFields(order)],
  }
}

/** Downloads are never shipped, and fully refunded orders are no longer shipped. */
function nothingToSend(order: Fields, lines: Line[]): boolean | undefined {
  if (financialStatus(order) === 'refunded') return true
  return lines.length === 0 ? undefined : lines.every((line) => piecesOf(line) === 0)
}

/** Whether all of it was shipped, and some of it without a tracking code. */
function isHandedOver(
  deliveries: Fields[],
  states: (string | undefined)[],
  fulfilments: ReportedFulfilment[],
): boolean {
  const hasLeft = deliveries.length > 0 && states.every((state) => state === 'shipped' || state === 'cancelled')
  return hasLeft && fulfilments.some(({ isActive, parcels }) => isActive && parcels.length === 0)
}

/** Changing a delivery or an address does not update the order's own timestamp. */
function lastChange(order: Fields): Date | undefined {
  const { deliveries, lineItems, transactions } = order
  const addresses = listOf(deliveries).map(({ shippingOrderAddress }) => fieldsOf(shippingOrderAddress))
  const parts = [deliveries, lineItems, transactions].flatMap(listOf)
  return latest(
    [order, fieldsOf(order.orderCustomer), ...parts, ...addresses].flatMap(({ updatedAt, createdAt }) => [
      instantOf(updatedAt),
      instantOf(createdAt),
    ]),
  )
}

function cancelledAt(order: Fields, event: string, at: Date | undefined): Date | null | undefined {
  const entered = /^state_enter\.order\.state\.(\w+)$/.exec(event)?.[1]
  const state = textOf(fieldsOf(order.stateMachineState).technicalName) ?? entered
  if (state === undefined) return event === 'checkout.order.placed' ? null : undefined
  return state === 'cancelled' ? (at ?? null) : null
}

function fieldsFrom(order: Fields, lines: Line[]): OrderFields {
  const customer = fieldsOf(order.orderCustomer)
  const delivery = listOf(order.deliveries).find(({ shippingOrderAddress }) => isFields(shippingOrderAddress))
  const billing = listOf(order.addresses).find(({ id }) => id !== undefined && id === order.billingAddressId)
  return given({
    order_placed_at: isoOf(order.orderDateTime) ?? isoOf(order.createdAt),
    ...sumsOf(order, lines),
    products: Array.isArray(order.lineItems) ? lines.slice(0, 1_000).map(({ item }) => item) : undefined,
    email_id: textOf(customer.email, 320),
    address: addressOf(delivery?.shippingOrderAddress) ?? addressOf(order.billingAddress) ?? addressOf(billing),
    currency: currencyOf(fieldsOf(order.currency).isoCode),
    external_customer_id: textOf(customer.customerId, 255) ?? textOf(customer.customerNumber, 255),
    financial_status: financialStatus(order),
    shipping_method: shippingMethodOf(order),
    order_status_url: orderPage(order),
  })
}

/** The first delivery that names one: a message about a state carries deliveries without their methods. */
function shippingMethodOf(order: Fields): string | undefined {
  const methods = listOf(order.deliveries).map(({ shippingMethod }) => methodName(fieldsOf(shippingMethod)))
  return methods.find((name) => name !== undefined)
}

/** Shopware's payment states as our financial status. */
const financialStatuses: Record<string, string> = {
  open: 'pending',
  in_progress: 'pending',
  reminded: 'pending',
  unconfirmed: 'pending',
  authorized: 'authorized',
  paid: 'paid',
  paid_partially: 'partially_paid',
  refunded: 'refunded',
  refunded_partially: 'partially_refunded',
  chargeback: 'refunded',
  cancelled: 'voided',
  failed: 'voided',
}

/** From the newest transaction: each payment attempt has its own. */
function financialStatus(order: Fields): string | undefined {
  const newest = listOf(order.transactions)
    .map((payment) => ({
      at: instantOf(payment.createdAt)?.getTime() ?? 0,
      state: textOf(fieldsOf(payment.stateMachineState).technicalName),
    }))
    .reduce<{ at: number; state: string | undefined } | undefined>(
      (last, payment) => (last === undefined || payment.at >= last.at ? payment : last),
      undefined,
    )
  const state = newest?.state ?? ''
  return Object.hasOwn(financialStatuses, state) ? financialStatuses[state] : undefined
}

/** The storefront page that shows the order to anyone with the link, in the order's language. */
function orderPage(order: Fields): string | undefined {
  const code = textOf(order.deepLinkCode, 255)
  const domains = listOf(fieldsOf(order.salesChannel).domains)
  const domain = domains.find(({ languageId }) => languageId === order.languageId) ?? domains[0]
  const url = urlOf(domain?.url, 2_048)
  return code === undefined || url === undefined
    ? undefined
    : urlOf(`${url.endsWith('/') ? url.slice(0, -1) : url}/account/order/${encodeURIComponent(code)}`)
}

function addressOf(value: unknown): ReportedAddress | undefined {
  if (!isFields(value)) return undefined
  const country = fieldsOf(value.country)
  const state = fieldsOf(value.countryState)
  return {
    ...given({
      name: joined(value.firstName, value.lastName),
      company: textOf(value.company),
      street: textOf(value.street),
      address_line_1: textOf(value.street),
      address_line_2: joined(value.additionalAddressLine1, value.additionalAddressLine2),
      city: textOf(value.city),
      province: textOf(state.name),
      province_code: textOf(state.shortCode),
      country: textOf(country.name),
      country_code: textOf(country.iso, 10),
      phone: textOf(value.phoneNumber, 100),
    }),
    zip_code: textOf(value.zipcode, 32) ?? null,
  }
}

function customFields(order: Fields): Attribute[] {
  return Object.entries(fieldsOf(order.customFields)).flatMap(([key, content]) => {
    const value = textOf(content, 10_000)
    return value === undefined ? [] : [{ type: 'custom_field', key, value }]
  })
}

/**
 * The state of each delivery. A state event carries deliveries without their states: a single delivery has the state
 * that the event names, otherwise the states are unknown.
 */
function statesOf(deliveries: Fields[], event: string): (string | undefined)[] {
  const entered = /^state_enter\.order_delivery\.state\.(\w+)$/.exec(event)?.[1]
  return deliveries.map(
    ({ stateMachineState }) =>
      textOf(fieldsOf(stateMachineState).technicalName) ?? (deliveries.length === 1 ? entered : undefined),
  )
}

/** A delivery shipped without a tracking code is a fulfilment too. */
const shippedStates = ['shipped', 'shipped_partially', 'returned', 'returned_partially']

/** A delivery with its tracking codes, which may exist before it is shipped. */
function readDelivery(
  delivery: Fields,
  state: string,
  goods: Goods,
  { changedAt, sentAt }: Version,
): ReportedFulfilment[] {
  const id = textOf(delivery.id, 255)
  const codes = Array.isArray(delivery.trackingCodes) ? delivery.trackingCodes : []
  const numbers = [...new Set(codes.flatMap((code) => textOf(code, 255) ?? []))]
  if (id === undefined || (numbers.length === 0 && !shippedStates.includes(state))) return []
  const method = fieldsOf(delivery.shippingMethod)
  const products = productsOf(delivery, goods)
  return [
    {
      id,
      changedAt,
      sentAt,
      isActive: state !== 'cancelled',
      quantity: quantityIn(state, products),
      parcels: numbers.map((tracking_number) => ({
        tracking_number,
        ...given({
          tracking_company: methodName(method),
          tracking_url: trackingUrl(method, tracking_number),
          tracking_placed_at: isoOf(delivery.updatedAt) ?? instantOf(delivery.createdAt)?.toISOString(),
          products,
        }),
      })),
    },
  ]
}

/** The name of a shipping method, in the language of the order if the message has it. */
function methodName(method: Fields): string | undefined {
  return textOf(fieldsOf(method.translated).name, 255) ?? textOf(method.name, 255)
}

/** After a partial shipment more is to be sent, whatever its positions say. */
function quantityIn(state: string, products: ReportedItem[] | undefined): number | undefined {
  if (state === 'shipped_partially') return 0
  return products?.reduce((sum, { quantity }) => sum + (quantity ?? 1), 0)
}

/** The goods that the deliveries of an order share. */
interface Goods {
  lines: Line[]
  parcels: ParcelItems
}

function productsOf(delivery: Fields, { lines, parcels }: Goods): ReportedItem[] | undefined {
  const all = new Map(lines.flatMap((line) => [line, ...line.contents]).map((line) => [line.id, line.item]))
  const products = listOf(delivery.positions).flatMap((position) => {
    const id = textOf(position.orderLineItemId, 255)
    const item = id === undefined ? undefined : all.get(id)
    if (id === undefined || item === undefined) return []
    const stated = quantityOf(position.quantity ?? fieldsOf(position.price).quantity) ?? item.quantity ?? 1
    // An ERP may take goods out of a line, and leave the delivery as it was.
    return [parcels.take(id, item, Math.min(stated, item.quantity ?? stated))]
  })
  return products.length === 0 ? undefined : products
}

/** The shipping method's tracking URL, with `%s` for the number. */
function trackingUrl(method: Fields, number: string): string | undefined {
  const template = textOf(fieldsOf(method.translated).trackingUrl, 2_048) ?? textOf(method.trackingUrl, 2_048)
  if (template === undefined || !/^https?:\/\//i.test(template) || !template.includes('%s')) return undefined
  const url = template.replaceAll('%s', encodeURIComponent(number))
  return URL.canParse(url) ? url : undefined
}
