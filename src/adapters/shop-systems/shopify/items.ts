import { amountOf, type Fields, given, idOf, isFields, listOf, quantityOf, textOf } from '../read-fields.ts'
import { withQuantity } from '../settle.ts'
import type { ReportedItem } from '../shop-system.ts'
import type { AmountReader } from './amounts.ts'

/** The quantity of a line item, which depends on the kind of message. */
export type QuantityOf = (item: Fields) => number | undefined

/** Inside a fulfilment, `quantity` is what that fulfilment contains. */
export const statedQuantity: QuantityOf = (item) => quantityOf(item.quantity)

/** The quantity that is still part of the order: edits and refunds reduce `current_quantity`. */
export function currentQuantity(order: Fields): QuantityOf {
  const refunded = refundedQuantities(order)
  return (item) => {
    const current = quantityOf(item.current_quantity)
    if (current !== undefined) return current
    const ordered = quantityOf(item.quantity)
    return ordered === undefined ? undefined : Math.max(0, ordered - (refunded.get(idOf(item.id)) ?? 0))
  }
}

/** Refunded quantity by line item; older API versions have no `current_quantity`. */
function refundedQuantities(order: Fields): Map<string | undefined, number> {
  const refunded = new Map<string | undefined, number>()
  for (const line of listOf(order.refunds).flatMap((refund) => listOf(refund.refund_line_items))) {
    const id = idOf(line.line_item_id)
    refunded.set(id, (refunded.get(id) ?? 0) + (quantityOf(line.quantity) ?? 0))
  }
  return refunded
}

/** The items, without tips. Those of a fulfilment get their amounts from the order, which alone knows of its taxes. */
export function itemsOf(items: unknown, quantity: QuantityOf, amounts?: AmountReader): ReportedItem[] {
  return listOf(items)
    .filter((item) => quantity(item) !== 0 && !isTip(item))
    .slice(0, 1_000)
    .map((item) => itemOf(item, quantity, amounts))
}

function itemOf(item: Fields, quantity: QuantityOf, amounts: AmountReader | undefined): ReportedItem {
  const ordered = given({
    title: textOf(item.title, 2_000),
    quantity: amounts ? quantityOf(item.quantity) : quantity(item),
    ...amounts?.lineAmounts(item),
    sku: textOf(item.sku, 255),
    weight: amountOf(item.grams),
    variant_title: textOf(item.variant_title),
    requires_shipping: requiresShipping(item),
    properties: propertiesOf(item.properties),
    type: 'product',
    product_id: idOf(item.product_id),
    variant_id: idOf(item.variant_id),
  })
  const current = quantity(item)
  return amounts && current !== undefined ? withQuantity(ordered, current, amounts.money.currency) : ordered
}

/** A tip is a line item, but nothing that is sold. Only tips have this field, which may be null. */
export function isTip(item: Fields): boolean {
  return 'tip_payment_gateway' in item
}

/** Vouchers and services are not shipped. */
export function isSent(item: Fields): boolean {
  return requiresShipping(item) !== false && !isTip(item)
}

function requiresShipping(item: Fields): boolean | undefined {
  if (item.gift_card === true) return false
  return typeof item.requires_shipping === 'boolean' ? item.requires_shipping : undefined
}

/**
 * A list of name/value pairs, or one object. Names that start with an underscore are private to the shop and not shown.
 */
function propertiesOf(value: unknown): ReportedItem['properties'] {
  const entries = isFields(value)
    ? Object.entries(value)
    : listOf(value).map(({ name, value }): [unknown, unknown] => [name, value])
  const properties = entries.flatMap(([key, content]) => {
    const name = textOf(key, 255)
    const text = textOf(content)
    return name === undefined || name.startsWith('_') || text === undefined ? [] : [{ name, value: text }]
  })
  return properties.length === 0 ? undefined : properties.slice(0, 50)
}
