import { latest } from '../../foundation/clock.ts'
import {
  amountOf,
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
import type { Attribute, OrderFields, ReportedAddress, ReportedItem, ReportedOrder } from '../shop-system.ts'
import { readDelivery } from './delivery.ts'

/** An order of Shopware 6 as its events carry it, with the associations that they load. */
export function readOrder(order: Fields, event: string, sentAt: Date | undefined): ReportedOrder {
  const id = textOf(order.id, 255)
  const orderNumber = textOf(order.orderNumber, 255)
  requireFields([
    { loc: ['data', 'payload', 'order', 'id'], value: id },
    { loc: ['data', 'payload', 'order', 'orderNumber'], value: orderNumber },
  ])
  const items = soldItems(order)
  const changedAt = lastChange(order)
  const deliveries = listOf(order.deliveries)
  return {
    id: id ?? '',
    orderNumber: orderNumber ?? '',
    changedAt,
    sentAt,
    fields: fieldsFrom(order),
    cancelledAt: cancelledAt(order, event, changedAt ?? sentAt),
    isRestored: false,
    quantity: items.length === 0 ? undefined : items.reduce((sum, item) => sum + (quantityOf(item.quantity) ?? 1), 0),
    fulfilments: deliveries.flatMap((delivery) => readDelivery(delivery, items, changedAt, sentAt)),
    hasAllFulfilments: Array.isArray(order.deliveries),
    attributes: [...customFields(order), ...plainFields(order)],
  }
}

/** A change of a delivery or an address leaves the time of the order itself as it was. */
function lastChange(order: Fields): Date | undefined {
  const parts = [order, fieldsOf(order.orderCustomer), ...listOf(order.deliveries), ...listOf(order.lineItems)]
  const addresses = listOf(order.deliveries).map(({ shippingOrderAddress }) => fieldsOf(shippingOrderAddress))
  return latest(
    [...parts, ...addresses].flatMap(({ updatedAt, createdAt }) => [instantOf(updatedAt), instantOf(createdAt)]),
  )
}

function cancelledAt(order: Fields, event: string, at: Date | undefined): Date | null | undefined {
  const entered = /^state_enter\.order\.state\.(\w+)$/.exec(event)?.[1]
  const state = textOf(fieldsOf(order.stateMachineState).technicalName) ?? entered
  if (state === undefined) return event === 'checkout.order.placed' ? null : undefined
  return state === 'cancelled' ? (at ?? null) : null
}

function fieldsFrom(order: Fields): OrderFields {
  const customer = fieldsOf(order.orderCustomer)
  const delivery = listOf(order.deliveries).find(({ shippingOrderAddress }) => isFields(shippingOrderAddress))
  const billing = listOf(order.addresses).find(({ id }) => id !== undefined && id === order.billingAddressId)
  return given({
    order_placed_at: isoOf(order.orderDateTime) ?? isoOf(order.createdAt),
    total_order_price: amountOf(order.amountTotal),
    shipping_price: amountOf(order.shippingTotal),
    sub_total_price: amountOf(order.positionPrice),
    products: Array.isArray(order.lineItems) ? soldItems(order).slice(0, 1_000).map(itemOf) : undefined,
    discounts: Array.isArray(order.lineItems) ? discountsOf(order) : undefined,
    email_id: textOf(customer.email, 320),
    address: addressOf(delivery?.shippingOrderAddress) ?? addressOf(order.billingAddress) ?? addressOf(billing),
    currency: currencyOf(fieldsOf(order.currency).isoCode),
    external_customer_id: textOf(customer.customerId, 255) ?? textOf(customer.customerNumber, 255),
  })
}

function soldItems(order: Fields): Fields[] {
  return listOf(order.lineItems).filter(({ type }) => type === undefined || type === 'product' || type === 'custom')
}

export function itemOf(item: Fields): ReportedItem {
  const payload = fieldsOf(item.payload)
  const options = listOf(payload.options).flatMap(({ option }) => textOf(option) ?? [])
  const image = urlOf(fieldsOf(item.cover).url)
  const productId = textOf(item.productId ?? item.referencedId, 255)
  return given({
    title: textOf(item.label, 2_000),
    quantity: quantityOf(item.quantity),
    price: amountOf(item.unitPrice),
    sku: textOf(payload.productNumber, 255),
    variant_title: textOf(options.join(' / ')),
    images: image === undefined ? undefined : [{ src: image }],
    type: 'product',
    // Each variant is a product of its own, below the one that it is a variant of.
    product_id: textOf(payload.parentId, 255) ?? productId,
    variant_id: productId,
  })
}

function discountsOf(order: Fields): OrderFields['discounts'] {
  return listOf(order.lineItems)
    .filter(({ type }) => type === 'promotion')
    .slice(0, 100)
    .map((item) => {
      const { code, discountType } = fieldsOf(item.payload)
      const amount = amountOf(item.totalPrice)
      return given({
        code: textOf(code, 255) ?? textOf(item.label, 255),
        amount: amount === undefined ? undefined : Math.abs(amount).toFixed(2),
        type: textOf(discountType, 100),
      })
    })
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
