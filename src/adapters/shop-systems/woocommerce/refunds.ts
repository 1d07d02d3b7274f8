import { type Fields, idOf, listOf } from '../read-fields.ts'
import { countOf } from './items.ts'
import { refundedQuantities } from './lines.ts'
import { isFullyRefunded } from './status.ts'

/** The message has the totals of refunds only, and not all of the money was refunded. */
export function lacksRefundedItems(order: Fields): boolean {
  return !isFullyRefunded(order) && listOf(order.refunds).some(({ line_items }) => !Array.isArray(line_items))
}

/** How many pieces of each line are left, by its id. A fully refunded order is shown as it was ordered. */
export function remainingQuantities(order: Fields): Map<string, number> {
  if (isFullyRefunded(order)) return new Map()
  const refunded = refundedQuantities(order)
  return new Map(
    listOf(order.line_items).flatMap((item): [string, number][] => {
      const id = idOf(item.id)
      return id === undefined ? [] : [[id, Math.max(0, (countOf(item.quantity) ?? 1) - (refunded.get(id) ?? 0))]]
    }),
  )
}
