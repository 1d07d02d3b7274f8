import { Refusal } from '../../foundation/errors.ts'

/** For whatever names a discount: its own operations, and what is made of discounts. */
export function discountNotFound(id: string): Refusal {
  return new Refusal('discount_not_found', `This shop has no discount ${id}.`)
}
