import { type Fields, given, idOf, listOf } from '../read-fields.ts'
import type { ReportedFulfilment, ReportedItem } from '../shop-system.ts'
import { countOf, itemOf } from './items.ts'
import { statusOf } from './status.ts'
import { type PluginTracking, pluginTrackings } from './tracking-plugins.ts'

/** Each tracking number becomes a fulfilment, with the order's own time of change. */
export function readTrackings(order: Fields, changedAt: Date | undefined): ReportedFulfilment[] {
  const lineItems = new Map(listOf(order.line_items).map((item) => [idOf(item.id), item]))
  return pluginTrackings(order).map((tracking) => {
    const products = productsOf(tracking, lineItems)
    return {
      id: tracking.id,
      changedAt,
      sentAt: undefined,
      isActive: true,
      quantity: products?.reduce((sum, { quantity }) => sum + (quantity ?? 1), 0) ?? remaining(order),
      parcels: [
        {
          tracking_number: tracking.number,
          ...given({
            tracking_company: tracking.company,
            tracking_url: tracking.url,
            tracking_placed_at: tracking.placedAt,
            products,
          }),
        },
      ],
    }
  })
}

/** A number without a list of products covers all of them, unless the order says that more will follow. */
function remaining(order: Fields): number | undefined {
  return statusOf(order) === 'partial-shipped' ? 0 : undefined
}

function productsOf({ items }: PluginTracking, lineItems: Map<string | undefined, Fields>): ReportedItem[] | undefined {
  return items?.map(({ itemId, productId, quantity }) => {
    const item = lineItems.get(itemId)
    const count = countOf(quantity) ?? 1
    return item === undefined ? given({ product_id: productId, quantity: count }) : { ...itemOf(item), quantity: count }
  })
}
