import { type Attempt, AttemptCounter, type AttemptLimit, type CountedAttempt } from '../../../src/database/attempts.ts'
import { networkOf } from '../../../src/foundation/client-network.ts'
import { minuteMs } from '../../../src/foundation/clock.ts'
import type { ShopContext } from '../../../src/foundation/context.ts'

/** Limits guessing, by the client's address and by the order. */
export interface LookupLimits {
  /** Counts an attempt before it is checked; a successful one is not counted in the end. */
  count(context: ShopContext, lookup: Lookup): Promise<CountedAttempt>
}

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

export function createLookupLimits(): LookupLimits {
  const counter = new AttemptCounter()
  return {
    count(context, { clientAddress, number }) {
      const { id } = context.shop
      // The address comes first: a client over that limit must not exhaust the order's limit.
      const attempts: Attempt[] = [
        { limit: ofAddress, subject: `${id} ${networkOf(clientAddress)}` },
        { limit: ofOrder, subject: `${id} ${canonicalNumber(number)}` },
      ]
      return counter.count(context, attempts)
    },
  }
}

/** The same key for every spelling of an order number: `# L1`, `# l1` and `L1`. */
function canonicalNumber(number: string): string {
  return number
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cf}#]/gu, '')
}
