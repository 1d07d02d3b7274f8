import { createAdminApi } from '../../adapters/shop-systems/shopware/admin-api.ts'
import { secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import type { Caller } from './read-pages.ts'

/** From the first packet to the end of the response. A store may take its time for a page of orders. */
const callLimitMs = 30 * secondMs
const maxBodyBytes = 16_000_000

export function createPastOrdersCaller(context: () => Context, outgoing: Outgoing): Caller {
  return {
    call: (request) => outgoing.call({ ...request, limitMs: callLimitMs, maxBodyBytes }),
    shopware: createAdminApi(() => context().now.getTime()),
  }
}
