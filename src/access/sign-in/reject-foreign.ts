import type { Context } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'

/** A page of another site must not sign its visitors in, to an account of its own choice. */
export function rejectForeign({ client }: Context): void {
  if (client?.isForeign) throw new ApiError('insufficient_rights', 'Sign in on our own pages.')
}
