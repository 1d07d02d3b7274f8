import { after, secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { createPastOrdersCaller } from '../past-orders/past-orders-caller.ts'
import type { Caller } from '../past-orders/read-pages.ts'
import { BackfillLost, leaseDueBackfill, runBackfill } from './run-backfill.ts'
import { type BackfillRow, releaseBackfill } from './store.ts'

declare module '../../platform/workers/wake.ts' {
  interface WorkKinds {
    /** A backfill to begin, or one that was cancelled. */
    backfills: []
  }
}

const sweepMs = 2 * secondMs
/** A backfill runs this long before it can be leased again: a small one does not wait for a large one. */
const sliceMs = 5 * secondMs
const pauseAfterFailureMs = 10 * secondMs
/** Backfills that this process runs at once; a shop system that does not respond blocks one of them. */
const maxRunning = 2

/** Brings in existing orders, page by page. */
export class BackfillWorker extends Worker {
  readonly #caller: Caller
  #running = 0

  constructor(context: () => Context, outgoing: Outgoing) {
    super({ name: 'backfills', context, sweepMs })
    this.#caller = createPastOrdersCaller(context, outgoing)
  }

  /** Leases what is due, as far as there is capacity. */
  protected override async findWork(): Promise<void> {
    while (!this.isStopping && this.#running < maxRunning) {
      const leased = await leaseDueBackfill(this.context)
      if (leased === undefined) return
      this.#running += 1
      this.runTask(() => this.#runSlice(leased))
    }
  }

  async #runSlice(leased: BackfillRow): Promise<void> {
    const until = performance.now() + sliceMs
    try {
      const mayContinue = () => !this.isStopping && performance.now() < until
      await runBackfill(() => this.context, leased, this.#caller, mayContinue)
    } catch (err) {
      if (err instanceof BackfillLost) return
      const { context } = this
      context.log.error({ err, backfill: leased.id }, 'a backfill was interrupted and will be resumed')
      await releaseBackfill(context, leased, { status: 'running', dueAt: after(context.now, pauseAfterFailureMs) })
    } finally {
      this.#running -= 1
      // Either of them may have become due, or another one may have waited for this place.
      if (!this.isStopping) this.wake()
    }
  }
}
