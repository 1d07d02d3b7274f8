import { secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import type { CounterSpec } from '../foundation/metrics.ts'
import { StepLoop } from '../foundation/step-loop.ts'
import { inSpan } from '../foundation/tracing.ts'
import { leaseJobRun, recordJobRun } from '../store/job-runs.ts'

/** Something to be done once in each period. */
export interface Job {
  /** Names the job to the other nodes, in the log and in traces. */
  name: string
  everyMs: number
  /** 'one node': the first to lease the period's run. 'every process': each for itself, about what it has in memory. */
  runsOn: 'one node' | 'every process'
  /** A job that goes through all shops ends after about `maxRunMs`, and continues in its next run. */
  run(context: Context, maxRunMs: number): Promise<void>
}

const tickMs = 10 * secondMs
/** Limits a run, so that the other jobs run, too. */
const maxRunMs = 10 * secondMs

export const jobRunsMetric: CounterSpec = {
  name: 'doorstep_job_runs_total',
  help: 'Runs of scheduled jobs by this node.',
  labels: { outcome: ['succeeded', 'failed'] },
}

/**
 * Runs jobs on time. All it needs of a scheduler is one run per period across all nodes, which is one row and one
 * statement; a job queue would bring a schema, a poller and a newer Node than we require.
 */
export class Schedule {
  readonly #jobs: Job[]
  readonly #context: () => Context
  readonly #rounds: StepLoop
  /** The time at which this process last ran each job that every process runs. */
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

  /** Runs one job now, whether it is due or not, until nothing is left to do. */
  async run(name: string): Promise<void> {
    const job = this.#jobs.find((each) => each.name === name)
    if (!job) throw new Error(`there is no job named ${name}`)
    await run(job, this.#context(), Number.POSITIVE_INFINITY)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#rounds.idle()
  }

  async #runDueJobs(): Promise<void> {
    for (const job of this.#jobs) {
      const context = this.#context()
      try {
        if (!(await this.#leaseRun(context, job))) continue
        await run(job, context, maxRunMs)
        await this.#record(context, job)
      } catch (err) {
        context.log.error({ err, job: job.name }, 'a scheduled job failed; it runs again in its next period')
        await this.#record(context, job, err)
      }
    }
  }

  /** If it fails, the run is not repeated: only its end is unknown. */
  async #record(context: Context, job: Job, error?: unknown): Promise<void> {
    context.services.metrics.count(jobRunsMetric, { outcome: error === undefined ? 'succeeded' : 'failed' })
    if (job.runsOn !== 'one node') return
    const failure = error === undefined ? undefined : error instanceof Error ? error.name : 'Error'
    const endedAt = context.services.clock.now()
    await recordJobRun(context, job.name, endedAt, failure).catch((err: unknown) =>
      context.log.error({ err, job: job.name }, 'the end of a scheduled job could not be recorded'),
    )
  }

  async #leaseRun(context: Context, job: Job): Promise<boolean> {
    if (job.runsOn === 'one node') return leaseJobRun(context, job.name, context.now, job.everyMs)
    const last = this.#lastRuns.get(job)
    if (last && Math.abs(context.now.getTime() - last.getTime()) < job.everyMs) return false
    this.#lastRuns.set(job, context.now)
    return true
  }
}

function run(job: Job, context: Context, maxRunMs: number): Promise<void> {
  const span = context.services.tracing?.begin(`job ${job.name}`)
  return span ? inSpan(span, () => job.run({ ...context, span }, maxRunMs)) : job.run(context, maxRunMs)
}
