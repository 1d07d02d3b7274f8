import type { OrderFields, ReportedItem, ReportedParcel } from '../../adapters/shop-systems/shop-system.ts'
import { isSameProduct } from '../../orders/orders/remaining.ts'

/**
 * Merges two states of an order: the newer one wins, and fields that it lacks, such as images from another kind of
 * message, come from the older one. So messages lead to the same order in any sequence, and an incomplete one erases
 * nothing.
 */
export function mergeFields(newer: OrderFields, older: OrderFields): OrderFields {
  // Fees belong to the sums of their message: with those of another one, the parts would not add up.
  const { fees: _fees, ...others } = older
  const merged = filled(newer, newer.products?.length ? others : older)
  return {
    ...merged,
    ...(newer.products?.length && older.products
      ? { products: mergeItems(newer.products, older.products, isSameProduct) }
      : {}),
    ...(newer.discounts?.length && older.discounts
      ? { discounts: mergeItems(newer.discounts, older.discounts, (left, right) => left.code === right.code) }
      : {}),
    ...(newer.address && older.address ? { address: mergeAddress(newer.address, older.address) } : {}),
    ...(newer.order_analytics && older.order_analytics
      ? { order_analytics: filled(newer.order_analytics, older.order_analytics) }
      : {}),
  }
}

/** Merges two reports of a parcel. A message about a fulfilment alone has fewer details than its order. */
export function mergeParcel(newer: ReportedParcel, older: ReportedParcel | undefined): ReportedParcel {
  if (older === undefined) return newer
  const merged = filled(newer, older)
  if (!newer.products?.length || !older.products) return merged
  return { ...merged, products: mergeItems<ReportedItem>(newer.products, older.products, isSameProduct) }
}

/** Fills the empty fields of the newer value from the older one. */
function filled<Value extends object>(newer: Value, older: Value): Value {
  const missing = Object.entries(older).filter(
    ([name, value]) => !isEmpty(value) && isEmpty((newer as Record<string, unknown>)[name]), // read by name only
  )
  return missing.length === 0 ? newer : { ...newer, ...Object.fromEntries(missing) }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Fills each item of the newer list from its counterpart in the older one; each counterpart is used once. */
function mergeItems<Item extends object>(
  newer: Item[],
  older: Item[],
  isSame: (left: Item, right: Item) => boolean,
): Item[] {
  const left = [...older]
  return newer.map((item) => {
    const index = left.findIndex((other) => isSame(item, other))
    const [match] = index < 0 ? [] : left.splice(index, 1)
    return match ? filled(item, ofSameQuantity(item, match)) : item
  })
}

/** The older item, without what it amounted to if that was for another number of pieces. */
function ofSameQuantity<Item extends object>(newer: Item, older: Item): Item {
  const [left, right]: ReportedItem[] = [newer, older] // items; discounts have no such fields
  if (left?.quantity === right?.quantity) return older
  return { ...older, line_subtotal: undefined, line_total: undefined }
}

/** Addresses are never mixed: the older one stays if it agrees with the newer one and has more. */
function mergeAddress<Address extends object>(newer: Address, older: Address): Address {
  const says = (name: string) => (older as Record<string, unknown>)[name] // read by name only
  const isCovered = Object.entries(newer).every(([name, value]) => isEmpty(value) || value === says(name))
  return isCovered ? older : newer
}
