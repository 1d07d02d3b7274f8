import { secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { findShop } from '../../shops/shops/store.ts'
import { isShopSystem, leaseDueWebhooks, type WebhooksRow } from '../shop-systems/webhook-store.ts'
import { runWebhookCheck } from './check-webhooks.ts'

declare module '../../platform/workers/wake.ts' {
  interface WorkKinds {
    /** Webhooks in a shop system to read and create. */
    webhookChecks: []
  }
}

const sweepMs = 5 * secondMs
/** Stores that this process calls at once; one that does not respond blocks one of these places. */
const maxRunning = 8

/**
 * Reads the webhooks of every connected store within each half hour, and repairs what it may. What somebody waits for, such
 * as those of a store that was just connected, is due at once.
 */
export class WebhookCheckWorker extends Worker {
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
