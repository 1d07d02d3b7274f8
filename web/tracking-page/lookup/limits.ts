import { Allowance } from '../../../src/foundation/allowance.ts'
import { minuteMs } from '../../../src/foundation/clock.ts'

/** Guards the look-up against guessing: by where it comes from, and by the order that is guessed at. */
export interface LookupLimits {
  /** Minutes to wait, or 0. */
  waitMinutes(attempt: Attempt): number
  /** Counts an attempt that found nothing. */
  fail(attempt: Attempt): void
}

export interface Attempt {
  shopId: string
  clientAddress: string
  number: string
}

const windowMs = 10 * minuteMs
const failuresOfAddress = 12
/** More, because whoever uses it up keeps the customer out: but few enough to make a zip code not worth guessing. */
const failuresOfOrder = 25

export function createLookupLimits(): LookupLimits {
  const addresses = new Allowance(failuresOfAddress, windowMs)
  const orders = new Allowance(failuresOfOrder, windowMs)
  const keysOf = ({ shopId, clientAddress, number }: Attempt) => ({
    address: `${shopId} ${networkOf(clientAddress)}`,
    order: `${shopId} ${number.toLowerCase()}`,
  })
  return {
    waitMinutes(attempt) {
      const { address, order } = keysOf(attempt)
      return Math.ceil(Math.max(addresses.waitSeconds(address), orders.waitSeconds(order)) / 60)
    },
    fail(attempt) {
      const { address, order } = keysOf(attempt)
      addresses.use(address)
      orders.use(order)
    },
  }
}

/** One who has a network of IPv6 has as many addresses as they like: the network is counted. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address
  const [head = '', tail = ''] = address.split('::')
  const first = head.split(':').filter(Boolean)
  const last = tail.split(':').filter(Boolean)
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0') : []
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}
