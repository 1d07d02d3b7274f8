import { after, secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { Worker } from '../foundation/worker.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { BackfillLost, claimDueBackfill, runBackfill } from '../resources/backfills/run-backfill.ts'
import { type BackfillRow, releaseBackfill } from '../resources/backfills/store.ts'
import type { Caller } from '../resources/past-orders/read-pages.ts'
import { createPastOrdersCaller } from './past-orders-caller.ts'

const sweepMs = 2 * secondMs
/** A backfill runs this long before it can be claimed again: a small one does not wait for a large one. */
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

  /** Claims what is due, as far as there is capacity. */
  protected override async findWork(): Promise<void> {
    while (!this.isStopping && this.#running < maxRunning) {
      const claimed = await claimDueBackfill(this.context)
      if (claimed === undefined) return
      this.#running += 1
      this.runTask(() => this.#runSlice(claimed))
    }
  }

  async #runSlice(claimed: BackfillRow): Promise<void> {
    const until = performance.now() + sliceMs
    try {
      const mayContinue = () => !this.isStopping && performance.now() < until
      await runBackfill(() => this.context, claimed, this.#caller, mayContinue)
    } catch (err) {
      if (err instanceof BackfillLost) return
      const { context } = this
      context.log.error({ err, backfill: claimed.id }, 'a backfill was interrupted and will be resumed')
      await releaseBackfill(context, claimed, { status: 'running', dueAt: after(context.now, pauseAfterFailureMs) })
    } finally {
      this.#running -= 1
      // Either of them may have become due, or another one may have waited for this place.
      if (!this.isStopping) this.wake()
    }
  }
}
