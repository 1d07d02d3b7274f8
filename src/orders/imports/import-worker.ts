import { after, secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { isTemporary } from '../../platform/store/errors.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { leaseDueImport, resumeImport } from './resume-import.ts'
import { type ImportRow, lockLeasedImport, releaseImport, returnImport } from './store.ts'
import { ImportLost } from './write-batch.ts'

declare module '../../platform/workers/wake.ts' {
  interface WorkKinds {
    /** A file to import, or an import that was cancelled. */
    imports: []
  }
}

const sweepMs = 2 * secondMs
/** An import runs this long before the next one is leased: a small file does not wait for a large one. */
const sliceMs = 2 * secondMs
const pauseAfterFailureMs = 10 * secondMs

/** Imports files: one at a time in this process, each for a slice of time. */
export class ImportWorker extends Worker {
  constructor(context: () => Context) {
    super({ name: 'imports', context, sweepMs })
  }

  /** Imports until nothing is due. Once stopping, another node, or the next start, resumes after the last batch. */
  protected override async findWork(): Promise<void> {
    while (!this.isStopping) {
      const leased = await leaseDueImport(this.context)
      if (leased === undefined) return
      await this.#importSlice(leased)
    }
  }

  async #importSlice(leased: ImportRow): Promise<void> {
    const until = performance.now() + sliceMs
    try {
      await resumeImport(
        () => this.context,
        leased,
        () => !this.isStopping && performance.now() < until,
      )
    } catch (err) {
      const { context } = this
      // The chunks of a cancelled import may be gone before its worker notices.
      if (err instanceof ImportLost || !(await lockLeasedImport(context, leased))) return
      context.log.error({ err, import: leased.id }, 'an import was interrupted and will be resumed')
      const release = isTemporary(err) ? returnImport : releaseImport
      await release(context, leased, after(context.now, pauseAfterFailureMs))
    }
  }
}
