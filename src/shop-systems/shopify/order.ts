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
  quantityOf,
  requireFields,
  textOf,
  urlOf,
} from '../read-fields.ts'
import type { OrderFields, ReportedAddress, ReportedItem, ReportedOrder } from '../shop-system.ts'
import { readFulfilment } from './fulfilment.ts'

export function readOrder(order: Fields, sentAt: Date | undefined): ReportedOrder {
  const id = exactId(order.id, order.admin_graphql_api_id, 'Order')
  const orderNumber = textOf(order.order_number ?? order.number ?? order.name, 255)
  requireFields([
    { loc: ['id'], value: id },
    { loc: ['order_number'], value: orderNumber },
  ])
  const cancelledAt = instantOf(order.cancelled_at)
  const isCancelled = cancelledAt !== undefined
  const items = listOf(order.line_items)
  return {
    id: id ?? '',
    orderNumber: orderNumber ?? '',
    changedAt: instantOf(order.updated_at),
    sentAt,
    fields: fieldsFrom(order, isCancelled),
    cancelledAt: order.cancelled_at === undefined ? undefined : (cancelledAt ?? null),
    isRestored: false,
    quantity: items.length === 0 ? undefined : toSend(items, isCancelled),
    fulfilments: listOf(order.fulfillments)
      .map((fulfillment) => readFulfilment(fulfillment, sentAt))
      .filter((fulfilment) => fulfilment.id !== ''),
    hasAllFulfilments: false,
    attributes: [
      ...notes(order).map(({ name, value }) => ({ type: 'note_attribute', key: name, value })),
      ...plainFields(order),
    ],
  }
}

function fieldsFrom(order: Fields, isCancelled: boolean): OrderFields {
  const customer = fieldsOf(order.customer)
  const address = addressOf(order.shipping_address) ?? addressOf(order.billing_address)
  // Cancelling sets what is current to nothing; what was ordered is still what the customer looks for.
  const current = (name: string) => amountOf(isCancelled ? order[name] : (order[`current_${name}`] ?? order[name]))
  return given({
    order_name: textOf(order.name, 255),
    order_placed_at: isoOf(order.processed_at) ?? isoOf(order.created_at),
    total_order_price: current('total_price'),
    shipping_price: shippingPrice(order),
    sub_total_price: current('subtotal_price'),
    discount_price: current('total_discounts'),
    products: Array.isArray(order.line_items) ? itemsOf(order.line_items, isCancelled) : undefined,
    discounts: Array.isArray(order.discount_codes) ? discountsOf(order.discount_codes) : undefined,
    email_id: textOf(order.email ?? order.contact_email ?? customer.email, 320),
    address,
    currency: currencyOf(order.currency),
    weight: amountOf(order.total_weight),
    external_customer_id: idOf(customer.id),
    order_status_url: urlOf(order.order_status_url),
    user_agent: textOf(fieldsOf(order.client_details).user_agent, 4_096),
    financial_status: textOf(order.financial_status, 255),
    order_analytics: given({
      landing_site: textOf(order.landing_site, 4_096),
      landing_site_ref: textOf(order.landing_site_ref),
      note_attributes: Array.isArray(order.note_attributes) ? notes(order) : undefined,
    }),
  })
}

/** The items that are still part of the order: those that an edit took out have the quantity 0. */
export function itemsOf(items: unknown, isCancelled: boolean): ReportedItem[] {
  return listOf(items)
    .filter((item) => quantityIn(item, isCancelled) !== 0)
    .slice(0, 1_000)
    .map((item) =>
      given({
        title: textOf(item.title, 2_000),
        quantity: quantityIn(item, isCancelled),
        price: amountOf(item.price),
        sku: textOf(item.sku, 255),
        weight: amountOf(item.grams),
        variant_title: textOf(item.variant_title),
        requires_shipping: typeof item.requires_shipping === 'boolean' ? item.requires_shipping : undefined,
        type: 'product',
        product_id: idOf(item.product_id),
        variant_id: idOf(item.variant_id),
      }),
    )
}

function quantityIn(item: Fields, isCancelled: boolean): number | undefined {
  return quantityOf(isCancelled ? item.quantity : (item.current_quantity ?? item.quantity))
}

/** Vouchers and services are not sent. */
function toSend(items: Fields[], isCancelled: boolean): number {
  return items
    .filter((item) => item.requires_shipping !== false)
    .reduce((sum, item) => sum + (quantityIn(item, isCancelled) ?? 1), 0)
}

function shippingPrice(order: Fields): number | undefined {
  const total = amountOf(fieldsOf(fieldsOf(order.total_shipping_price_set).shop_money).amount)
  if (total !== undefined || !Array.isArray(order.shipping_lines)) return total
  return listOf(order.shipping_lines).reduce((sum, line) => sum + (amountOf(line.price) ?? 0), 0)
}

function discountsOf(codes: unknown): OrderFields['discounts'] {
  return listOf(codes)
    .slice(0, 100)
    .map((code) =>
      given({ code: textOf(code.code, 255), amount: textOf(code.amount, 64), type: textOf(code.type, 100) }),
    )
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

/**
 * An id as text. Those of test messages are greater than a number in JavaScript is exact to, so the GraphQL id beside
 * it is read where there is one.
 */
export function exactId(
  id: unknown,
  graphqlId: unknown,
  kind?: 'Order' | 'Product' | 'Fulfillment',
): string | undefined {
  const exact = typeof graphqlId === 'string' ? /^gid:\/\/shopify\/(\w+)\/(\d+)$/.exec(graphqlId) : null
  if (exact !== null && exact[1] === kind) return exact[2]
  return idOf(id)
}
