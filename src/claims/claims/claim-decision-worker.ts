import { secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { applyDueDecisions } from './decisions.ts'

declare module '../../platform/workers/wake.ts' {
  interface WorkKinds {
    /** Decisions that take effect at this moment. */
    claimDecisions: [dueAt: Date]
  }
}

const sweepMs = 2 * secondMs

/** Applies decisions about claims when they are due. The sweep finds those of other nodes and of a process that died. */
export class ClaimDecisionWorker extends Worker {
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
