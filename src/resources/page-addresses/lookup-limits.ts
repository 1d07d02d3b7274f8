import type { Attempt, AttemptLimit, CountedAttempt } from '../../database/attempts.ts'
import { networkOf } from '../../foundation/client-network.ts'
import { minuteMs } from '../../foundation/clock.ts'
import type { ShopContext } from '../../foundation/context.ts'

export interface Lookup {
  clientAddress: string
  number: string
}

const windowMs = 10 * minuteMs
const ofAddress: AttemptLimit = { name: 'look-up from an address', limit: 12, windowMs }
/**
 * Higher, because an attacker who exhausts it locks the customer out; low enough to make guessing a zip code futile.
 */
const ofOrder: AttemptLimit = { name: 'look-up of an order', limit: 25, windowMs }

/**
 * Limits guessing, by the client's address and by the order, wherever an order is looked up. An attempt is counted before
 * it is checked; a successful one is not counted in the end.
 */
export function countLookup(context: ShopContext, { clientAddress, number }: Lookup): Promise<CountedAttempt> {
  const { id } = context.shop
  // The address comes first: a client over that limit must not exhaust the order's limit.
  const attempts: Attempt[] = [
    { limit: ofAddress, subject: `${id} ${networkOf(clientAddress)}` },
    { limit: ofOrder, subject: `${id} ${canonicalNumber(number)}` },
  ]
  return context.services.attempts.count(context, attempts)
}

/** The same key for every spelling of an order number: `# L1`, `# l1` and `L1`. */
function canonicalNumber(number: string): string {
  return number
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cf}#]/gu, '')
}
