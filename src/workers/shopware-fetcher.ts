import { attemptLimitMs } from '../deliveries/retry.ts'
import { secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { Worker } from '../foundation/worker.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { claimDueQueue, fetchDueOrders } from '../resources/shopware/fetch-orders.ts'
import type { FetchQueue } from '../resources/shopware/fetch-store.ts'
import { type AdminApi, createAdminApi } from '../shop-systems/shopware/admin-api.ts'

const sweepMs = 2 * secondMs
/** Shops that this process fetches for at once: one that does not respond blocks one of them. */
const maxShops = 8
const maxBodyBytes = 16_000_000

/** Fetches orders that Shopware named by their id. */
export class ShopwareFetcher extends Worker {
  readonly #outgoing: Outgoing
  readonly #api: AdminApi
  #fetching = 0

  constructor(context: () => Context, outgoing: Outgoing) {
    super({ name: 'Shopware', context, sweepMs })
    this.#outgoing = outgoing
    this.#api = createAdminApi(() => context().now.getTime())
  }

  /** Claims the queues of shops that are due, as far as there is capacity. */
  protected override async findWork(): Promise<void> {
    while (!this.isStopping && this.#fetching < maxShops) {
      const queue = await claimDueQueue(this.context)
      if (queue === undefined) return
      this.runTask(() => this.#fetch(queue))
    }
  }

  async #fetch(queue: FetchQueue): Promise<void> {
    const call: Parameters<AdminApi['fetchOrders']>[0] = (request) =>
      this.#outgoing.call({ ...request, limitMs: attemptLimitMs, maxBodyBytes })
    this.#fetching += 1
    try {
      await fetchDueOrders(() => this.context, this.#api, call, queue)
    } finally {
      this.#fetching -= 1
    }
    this.wake()
  }
}
