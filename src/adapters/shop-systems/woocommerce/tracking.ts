import { currencyOf, type Fields, given } from '../read-fields.ts'
import { limitItems, type SentItem } from '../remaining-items.ts'
import { createParcelItems, type ParcelItems } from '../settle.ts'
import type { ReportedFulfilment, ReportedItem, ReportedParcel } from '../shop-system.ts'
import { ownFulfilments } from './fulfilments.ts'
import { countOf } from './items.ts'
import { fromDhl, fromMyParcel, fromShiptastic, fromWooCommerceShipping } from './label-plugins.ts'
import { itemOfLine, type Line, orderedLines, piecesOf } from './lines.ts'
import { type Meta, metaOf, type PluginTracking } from './plugin-fields.ts'
import { remainingQuantities } from './refunds.ts'
import { statusOf } from './status.ts'
import {
  fromAfterShip,
  fromOrdersTracking,
  fromParcelPanel,
  fromPlainFields,
  fromShipmentTracking,
  fromYith,
} from './tracking-lists.ts'

/** Goods that were sent together, from WooCommerce's own fulfilments or from a plug-in. */
interface Sent {
  id: string
  numbers: string[]
  company?: string
  url?: string
  placedAt?: string
  items?: SentPiece[]
}

interface SentPiece extends SentItem {
  productId?: string
}

/**
 * WooCommerce's own fulfilments, and each number of a plug-in that is in none of them, with the order's own time of change.
 * Refunded items are removed from their parcel.
 */
export function readFulfilments(order: Fields, changedAt: Date | undefined): ReportedFulfilment[] {
  const all = sentIn(order)
  const lines = all.length === 0 ? [] : orderedLines(order)
  const left = limitItems(
    all.map(({ items = [] }) => items),
    remainingQuantities(order),
  )
  const parcels = createParcelItems(currencyOf(order.currency))
  return all.map((sent, index): ReportedFulfilment => {
    const own = left[index] ?? []
    // A parcel of which nothing is left is shown as it was sent: without products, it would have those of the order.
    const contents = contentsOf(own.length > 0 ? own : sent.items, lines, parcels)
    return {
      id: sent.id,
      changedAt,
      sentAt: undefined,
      isActive: true,
      quantity: contents ? (own.length > 0 ? contents.pieces : 0) : remaining(order),
      parcels: sent.numbers.map((number) => parcelOf(number, sent, contents?.products)),
    }
  })
}

function sentIn(order: Fields): Sent[] {
  const own = ownFulfilments(order)
  const taken = new Set(own.flatMap(({ numbers }) => numbers))
  const others = pluginTrackings(order)
    .filter(({ number }) => !taken.has(number))
    .map(({ number, ...tracking }) => ({ ...tracking, numbers: [number] }))
  return [...own, ...others].map(({ items, ...sent }) => ({
    ...sent,
    ...given({
      items: items?.map(({ quantity, ...item }): SentPiece => ({ ...item, quantity: countOf(quantity) ?? 1 })),
    }),
  }))
}

function parcelOf(number: string, { company, url, placedAt }: Sent, products?: ReportedItem[]): ReportedParcel {
  return {
    tracking_number: number,
    ...given({ tracking_company: company, tracking_url: url, tracking_placed_at: placedAt, products }),
  }
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

/** The items listed for a parcel. A plug-in may list a bundle, its contents, or both, which are the same goods. */
function contentsOf(items: SentPiece[] | undefined, lines: Line[], parcels: ParcelItems): Contents | undefined {
  if (items === undefined) return undefined
  const listed = new Map<string | undefined, number>()
  for (const { itemId, quantity } of items) listed.set(itemId, (listed.get(itemId) ?? 0) + quantity)
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
    products.push(given({ product_id: productId, quantity }))
    pieces += quantity
  }
  return { products, pieces }
}

/** Those that say most of a parcel come first: of a number that occurs twice, the first counts. */
const readers: ((meta: Meta, order: Fields) => PluginTracking[])[] = [
  fromShipmentTracking,
  fromAfterShip,
  fromParcelPanel,
  fromOrdersTracking,
  fromShiptastic,
  fromWooCommerceShipping,
  fromDhl,
  fromMyParcel,
  fromYith,
  fromPlainFields,
]

/** The numbers of all plug-ins. A shop may have switched plug-ins, so a number may occur twice. */
function pluginTrackings(order: Fields): PluginTracking[] {
  const meta = metaOf(order)
  const all = readers.flatMap((read) => read(meta, order))
  return all.filter(({ number }, index) => all.findIndex((other) => other.number === number) === index)
}
