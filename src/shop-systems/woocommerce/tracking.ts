import { type Fields, given, idOf, listOf, quantityOf, textOf, unixInstant, urlOf } from '../read-fields.ts'
import type { ReportedFulfilment, ReportedItem } from '../shop-system.ts'
import { itemOf } from './order.ts'

/** Where both Shipment Tracking and Advanced Shipment Tracking keep what they know; the core has no trackings. */
const metaKey = '_wc_shipment_tracking_items'

/** Each tracking number is a fulfilment of its own, with the order's own time of change. */
export function readTrackings(order: Fields, changedAt: Date | undefined): ReportedFulfilment[] {
  const lineItems = new Map(listOf(order.line_items).map((item) => [idOf(item.id), item]))
  // Both plug-ins may be there, one after the other; the last entry of the key is the one that counts.
  const meta = listOf(order.meta_data).findLast(({ key }) => key === metaKey)
  return listOf(meta?.value).flatMap((tracking) => {
    const number = textOf(tracking.tracking_number, 255)
    if (number === undefined) return []
    const products = productsOf(tracking, lineItems)
    return [
      {
        id: textOf(tracking.tracking_id, 255) ?? number,
        changedAt,
        sentAt: undefined,
        isActive: true,
        quantity: products?.reduce((sum, { quantity }) => sum + (quantity ?? 1), 0) ?? remaining(order),
        parcels: [
          {
            tracking_number: number,
            ...given({
              tracking_company: companyOf(tracking),
              tracking_url: urlOf(tracking.custom_tracking_link) ?? urlOf(tracking.ast_tracking_link),
              tracking_placed_at: unixInstant(tracking.date_shipped)?.toISOString(),
              products,
            }),
          },
        ],
      },
    ]
  })
}

/** Without a list of products a number covers all of them, unless the order says that there is more to come. */
function remaining(order: Fields): number | undefined {
  return order.status === 'partial-shipped' ? 0 : undefined
}

function companyOf(tracking: Fields): string | undefined {
  return (
    textOf(tracking.custom_tracking_provider, 255) ??
    textOf(tracking.formatted_tracking_provider, 255) ??
    textOf(tracking.tracking_provider, 255)
  )
}

/** Advanced Shipment Tracking says which items are in a parcel: `[{ item_id, product, qty }]`. */
function productsOf(tracking: Fields, lineItems: Map<string | undefined, Fields>): ReportedItem[] | undefined {
  const listed = listOf(tracking.products_list)
  if (listed.length === 0) return undefined
  return listed.map((entry) => {
    const item = lineItems.get(idOf(entry.item_id))
    const quantity = quantityOf(entry.qty) ?? 1
    return item === undefined ? given({ product_id: idOf(entry.product), quantity }) : { ...itemOf(item), quantity }
  })
}
