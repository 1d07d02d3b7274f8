import { sumOf } from '../../platform/foundation/amounts.ts'
import type { Product } from './parts.ts'

/** Amount of a line before the discount; an order given without it has only the price of a piece. */
export function lineAmount({ line_subtotal, price, quantity }: Product): number | undefined {
  if (typeof line_subtotal === 'number') return line_subtotal
  return typeof price === 'number' ? sumOf([price * (quantity ?? 1)]) : undefined
}
