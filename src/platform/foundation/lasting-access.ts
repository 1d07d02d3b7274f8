import { ApiError } from './errors.ts'
import type { Principal } from './roles.ts'

/**
 * For what gives access until somebody takes it away, such as an invitation: a key that expires must not do it, or anybody who
 * has the key would have access for longer than the key. New keys are limited by their expiration instead.
 */
export function rejectExpiring({ expiration }: Principal, what: string): void {
  if (expiration === 0) return
  const until = new Date(expiration * 1_000).toISOString()
  throw new ApiError(
    'insufficient_rights',
    `Your key expires at ${until}, and cannot ${what}: that would last longer. Use a key that does not expire, or an account of your own.`,
  )
}
