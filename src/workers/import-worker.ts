import { after, secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { claimDueImport, ImportLost, resumeImport } from '../resources/imports/resume-import.ts'
import { type ImportRow, releaseImport } from '../resources/imports/store.ts'

const sweepMs = 2 * secondMs

/** An import has this long before the next one has its turn: a small file does not wait for a large one. */
const turnMs = 2 * secondMs

const pauseMs = 10 * secondMs

/** Imports files, one at a time in this process and in turns. What is to be done lies in the store, for any node. */
export class ImportWorker {
  readonly #context: () => Context
  #mayHaveWork = false
  #working: Promise<void> | undefined
  #sweeper: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(context: () => Context) {
    this.#context = context
  }

  start(): void {
    this.#sweeper = setInterval(() => this.wake(), sweepMs)
    this.#sweeper.unref()
    this.wake()
  }

  /** There may be a file to be imported. */
  wake(): void {
    this.#mayHaveWork = true
    this.#work()
  }

  /** Resolves when nothing more is due. */
  async idle(): Promise<void> {
    this.wake()
    while (this.#working) await this.#working
  }

  /** Finishes the batch that is under way; another node, or the next start, goes on from there. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#sweeper)
    await this.#working
  }

  #work(): void {
    if (this.#working || this.#isStopped || !this.#mayHaveWork) return
    this.#mayHaveWork = false
    this.#working = this.#takeTurns()
      .catch((err) => this.#context().log.error({ err }, 'imports: looking for work failed and will be tried again'))
      .finally(() => {
        this.#working = undefined
        this.#work()
      })
  }

  async #takeTurns(): Promise<void> {
    while (!this.#isStopped) {
      const claimed = await claimDueImport(this.#context())
      if (claimed === undefined) return
      await this.#claimJobRun(claimed)
    }
  }

  async #claimJobRun(claimed: ImportRow): Promise<void> {
    const until = performance.now() + turnMs
    try {
      await resumeImport(this.#context, claimed, () => !this.#isStopped && performance.now() < until)
    } catch (err) {
      if (err instanceof ImportLost) return
      this.#context().log.error({ err, import: claimed.id }, 'an import was interrupted and will be gone on with')
      await releaseImport(this.#context(), claimed, after(this.#context().now, pauseMs))
    }
  }
}
