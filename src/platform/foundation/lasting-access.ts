import { ApiError } from './errors.ts'
import type { Principal } from './roles.ts'

/**
 * For operations that give access until somebody revokes it, such as an invitation. A key that expires must not do
 * that: anybody who has the key would gain access for longer than the key. New keys are limited by their expiration
 * instead.
 */
export function rejectExpiring({ expiration }: Principal, what: string): void {
  if (expiration === 0) return
  const until = new Date(expiration * 1_000).toISOString()
  throw new ApiError(
    'insufficient_rights',
    `Your key expires at ${until}, and cannot ${what}: that would last longer. Use a key that does not expire, or an account of your own.`,
  )
}
