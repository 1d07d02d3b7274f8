import type { Config } from '../../platform/config/config.ts'
import { hourMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { backupJob } from '../../platform/store/installation.ts'

/** Runs backups beside the other jobs, which must not wait for them. The code is loaded with the first one. */
export class ScheduledBackups {
  readonly jobs: { name: string; everyMs: number; runsOn: 'one node'; run(context: Context): Promise<void> }[]
  readonly #config: Config
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #isRunning = false

  constructor(config: Config) {
    this.#config = config
    const everyMs = config.backup.everyHours * hourMs
    const run = async (context: Context) => this.#begin(context)
    this.jobs = config.backup.to === undefined ? [] : [{ name: backupJob, everyMs, runsOn: 'one node', run }]
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  #begin(context: Context): void {
    if (this.#isRunning) {
      context.log.warn({}, 'the last backup is still running; this one is left out')
      return
    }
    this.#isRunning = true
    this.#running = import('./scheduled.ts')
      .then(({ runScheduledBackup }) => runScheduledBackup(context, this.#config, this.#stopping.signal))
      .catch((err) => context.log.error({ err }, 'a scheduled backup failed'))
      .finally(() => {
        this.#isRunning = false
      })
  }
}
