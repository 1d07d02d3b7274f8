import { networkOf } from '../../platform/foundation/client-network.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { rateLimited } from '../../platform/foundation/errors.ts'
import type { AttemptLimit, CountedAttempt } from '../../platform/store/attempts.ts'

/** Keys that a network sends. Those that were expected are given back: a hosting company has many stores. */
const ofNetwork: AttemptLimit = { name: 'woocommerce grant', limit: 30, windowMs: 10 * minuteMs }

export async function countGrant(context: Context): Promise<CountedAttempt> {
  const subject = networkOf(context.client?.address ?? '')
  const counted = await context.services.attempts.count(context, [{ limit: ofNetwork, subject }])
  if (counted.waitSeconds > 0) throw rateLimited('Too many keys from this network.', counted.waitSeconds)
  return counted
}
