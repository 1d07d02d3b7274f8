import { secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { Worker } from '../foundation/worker.ts'
import type { ClaimDecisionWorkers } from '../resources/claims/decision-workers.ts'
import { applyDueDecisions } from '../resources/claims/decisions.ts'

const sweepMs = 2 * secondMs

/** Applies decisions about claims when they are due. The sweep finds those of other nodes and of a process that died. */
export class ClaimDecisionWorker extends Worker implements ClaimDecisionWorkers {
  constructor(context: () => Context) {
    super({ name: 'claim decisions', context, sweepMs })
  }

  wakeAt(dueAt: Date): void {
    this.runLater(Math.max(0, dueAt.getTime() - this.context.now.getTime()), () => this.wake())
  }

  protected override async findWork(): Promise<void> {
    while (!this.isStopping && (await applyDueDecisions(this.context))) {
      // More may be due.
    }
  }
}
