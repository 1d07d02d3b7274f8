import type { Schemas } from 'doorstep-client'
import { formatNumber, formatShare } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'

type Discount = Pick<Schemas['Discount'], 'code' | 'title' | 'value' | 'value_type' | 'type'>

/** "SOCKS5 · 5 € off socks". */
export function discountName(discount: Discount): string {
  const parts = [discount.code, discount.title ?? worthOf(discount)].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : t(`discounts.types.${discount.type}`)
}

/** How much it takes off; undefined if nobody said. */
export function worthOf({ value, value_type }: Pick<Discount, 'value' | 'value_type'>): string | undefined {
  if (value === null) return undefined
  return value_type === 'percentage' ? formatShare(value / 100) : formatNumber(value, 2)
}
