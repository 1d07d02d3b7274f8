import { secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { Worker } from '../foundation/worker.ts'
import { runWebhookCheck } from '../resources/connections/check-webhooks.ts'
import type { WebhookCheckWorkers } from '../resources/shop-systems/webhook-check-workers.ts'
import { isShopSystem, leaseDueWebhooks, type WebhooksRow } from '../resources/shop-systems/webhook-store.ts'
import { findShop } from '../resources/shops/store.ts'

const sweepMs = 5 * secondMs
/** Stores that this process calls at once; one that does not respond blocks one of these places. */
const maxRunning = 8

/**
 * Reads the webhooks of every connected store within each half hour, and repairs what it may. What somebody waits for, such
 * as those of a store that was just connected, is due at once.
 */
export class WebhookCheckWorker extends Worker implements WebhookCheckWorkers {
  #running = 0

  constructor(context: () => Context) {
    super({ name: 'webhook checks', context, sweepMs })
  }

  /** Leases what is due, as far as there is capacity. */
  protected override async findWork(): Promise<void> {
    while (!this.isStopping && this.#running < maxRunning) {
      const due = await leaseDueWebhooks(this.context, maxRunning - this.#running)
      if (due.length === 0) return
      this.#running += due.length
      for (const row of due) this.runTask(() => this.#check(row))
    }
  }

  async #check(row: WebhooksRow): Promise<void> {
    const { context } = this
    try {
      const shop = await findShop(context, row.shop_id)
      if (shop !== undefined && isShopSystem(row.system)) {
        await runWebhookCheck({ ...context, shop }, row.system, row, 'repair')
      }
    } finally {
      this.#running -= 1
      // Another one may have waited for this place.
      if (!this.isStopping) this.wake()
    }
  }
}
