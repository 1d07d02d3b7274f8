import { type Fields, given, instantOf, isoOf, listOf, quantityOf, textOf, urlOf } from '../read-fields.ts'
import type { ReportedFulfilment } from '../shop-system.ts'
import { exactId, itemsOf } from './order.ts'

/** States in which nothing is on its way. */
const ended = new Set(['cancelled', 'error', 'failure'])

/** One fulfilment, as it comes by itself and as it stands in its order. */
export function readFulfilment(fulfillment: Fields, sentAt: Date | undefined): ReportedFulfilment {
  const items = listOf(fulfillment.line_items)
  const company = textOf(fulfillment.tracking_company, 255)
  const urls = textsOf(fulfillment.tracking_urls, fulfillment.tracking_url)
  const placedAt = isoOf(fulfillment.created_at)
  // A line item in a fulfilment has the quantity that is in it; what is current of the order is another matter.
  const products = itemsOf(items, true)
  return {
    id: exactId(fulfillment.id, fulfillment.admin_graphql_api_id, 'Fulfillment') ?? '',
    changedAt: instantOf(fulfillment.updated_at),
    sentAt,
    isActive: !ended.has(String(fulfillment.status).toLowerCase()),
    quantity: items.length === 0 ? undefined : items.reduce((sum, item) => sum + (quantityOf(item.quantity) ?? 1), 0),
    parcels: numbersOf(fulfillment).map((tracking_number, index) => ({
      tracking_number,
      ...given({
        tracking_company: company,
        tracking_url: urlOf(urls[index]),
        tracking_placed_at: placedAt,
        products: products.length === 0 ? undefined : products,
      }),
    })),
  }
}

/** Each number once; people also type several into one field. */
function numbersOf(fulfillment: Fields): string[] {
  const numbers = textsOf(fulfillment.tracking_numbers, fulfillment.tracking_number)
  const typed = numbers.flatMap((text) => text.split(/[,;]/)).map((number) => number.trim())
  return [...new Set(typed.filter((number) => number !== ''))]
}

function textsOf(several: unknown, one: unknown): string[] {
  const list = Array.isArray(several) && several.length > 0 ? several : [one]
  return list.flatMap((value) => textOf(value, 4_096) ?? [])
}
