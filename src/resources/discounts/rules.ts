import { ApiError } from '../../foundation/errors.ts'

/** For whatever names a discount: its own operations, and what is made of discounts. */
export function discountNotFound(id: string): ApiError {
  return new ApiError('discount_not_found', `This shop has no discount ${id}.`)
}
