import { claimJobRun } from '../database/job-runs.ts'
import { secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { inSpan } from '../foundation/tracing.ts'

/** Something to be done again and again, by one node at a time. */
export interface Job {
  name: string
  everyMs: number
  run(context: Context): Promise<void>
}

const tickMs = 10 * secondMs

/**
 * Runs jobs on time. What it needs of a scheduler is one turn a period across all nodes, which is one row and one
 * statement; a job queue would bring a schema, a poller and a newer Node than we ask for.
 */
export class Schedule {
  readonly #jobs: Job[]
  readonly #context: () => Context
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(jobs: Job[], context: () => Context) {
    this.#jobs = jobs
    this.#context = context
  }

  start(): void {
    this.#timer = setInterval(() => void this.tick(), tickMs)
    this.#timer.unref()
  }

  /** Runs what is due now, one round at a time: one under way has looked at some jobs already, so another follows it. */
  tick(): Promise<void> {
    if (!this.#running) return this.#begin()
    this.#next ??= this.#running.then(() => {
      this.#next = undefined
      // Somebody else who waited for the same round may have begun another one by now.
      return this.tick()
    })
    return this.#next
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await (this.#next ?? this.#running)
  }

  #begin(): Promise<void> {
    this.#running = this.#round().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #round(): Promise<void> {
    for (const job of this.#jobs) {
      const context = this.#context()
      try {
        if (await claimJobRun(context, job.name, context.now, job.everyMs)) await run(job, context)
      } catch (err) {
        context.log.error({ err, job: job.name }, 'a scheduled job failed; it runs again at its next turn')
      }
    }
  }
}

function run(job: Job, context: Context): Promise<void> {
  const span = context.services.tracing?.begin(`job ${job.name}`)
  return span ? inSpan(span, () => job.run({ ...context, span })) : job.run(context)
}
