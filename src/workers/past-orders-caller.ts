import { secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import type { Caller } from '../resources/past-orders/read-pages.ts'
import { createAdminApi } from '../shop-systems/shopware/admin-api.ts'

/** From the first packet to the end of the response. A store may take its time for a page of orders. */
const callLimitMs = 30 * secondMs
const maxBodyBytes = 16_000_000

export function createPastOrdersCaller(context: () => Context, outgoing: Outgoing): Caller {
  return {
    call: (request) => outgoing.call({ ...request, limitMs: callLimitMs, maxBodyBytes }),
    shopware: createAdminApi(() => context().now.getTime()),
  }
}
