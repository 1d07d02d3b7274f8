import { after, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { createPastOrdersCaller } from '../past-orders/past-orders-caller.ts'
import type { Caller } from '../past-orders/read-pages.ts'
import { CatchUpLost, leaseDueCatchUp, runCatchUp } from './run-catch-up.ts'
import { type CatchUpRow, releaseCatchUp } from './store.ts'

declare module '../../platform/workers/wake.ts' {
  interface WorkKinds {
    /** Recent orders to read again. */
    catchUps: []
  }
}

const sweepMs = 2 * secondMs
/** A run goes on this long before it can be leased again: a small one does not wait for a large one. */
const sliceMs = 5 * secondMs
const pauseAfterFailureMs = minuteMs
/** Shop systems that this process reads at once, after a start all of them; one that does not respond blocks one of them. */
const maxRunning = 4

/** Reads recent orders of connected shop systems again, to find what no webhook reported. */
export class CatchUpWorker extends Worker {
  readonly #caller: Caller
  #running = 0

  constructor(context: () => Context, outgoing: Outgoing) {
    super({ name: 'catch-ups', context, sweepMs })
    this.#caller = createPastOrdersCaller(context, outgoing)
  }

  /** Leases what is due, as far as there is capacity. */
  protected override async findWork(): Promise<void> {
    while (!this.isStopping && this.#running < maxRunning) {
      const leased = await leaseDueCatchUp(this.context)
      if (leased === undefined) return
      this.#running += 1
      this.runTask(() => this.#runSlice(leased))
    }
  }

  async #runSlice(leased: CatchUpRow): Promise<void> {
    const until = performance.now() + sliceMs
    try {
      const mayContinue = () => !this.isStopping && performance.now() < until
      await runCatchUp(() => this.context, leased, this.#caller, mayContinue)
    } catch (err) {
      const { context } = this
      const dueAt = after(context.now, pauseAfterFailureMs)
      // Released in any case: its shop may be paused, and continues later.
      await releaseCatchUp(context, leased, { dueAt })
      if (err instanceof CatchUpLost) return
      const { shop_id: shop, system } = leased
      context.log.error({ err, shop, system }, 'catching up was interrupted and will be resumed')
    } finally {
      this.#running -= 1
      // Either of them may have become due, or another one may have waited for this place.
      if (!this.isStopping) this.wake()
    }
  }
}
