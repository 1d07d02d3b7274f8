import { isSameProduct } from '../../journey/orders/remaining.ts'
import type { OrderFields, ReportedItem, ReportedParcel } from '../../shop-systems/shop-system.ts'

/**
 * Two states of an order, put together: what the newer one says counts, and what it leaves out, such as pictures that
 * another kind of message had, is taken from the older. So the same messages lead to the same order in whatever order
 * they come, and a poor one erases nothing.
 */
export function mergeFields(newer: OrderFields, older: OrderFields): OrderFields {
  const merged = filled(newer, older)
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

/** A parcel that is reported of again; a message about it alone has less to say than its order. */
export function mergeParcel(newer: ReportedParcel, older: ReportedParcel | undefined): ReportedParcel {
  if (older === undefined) return newer
  const merged = filled(newer, older)
  if (!newer.products?.length || !older.products) return merged
  return { ...merged, products: mergeItems<ReportedItem>(newer.products, older.products, isSameProduct) }
}

/** With the fields of the older one that the newer one leaves empty. */
function filled<Value extends object>(newer: Value, older: Value): Value {
  const missing = Object.entries(older).filter(
    ([name, value]) => !isEmpty(value) && isEmpty((newer as Record<string, unknown>)[name]), // any name may be asked for
  )
  return missing.length === 0 ? newer : { ...newer, ...Object.fromEntries(missing) }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** The items of the newer list, each filled from the one of the older that it is; none serves twice. */
function mergeItems<Item extends object>(
  newer: Item[],
  older: Item[],
  isSame: (left: Item, right: Item) => boolean,
): Item[] {
  const left = [...older]
  return newer.map((item) => {
    const index = left.findIndex((other) => isSame(item, other))
    const [match] = index < 0 ? [] : left.splice(index, 1)
    return match ? filled(item, match) : item
  })
}

/** Two addresses are never mixed: the older one stays where it says the same and more. */
function mergeAddress<Address extends object>(newer: Address, older: Address): Address {
  const says = (name: string) => (older as Record<string, unknown>)[name] // any name may be asked for
  const isCovered = Object.entries(newer).every(([name, value]) => isEmpty(value) || value === says(name))
  return isCovered ? older : newer
}
