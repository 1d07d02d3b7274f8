import { type Fields, given, idOf, listOf, textOf, urlOf } from '../read-fields.ts'
import { localInstant } from './dates.ts'
import { readableText } from './text.ts'

/** A fulfilment of WooCommerce's own, from version 10.1 on: goods that were handed over, with or without a number. */
export interface OwnFulfilment {
  id: string
  numbers: string[]
  company?: string
  url?: string
  placedAt?: string
  items?: { itemId: string | undefined; quantity: unknown }[]
}

const maxFulfilments = 500

/** An order with fulfilments has their common status only; what they contain is fetched. */
export function lacksFulfilments(order: Fields): boolean {
  return fulfilmentStatus(order) !== undefined && !Array.isArray(order.fulfillments)
}

/** `fulfilled`, `partially_fulfilled` or `unfulfilled`; undefined without fulfilments. */
export function fulfilmentStatus(order: Fields): string | undefined {
  const status = textOf(listOf(order.meta_data).find(({ key }) => key === '_fulfillment_status')?.value, 100)
  return status === 'no_fulfillments' ? undefined : status
}

/** A draft is prepared, not handed over; a deleted one is not listed. */
export function ownFulfilments(order: Fields): OwnFulfilment[] {
  return listOf(order.fulfillments)
    .slice(0, maxFulfilments)
    .filter(({ is_fulfilled, date_deleted }) => is_fulfilled === true && date_deleted == null)
    .map((fulfilment) => {
      const meta = new Map(listOf(fulfilment.meta_data).map(({ key, value }) => [key, value]))
      const items = listOf(meta.get('_items')).map(({ item_id, qty }) => ({ itemId: idOf(item_id), quantity: qty }))
      const numbers = (textOf(meta.get('_tracking_number'), 4_096) ?? '').split(/[,;]/)
      return {
        // Ids of plug-ins' trackings could be the same.
        id: `fulfillment-${idOf(fulfilment.id) ?? ''}`,
        numbers: [...new Set(numbers.flatMap((number) => textOf(number, 255) ?? []))],
        ...given({
          company: companyOf(meta),
          url: urlOf(readableText(meta.get('_tracking_url'), 4_096)),
          placedAt: localInstant(meta.get('_date_fulfilled') ?? fulfilment.date_updated, order)?.toISOString(),
          items: items.length === 0 ? undefined : items,
        }),
      }
    })
}

/** The name that was entered, or the key of a provider that WooCommerce knows, such as `dhl`, from either of its two fields. */
function companyOf(meta: ReadonlyMap<unknown, unknown>): string | undefined {
  const provider = readableText(meta.get('_shipment_provider') ?? meta.get('_shipping_provider'), 255)
  const name = readableText(meta.get('_provider_name'), 255)
  return name ?? (provider === 'other' || provider === 'custom' ? undefined : provider)
}
