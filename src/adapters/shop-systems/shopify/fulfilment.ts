import { type Fields, given, instantOf, isoOf, listOf, quantityOf, textOf, urlOf } from '../read-fields.ts'
import type { ReportedFulfilment } from '../shop-system.ts'
import { exactId } from './ids.ts'
import { isSent, itemsOf, statedQuantity } from './items.ts'
import { readShipmentStatus } from './shipment-status.ts'

/** States in which nothing is in transit. */
const ended = new Set(['cancelled', 'error', 'failure'])

/**
 * One fulfilment, from its own message or from its order. Undefined if nothing is shipped: Shopify also fulfils gift
 * cards and downloads, which have no parcel.
 */
export function readFulfilment(fulfillment: Fields, sentAt: Date | undefined): ReportedFulfilment | undefined {
  const items = listOf(fulfillment.line_items)
  const numbers = numbersOf(fulfillment)
  if (numbers.length === 0 && items.length > 0 && !items.some(isSent)) return undefined
  const company = textOf(fulfillment.tracking_company, 255)
  const urls = textsOf(fulfillment.tracking_urls, fulfillment.tracking_url)
  const placedAt = isoOf(fulfillment.created_at)
  const products = itemsOf(items, statedQuantity)
  const scan = readShipmentStatus(fulfillment)
  const sent = items.filter(isSent)
  return {
    id: exactId(fulfillment.id, fulfillment.admin_graphql_api_id, 'Fulfillment') ?? '',
    changedAt: instantOf(fulfillment.updated_at),
    sentAt,
    isActive: !ended.has(String(fulfillment.status).toLowerCase()),
    quantity: items.length === 0 ? undefined : sent.reduce((sum, item) => sum + (quantityOf(item.quantity) ?? 1), 0),
    parcels: numbers.map((tracking_number, index) => ({
      tracking_number,
      ...given({
        tracking_company: company,
        tracking_url: urlOf(urls[index]),
        tracking_placed_at: placedAt,
        products: products.length === 0 ? undefined : products,
      }),
    })),
    ...(scan ? { scans: [scan] } : {}),
  }
}

/** Each number once; merchants sometimes enter several in one field. */
function numbersOf(fulfillment: Fields): string[] {
  const numbers = textsOf(fulfillment.tracking_numbers, fulfillment.tracking_number)
  return [...new Set(numbers.flatMap((text) => text.split(/[,;]/)).flatMap((number) => textOf(number, 255) ?? []))]
}

function textsOf(several: unknown, one: unknown): string[] {
  const list = Array.isArray(several) && several.length > 0 ? several : [one]
  return list.flatMap((value) => textOf(value, 4_096) ?? [])
}
