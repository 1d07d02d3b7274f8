import { createAdminApi } from '../adapters/shop-systems/shopware/admin-api.ts'
import { attemptLimitMs } from '../delivery/queue/retry.ts'
import type { Call } from '../platform/foundation/call.ts'
import { secondMs } from '../platform/foundation/clock.ts'
import type { Context } from '../platform/foundation/context.ts'
import type { Outgoing } from '../platform/outgoing/outgoing.ts'
import { Worker } from '../platform/workers/worker.ts'
import { fetchDueOrders, leaseDueQueue } from './order-fetches/fetch-orders.ts'
import type { OrderSource } from './order-fetches/source.ts'
import type { FetchQueue } from './order-fetches/store.ts'
import { createWooCommerceSource } from './shop-systems/woocommerce-source.ts'
import { createShopwareSource } from './shopware/order-source.ts'

const sweepMs = 2 * secondMs
/** Shops that this process fetches for at once: one that does not respond blocks one of them. */
const maxShops = 8
const maxBodyBytes = 16_000_000

/** Fetches orders of which a message had only the id, or not all details. */
export class OrderFetcher extends Worker {
  readonly #sources: OrderSource[]
  #fetching = 0

  constructor(context: () => Context, outgoing: Outgoing) {
    super({ name: 'orders of shop systems', context, sweepMs })
    const call: Call = (request) => outgoing.call({ ...request, limitMs: attemptLimitMs, maxBodyBytes })
    const api = createAdminApi(() => context().now.getTime())
    this.#sources = [createShopwareSource(call, api), createWooCommerceSource(call)]
  }

  /** Leases the queues of shops that are due, as far as there is capacity. */
  protected override async findWork(): Promise<void> {
    let waiting = this.#sources
    // Alternates between systems, so that many shops of one do not delay those of another.
    while (waiting.length > 0) {
      const more: OrderSource[] = []
      for (const source of waiting) {
        if (this.isStopping || this.#fetching >= maxShops) return
        const queue = await leaseDueQueue(this.context, source)
        if (queue === undefined) continue
        this.runTask(() => this.#fetch(source, queue))
        more.push(source)
      }
      waiting = more
    }
  }

  async #fetch(source: OrderSource, queue: FetchQueue): Promise<void> {
    this.#fetching += 1
    try {
      await fetchDueOrders(() => this.context, source, queue)
    } finally {
      this.#fetching -= 1
    }
    this.wake()
  }
}
