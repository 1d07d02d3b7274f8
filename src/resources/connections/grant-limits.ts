import type { AttemptLimit, CountedAttempt } from '../../database/attempts.ts'
import { networkOf } from '../../foundation/client-network.ts'
import { minuteMs } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { rateLimited } from '../../foundation/errors.ts'

/** Keys that a network sends. Those that were expected are given back: a hosting company has many stores. */
const ofNetwork: AttemptLimit = { name: 'woocommerce grant', limit: 30, windowMs: 10 * minuteMs }

export async function countGrant(context: Context): Promise<CountedAttempt> {
  const subject = networkOf(context.client?.address ?? '')
  const counted = await context.services.attempts.count(context, [{ limit: ofNetwork, subject }])
  if (counted.waitSeconds > 0) throw rateLimited('Too many keys from this network.', counted.waitSeconds)
  return counted
}
