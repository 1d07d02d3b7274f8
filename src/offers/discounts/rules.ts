import { ApiError } from '../../platform/foundation/errors.ts'

/** For all operations that name a discount. */
export function discountNotFound(id: string): ApiError {
  return new ApiError('discount_not_found', `This shop has no discount ${id}.`)
}
