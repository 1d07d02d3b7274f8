import { type Attempt, AttemptCounter, type AttemptLimit, type CountedAttempt } from '../../../src/database/attempts.ts'
import { networkOf } from '../../../src/foundation/client-network.ts'
import { minuteMs } from '../../../src/foundation/clock.ts'
import type { ShopContext } from '../../../src/foundation/context.ts'

/** Guards the lookup against guessing: by where it comes from, and by the order that is guessed at. */
export interface LookupLimits {
  /** Counts an attempt before it is checked; one that finds its order is given back. */
  count(context: ShopContext, lookup: Lookup): Promise<CountedAttempt>
}

export interface Lookup {
  clientAddress: string
  number: string
}

const windowMs = 10 * minuteMs
const ofAddress: AttemptLimit = { name: 'look-up from an address', limit: 12, windowMs }
/** More, because whoever uses it up keeps the customer out: but few enough to make a zip code not worth guessing. */
const ofOrder: AttemptLimit = { name: 'look-up of an order', limit: 25, windowMs }

export function createLookupLimits(): LookupLimits {
  const counter = new AttemptCounter()
  return {
    count(context, { clientAddress, number }) {
      const { id } = context.shop
      // The address first: one who is over that limit must not use up the order's and keep its customer out.
      const attempts: Attempt[] = [
        { limit: ofAddress, subject: `${id} ${networkOf(clientAddress)}` },
        { limit: ofOrder, subject: `${id} ${canonicalNumber(number)}` },
      ]
      return counter.count(context, attempts)
    },
  }
}

/** The same for every spelling that could mean the same order: `#  L1`, `# l1` and `L1` are one. */
function canonicalNumber(number: string): string {
  return number
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cf}#]/gu, '')
}
