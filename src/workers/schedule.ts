import { claimJobRun } from '../database/job-runs.ts'
import { secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { StepLoop } from '../foundation/step-loop.ts'
import { inSpan } from '../foundation/tracing.ts'

/** Something to be done once in each period. */
export interface Job {
  /** Names the job to the other nodes, in the log and in traces. */
  name: string
  everyMs: number
  /** 'one node': the first to claim the period's run. 'every process': each for itself, about what it has in memory. */
  runsOn: 'one node' | 'every process'
  run(context: Context): Promise<void>
}

const tickMs = 10 * secondMs

/**
 * Runs jobs on time. All it needs of a scheduler is one run per period across all nodes, which is one row and one
 * statement; a job queue would bring a schema, a poller and a newer Node than we require.
 */
export class Schedule {
  readonly #jobs: Job[]
  readonly #context: () => Context
  readonly #rounds: StepLoop
  /** When this process last ran the jobs that every process runs. */
  readonly #lastRuns = new Map<Job, Date>()
  #timer: NodeJS.Timeout | undefined

  constructor(jobs: Job[], context: () => Context) {
    this.#jobs = jobs
    this.#context = context
    this.#rounds = new StepLoop({
      step: () => this.#runDueJobs(),
      onError: (err) => context().log.error({ err }, 'the schedule failed and will be tried again'),
    })
  }

  start(): void {
    this.#timer = setInterval(() => void this.tick(), tickMs)
    this.#timer.unref()
  }

  /** Runs the jobs that are due now, one after another. */
  tick(): Promise<void> {
    return this.#rounds.run()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#rounds.idle()
  }

  async #runDueJobs(): Promise<void> {
    for (const job of this.#jobs) {
      const context = this.#context()
      try {
        if (await this.#claimRun(context, job)) await run(job, context)
      } catch (err) {
        context.log.error({ err, job: job.name }, 'a scheduled job failed; it runs again in its next period')
      }
    }
  }

  async #claimRun(context: Context, job: Job): Promise<boolean> {
    if (job.runsOn === 'one node') return claimJobRun(context, job.name, context.now, job.everyMs)
    const last = this.#lastRuns.get(job)
    if (last && Math.abs(context.now.getTime() - last.getTime()) < job.everyMs) return false
    this.#lastRuns.set(job, context.now)
    return true
  }
}

function run(job: Job, context: Context): Promise<void> {
  const span = context.services.tracing?.begin(`job ${job.name}`)
  return span ? inSpan(span, () => job.run({ ...context, span })) : job.run(context)
}
