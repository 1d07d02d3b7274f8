import type { Context } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'

/** A page of another site must not sign its visitors in, to an account of its own choice. */
export function rejectForeign({ client }: Context): void {
  if (client?.isForeign) throw new ApiError('insufficient_rights', 'Sign in on our own pages.')
}
