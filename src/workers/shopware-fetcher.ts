import { attemptLimitMs } from '../deliveries/retry.ts'
import { minuteMs, secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { claimDueQueue, fetchDueOrders } from '../resources/shopware/fetch-orders.ts'
import { type FetchQueue, wakeQueues } from '../resources/shopware/fetch-store.ts'
import { type AdminApi, createAdminApi } from '../shop-systems/shopware/admin-api.ts'
import type { Job } from './schedule.ts'

const sweepMs = 2 * secondMs

/** Shops that are fetched for at once in this process: one that hangs holds up one of them. */
const mostShops = 8

const longestAnswer = 16_000_000

/** Fetches orders that Shopware named by their id. What is to be fetched lies in the store, for any node. */
export class ShopwareFetcher {
  readonly #context: () => Context
  readonly #outgoing: Outgoing
  readonly #api: AdminApi
  readonly #fetching = new Set<Promise<void>>()
  #claiming: Promise<void> | undefined
  #sweeper: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(context: () => Context, outgoing: Outgoing) {
    this.#context = context
    this.#outgoing = outgoing
    this.#api = createAdminApi(() => context().now.getTime())
  }

  start(): void {
    this.#sweeper = setInterval(() => void this.wake(), sweepMs)
    this.#sweeper.unref()
  }

  /** Claims what is due, as far as there is capacity. */
  wake(): Promise<void> {
    this.#claiming ??= this.#claim()
      .catch((err) => this.#context().log.error({ err }, 'Shopware: claiming failed and will be tried again'))
      .finally(() => {
        this.#claiming = undefined
      })
    return this.#claiming
  }

  /** Resolves when nothing more is due. */
  async idle(): Promise<void> {
    do {
      await Promise.all(this.#fetching)
      // One that has begun to claim may have looked before the last fetch ended.
      await this.#claiming
      await this.wake()
    } while (this.#fetching.size > 0)
  }

  /** Finishes the requests in flight; another node, or the next start, goes on. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#sweeper)
    await this.#claiming
    await Promise.all(this.#fetching)
  }

  async #claim(): Promise<void> {
    while (!this.#isStopped && this.#fetching.size < mostShops) {
      const queue = await claimDueQueue(this.#context())
      if (queue === undefined) return
      const fetching = this.#fetch(queue).finally(() => this.#fetching.delete(fetching))
      this.#fetching.add(fetching)
    }
  }

  /** Where it fails, the lease ends by itself. */
  async #fetch(queue: FetchQueue): Promise<void> {
    const call: Parameters<AdminApi['fetchOrders']>[0] = (request) =>
      this.#outgoing.call({ ...request, limitMs: attemptLimitMs, answerBytes: longestAnswer })
    try {
      await fetchDueOrders(this.#context, this.#api, call, queue)
      if (!this.#isStopped) void this.wake()
    } catch (err) {
      this.#context().log.error({ err }, 'Shopware: fetching failed and will be tried again')
    }
  }
}

export const wakeShopwareQueuesJob: Job = { name: 'shopware queues', everyMs: minuteMs, run: wakeQueues }
