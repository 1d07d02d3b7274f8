import { type Attempt, AttemptCounter, type AttemptLimit, type CountedAttempt } from '../../../src/database/attempts.ts'
import { networkOf } from '../../../src/foundation/client-network.ts'
import { minuteMs } from '../../../src/foundation/clock.ts'
import type { ShopContext } from '../../../src/foundation/context.ts'

/** Limits how often somebody confirms: each makes a claim and a message to an address that they choose. */
export interface ConfirmationLimits {
  count(context: ShopContext, confirmation: { clientAddress: string; orderId: string }): Promise<CountedAttempt>
}

const windowMs = 10 * minuteMs
const ofAddress: AttemptLimit = { name: 'withdrawals from an address', limit: 30, windowMs }
const ofOrder: AttemptLimit = { name: 'withdrawals of an order', limit: 10, windowMs }

export function createConfirmationLimits(): ConfirmationLimits {
  const counter = new AttemptCounter()
  return {
    count(context, { clientAddress, orderId }) {
      const { id } = context.shop
      const attempts: Attempt[] = [
        { limit: ofAddress, subject: `${id} ${networkOf(clientAddress)}` },
        { limit: ofOrder, subject: `${id} ${orderId}` },
      ]
      return counter.count(context, attempts)
    },
  }
}
