/** Pieces of a line item in a parcel. */
export interface SentItem {
  itemId: string | undefined
  quantity: number
}

/**
 * What is left in each parcel after refunds: of an item, all parcels together have at most what is left of it. The first
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
