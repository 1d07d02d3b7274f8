import { attemptLimitMs } from '../deliveries/retry.ts'
import type { Call } from '../foundation/call.ts'
import { secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { Worker } from '../foundation/worker.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { claimDueQueue, fetchDueOrders } from '../resources/order-fetches/fetch-orders.ts'
import type { OrderSource } from '../resources/order-fetches/source.ts'
import type { FetchQueue } from '../resources/order-fetches/store.ts'
import { createWooCommerceSource } from '../resources/shop-systems/woocommerce-source.ts'
import { createShopwareSource } from '../resources/shopware/order-source.ts'
import { createAdminApi } from '../shop-systems/shopware/admin-api.ts'

const sweepMs = 2 * secondMs
/** Shops that this process fetches for at once: one that does not respond blocks one of them. */
const maxShops = 8
const maxBodyBytes = 16_000_000

/** Fetches orders that a message only named, or did not say everything about. */
export class OrderFetcher extends Worker {
  readonly #sources: OrderSource[]
  #fetching = 0

  constructor(context: () => Context, outgoing: Outgoing) {
    super({ name: 'orders of shop systems', context, sweepMs })
    const call: Call = (request) => outgoing.call({ ...request, limitMs: attemptLimitMs, maxBodyBytes })
    const api = createAdminApi(() => context().now.getTime())
    this.#sources = [createShopwareSource(call, api), createWooCommerceSource(call)]
  }

  /** Claims the queues of shops that are due, as far as there is capacity. */
  protected override async findWork(): Promise<void> {
    let waiting = this.#sources
    // In turns, so that many shops of one system do not delay those of another.
    while (waiting.length > 0) {
      const more: OrderSource[] = []
      for (const source of waiting) {
        if (this.isStopping || this.#fetching >= maxShops) return
        const queue = await claimDueQueue(this.context, source)
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
