import { currencyOf, type Fields, given } from '../read-fields.ts'
import { createParcelItems, type ParcelItems } from '../settle.ts'
import type { ReportedFulfilment, ReportedItem } from '../shop-system.ts'
import { countOf } from './items.ts'
import { itemOfLine, type Line, orderedLines, piecesOf } from './lines.ts'
import { statusOf } from './status.ts'
import { type PluginTracking, pluginTrackings } from './tracking-plugins.ts'

/** Each tracking number becomes a fulfilment, with the order's own time of change. */
export function readTrackings(order: Fields, changedAt: Date | undefined): ReportedFulfilment[] {
  const trackings = pluginTrackings(order)
  const lines = trackings.length === 0 ? [] : orderedLines(order)
  const parcels = createParcelItems(currencyOf(order.currency))
  return trackings.map((tracking) => {
    const contents = contentsOf(tracking, lines, parcels)
    return {
      id: tracking.id,
      changedAt,
      sentAt: undefined,
      isActive: true,
      quantity: contents?.pieces ?? remaining(order),
      parcels: [
        {
          tracking_number: tracking.number,
          ...given({
            tracking_company: tracking.company,
            tracking_url: tracking.url,
            tracking_placed_at: tracking.placedAt,
            products: contents?.products,
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

interface Contents {
  products: ReportedItem[]
  pieces: number
}

/** Contents that cost nothing by themselves are paid for with their bundle. */
function ownItem({ item }: Line): ReportedItem {
  if (item.line_subtotal !== 0) return item
  const { price: _price, line_subtotal: _before, line_total: _sold, ...rest } = item
  return rest
}

/** What a plug-in lists for a parcel. It may list a bundle, its contents, or both, which are the same goods. */
function contentsOf({ items }: PluginTracking, lines: Line[], parcels: ParcelItems): Contents | undefined {
  if (items === undefined) return undefined
  const listed = new Map<string | undefined, number>()
  for (const { itemId, quantity } of items) listed.set(itemId, (listed.get(itemId) ?? 0) + (countOf(quantity) ?? 1))
  const products: ReportedItem[] = []
  let pieces = 0
  for (const line of lines) {
    const own = listed.get(line.id)
    const inside = line.contents.flatMap((content) => {
      const quantity = listed.get(content.id)
      return quantity === undefined ? [] : [{ content, quantity }]
    })
    if (own === undefined && inside.length === 0) continue
    if (own !== undefined) products.push(parcels.take(line.id ?? '', itemOfLine(line, parcels.currency), own))
    else
      products.push(
        ...inside.map(({ content, quantity }) => parcels.take(content.id ?? '', ownItem(content), quantity)),
      )
    const alone = inside.filter(({ content }) => content.isSentAlone)
    if (alone.length > 0) pieces += alone.reduce((sum, { quantity }) => sum + quantity, 0)
    else pieces += Math.round((piecesOf(line) * (own ?? line.item.quantity ?? 1)) / (line.item.quantity || 1))
  }
  const known = new Set(lines.flatMap(({ id, contents }) => [id, ...contents.map((content) => content.id)]))
  for (const { itemId, productId, quantity } of items) {
    if (known.has(itemId)) continue
    const count = countOf(quantity) ?? 1
    products.push(given({ product_id: productId, quantity: count }))
    pieces += count
  }
  return { products, pieces }
}
