import type { Product } from '../../orders/orders/parts.ts'
import { type FormItem, toClaimedItem, toFormItems } from '../claims/form-items.ts'
import type { ClaimItemInput } from '../claims/schema.ts'
import { isExempt } from './rules.ts'
import type { WithdrawalSettings } from './schema.ts'

/** A line of an order, with how much of it can still be withdrawn from. */
export interface WithdrawableItem extends FormItem {
  isExempt: boolean
  /** Neither exempt nor withdrawn from before. */
  remaining: number
}

/** A product of the order, as the catalogue has it. */
export interface KnownProduct {
  product_id: string
  variant_id: string
  category: string | null
  withdrawal_exempt: boolean
}

export interface ChosenItem {
  key: string
  quantity: number
}

export function itemsOf(
  { products, currency }: { products: readonly Product[] | null; currency: string | null },
  known: readonly KnownProduct[],
  settings: Pick<WithdrawalSettings, 'exempt_categories'>,
  withdrawn: readonly ChosenItem[],
): WithdrawableItem[] {
  return toFormItems(products ?? [], currency).map((item) => {
    const exempt = isExemptProduct(item.product, known, settings)
    const before = withdrawn.filter(({ key }) => key === item.key).reduce((sum, { quantity }) => sum + quantity, 0)
    return { ...item, isExempt: exempt, remaining: exempt ? 0 : Math.max(0, item.quantity - before) }
  })
}

/** All that can still be withdrawn from. */
export function everything(items: readonly WithdrawableItem[]): ChosenItem[] {
  return items.filter(({ remaining }) => remaining > 0).map(({ key, remaining }) => ({ key, quantity: remaining }))
}

/** The lines as a claim has them; undefined if one of them cannot be withdrawn from, or not so often. */
export function toClaimedItems(
  items: readonly WithdrawableItem[],
  chosen: readonly ChosenItem[],
): ClaimItemInput[] | undefined {
  const claimed: ClaimItemInput[] = []
  for (const { key, quantity } of chosen) {
    const item = items.find((one) => one.key === key)
    if (item === undefined || quantity < 1 || quantity > item.remaining) return undefined
    claimed.push(toClaimedItem(item, quantity, item.quantity - item.remaining))
  }
  return claimed
}

/** Whether the choice is all that was ordered. */
export function isWholeOrder(items: readonly WithdrawableItem[], chosen: readonly ChosenItem[]): boolean {
  const quantities = new Map(chosen.map(({ key, quantity }) => [key, quantity]))
  return items.every(({ key, quantity }) => quantities.get(key) === quantity)
}

/** The variant itself if it is in the catalogue, else any variant of the product. */
function isExemptProduct(
  { product_id, variant_id }: Product,
  known: readonly KnownProduct[],
  settings: Pick<WithdrawalSettings, 'exempt_categories'>,
): boolean {
  if (product_id === null || product_id === undefined) return false
  const variants = known.filter((one) => one.product_id === String(product_id))
  const same = variants.filter((one) => one.variant_id === String(variant_id))
  return (same.length > 0 ? same : variants).some((one) => isExempt(one, settings))
}
