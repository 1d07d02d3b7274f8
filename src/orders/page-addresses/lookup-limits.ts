import { networkOf, wideNetworkOf } from '../../platform/foundation/client-network.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { Attempt, AttemptLimit, CountedAttempt } from '../../platform/store/attempts.ts'

export interface Lookup {
  clientAddress: string
  number: string
  /** Text that was typed as zip code or e-mail address. */
  proof: string
}

export interface CountedLookup extends CountedAttempt {
  /** Whether the e-mail address of the order is accepted nevertheless. */
  takesEmail: boolean
}

const windowMs = 10 * minuteMs
const ofAddress: AttemptLimit = { name: 'look-up from an address', limit: 12, windowMs }
/** Zip codes are few: low enough to make guessing one futile. Once it is exhausted, zip codes are rejected, not e-mail addresses. */
const ofOrder: AttemptLimit = { name: 'look-up of an order', limit: 25, windowMs }
/** E-mail addresses, which strangers must not exhaust for the customer: counted for the networks that they come from. */
const ofOrderThere: AttemptLimit = { name: 'look-up of an order from a network', limit: 25, windowMs }

/**
 * Limits guessing, by the client's address and by the order, wherever an order is looked up. An attempt is counted before
 * it is checked, whether there is such an order or not; a successful one is not counted in the end.
 */
export async function countLookup(context: ShopContext, lookup: Lookup): Promise<CountedLookup> {
  const { id } = context.shop
  const isEmail = lookup.proof.includes('@')
  const order = `${id} ${canonicalNumber(lookup.number)}`
  // The address comes first: a client over that limit must not exhaust the order's limit.
  const attempts: Attempt[] = [
    { limit: ofAddress, subject: `${id} ${networkOf(lookup.clientAddress)}` },
    isEmail
      ? { limit: ofOrderThere, subject: `${order} ${wideNetworkOf(lookup.clientAddress)}` }
      : { limit: ofOrder, subject: order },
  ]
  const counted = await context.services.attempts.count(context, attempts)
  return { ...counted, takesEmail: counted.exceeded === ofOrder }
}

/** The same key for every spelling of an order number: `# L1`, `# l1` and `L1`. */
function canonicalNumber(number: string): string {
  return number
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cf}#]/gu, '')
}
