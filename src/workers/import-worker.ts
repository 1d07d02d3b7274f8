import { isTemporary } from '../database/errors.ts'
import { after, secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { Worker } from '../foundation/worker.ts'
import { claimDueImport, resumeImport } from '../resources/imports/resume-import.ts'
import { type ImportRow, lockClaimedImport, releaseImport, returnImport } from '../resources/imports/store.ts'
import { ImportLost } from '../resources/imports/write-batch.ts'

const sweepMs = 2 * secondMs
/** An import runs this long before the next one is claimed: a small file does not wait for a large one. */
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
      const claimed = await claimDueImport(this.context)
      if (claimed === undefined) return
      await this.#importSlice(claimed)
    }
  }

  async #importSlice(claimed: ImportRow): Promise<void> {
    const until = performance.now() + sliceMs
    try {
      await resumeImport(
        () => this.context,
        claimed,
        () => !this.isStopping && performance.now() < until,
      )
    } catch (err) {
      const { context } = this
      // The chunks of a cancelled import may be gone before its worker notices.
      if (err instanceof ImportLost || !(await lockClaimedImport(context, claimed))) return
      context.log.error({ err, import: claimed.id }, 'an import was interrupted and will be resumed')
      const release = isTemporary(err) ? returnImport : releaseImport
      await release(context, claimed, after(context.now, pauseAfterFailureMs))
    }
  }
}
