/** Pieces of a line item in a parcel. */
export interface SentItem {
  itemId: string | undefined
  quantity: number
}

/**
 * The items left in each parcel after refunds. The limit of an item applies to all parcels together, and the first
 * parcels keep theirs. Items without a limit stay.
 */
export function limitItems<Item extends SentItem>(parcels: Item[][], limits: ReadonlyMap<string, number>): Item[][] {
  const left = new Map(limits)
  return parcels.map((items) =>
    items.flatMap((item) => {
      const most = item.itemId === undefined ? undefined : left.get(item.itemId)
      if (item.itemId === undefined || most === undefined) return [item]
      const quantity = Math.min(item.quantity, most)
      left.set(item.itemId, most - quantity)
      return quantity > 0 ? [{ ...item, quantity }] : []
    }),
  )
}
