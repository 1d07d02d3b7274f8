import { decimalsOf, partOf, sumOf } from '../../platform/foundation/amounts.ts'
import type { OrderFields, ReportedItem } from './shop-system.ts'

/** Some pieces of an item: its amounts follow the quantity. */
export function withQuantity(
  item: ReportedItem,
  count: number,
  currency: string | undefined,
  before = 0,
): ReportedItem {
  const of = item.quantity ?? 1
  if (count === of && before === 0) return item
  const part = (amount: number) => partOf(amount, { of, count, before }, currency)
  const { line_subtotal, line_total } = item
  return {
    ...item,
    quantity: count,
    ...(line_subtotal === undefined ? {} : { line_subtotal: part(line_subtotal) }),
    ...(line_total === undefined ? {} : { line_total: part(line_total) }),
  }
}

/** The contents of an order's parcels: what a line amounts to is divided among the parcels that its pieces are in. */
export interface ParcelItems {
  currency: string | undefined
  take(lineId: string, item: ReportedItem, count: number): ReportedItem
}

export function createParcelItems(currency: string | undefined): ParcelItems {
  const taken = new Map<string, number>()
  return {
    currency,
    take(lineId, item, count) {
      // A parcel sent again has pieces that another had before.
      const before = Math.max(0, Math.min(taken.get(lineId) ?? 0, (item.quantity ?? 1) - count))
      taken.set(lineId, before + count)
      return withQuantity(item, count, currency, before)
    },
  }
}

/** The parts of an order's total, tax included; `goods` before the discount. */
export interface Parts {
  goods: number
  shipping: number
  discount: number
  fees: NonNullable<OrderFields['fees']>
  discounts: NonNullable<OrderFields['discounts']>
}

/**
 * Makes the parts add up to the total. Shop systems round lines, taxes and totals by themselves, and some countries round
 * what is paid to five of the smallest coins. A larger gap is no rounding: the message does not say what it is.
 */
export function settle(parts: Parts, total: number, currency: string | undefined): Parts {
  const gap = gapOf(parts, total)
  if (gap === 0 || Math.abs(gap) > 5 / 10 ** decimalsOf(currency)) return parts
  return { ...parts, fees: [...parts.fees, { name: 'Rounding', amount: gap }] }
}

/** How much the total is more than its parts. */
export function gapOf({ goods, shipping, discount, fees }: Parts, total: number): number {
  return sumOf([total, -goods, -shipping, discount, ...fees.map(({ amount }) => -(amount ?? 0))])
}
