import { type Fields, idOf, listOf, quantityOf } from '../read-fields.ts'
import { limitItems, type SentItem } from '../remaining-items.ts'
import type { ReportedFulfilment } from '../shop-system.ts'
import { type QuantityOf, statedQuantity } from './items.ts'

interface Piece extends SentItem {
  item: Fields
}

/**
 * The fulfilments of an order, without what was refunded: a fulfilment itself always has what was put into it. Of a
 * cancelled order, all quantities are those that were ordered.
 */
export function readFulfilments(
  order: Fields,
  current: QuantityOf,
  read: (fulfillment: Fields) => ReportedFulfilment | undefined,
): ReportedFulfilment[] {
  const all = listOf(order.fulfillments).flatMap((fulfillment) => {
    const fulfilment = read(fulfillment)
    const pieces = fulfilment?.isActive ? listOf(fulfillment.line_items).map(pieceOf) : []
    return fulfilment ? [{ fulfillment, fulfilment, pieces }] : []
  })
  if (current === statedQuantity) return all.map(({ fulfilment }) => fulfilment)
  const parcels = all.map(({ pieces }) => pieces)
  const left = limitItems(parcels, limitsOf(order, current, parcels.flat()))
  return all.map(({ fulfillment, fulfilment, pieces }, index) => {
    const own = left[index] ?? []
    if (pieces.length === 0) return fulfilment
    // A parcel of which nothing is left is shown as it was sent: without products, it would have those of the order.
    if (own.length === 0) return { ...fulfilment, quantity: 0 }
    const line_items = own.map(({ item, quantity }) => ({ ...item, quantity }))
    return read({ ...fulfillment, line_items }) ?? fulfilment
  })
}

function pieceOf(item: Fields): Piece {
  return { itemId: idOf(item.id), quantity: quantityOf(item.quantity) ?? 1, item }
}

/** Refunds take from what was not sent yet, except returns, which were. */
function limitsOf(order: Fields, current: QuantityOf, pieces: Piece[]): Map<string, number> {
  const returned = new Map<string | undefined, number>()
  for (const line of listOf(order.refunds).flatMap((refund) => listOf(refund.refund_line_items))) {
    if (line.restock_type !== 'return') continue
    const id = idOf(line.line_item_id)
    returned.set(id, (returned.get(id) ?? 0) + (quantityOf(line.quantity) ?? 0))
  }
  const sent = new Map<string | undefined, number>()
  for (const { itemId, quantity } of pieces) sent.set(itemId, (sent.get(itemId) ?? 0) + quantity)
  return new Map(
    listOf(order.line_items).flatMap((item): [string, number][] => {
      const id = idOf(item.id)
      const quantity = current(item)
      if (id === undefined || quantity === undefined) return []
      return [[id, Math.min(quantity, Math.max(0, (sent.get(id) ?? 0) - (returned.get(id) ?? 0)))]]
    }),
  )
}
