import type { Context } from '../foundation/context.ts'
import { StepLoop } from '../foundation/step-loop.ts'

export type WorkerState =
  /** Not started yet. It works when it is woken, but does not sweep by itself: as in tests. */
  | 'created'
  /** Sweeps every few seconds, and works when it is woken. */
  | 'running'
  /** Leases nothing more; what is in flight is being finished. */
  | 'stopping'
  /** Nothing is in flight, and nothing begins any more. */
  | 'stopped'

export interface WorkerOptions {
  /** Names the worker in the log. */
  name: string
  context: () => Context
  /** The time between two sweeps. */
  sweepMs: number
}

/**
 * Does background work. The work is queued in the store, so that any node can do it and nothing is lost with a process. A
 * worker finds work in two ways: the code that queued it wakes the worker at once, and every few seconds a sweep leases
 * what is due, including what a dead node had leased and what other nodes queued.
 *
 *     created ──start()──► running ──stop()──► stopping ──nothing in flight──► stopped
 *
 * A subclass implements `findWork`, which is one sweep. Work that should not delay the sweep runs in a task (`runTask`)
 * or in a loop of its own (`createLoop`). Both count as busy, both end before `stop` resolves, and both log their errors.
 */
export abstract class Worker {
  readonly #options: WorkerOptions
  readonly #sweeps: StepLoop
  readonly #loops: { loop: StepLoop; finishesOnStop: boolean }[] = []
  readonly #tasks = new Set<Promise<void>>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #sweeper: NodeJS.Timeout | undefined
  #state: WorkerState = 'created'
  #stopped: Promise<void> | undefined
  #sweptMs = performance.now()

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#sweeps = this.createLoop(async () => {
      await this.findWork()
      this.#sweptMs = performance.now()
    })
  }

  get name(): string {
    return this.#options.name
  }

  /** Whether it runs, and no sweep has succeeded for this long. */
  isStuck(forMs: number): boolean {
    return this.#state === 'running' && performance.now() - this.#sweptMs > Math.max(forMs, 3 * this.#options.sweepMs)
  }

  get state(): WorkerState {
    return this.#state
  }

  /** True from the call of `stop`: nothing more may be leased. */
  get isStopping(): boolean {
    return this.#state === 'stopping' || this.#state === 'stopped'
  }

  /** Whether something is requested or in flight. A subclass that tracks work of its own adds it. */
  get isBusy(): boolean {
    return this.#tasks.size > 0 || this.#loops.some(({ loop }) => loop.isBusy)
  }

  /** Begins to sweep, at once and then every `sweepMs`. */
  start(): void {
    if (this.#state !== 'created') throw new Error(`${this.#options.name}: a worker starts once`)
    this.#state = 'running'
    this.#sweptMs = performance.now()
    this.#sweeper = setInterval(() => this.wake(), this.#options.sweepMs)
    // The worker alone must not keep the process running.
    this.#sweeper.unref()
    this.wake()
  }

  /** There may be work: sweeps soon. A subclass may accept a hint about where the work is; without one it sweeps. */
  wake(): void {
    void this.#sweeps.run()
  }

  /** Sweeps now. Resolves when a sweep that began after this call has ended; a failed one is logged. */
  sweep(): Promise<void> {
    return this.#sweeps.run()
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (this.isBusy) {
      const known = [...this.#tasks, ...this.#loops.filter(({ loop }) => loop.isBusy).map(({ loop }) => loop.idle())]
      await (known.length > 0 ? Promise.all(known) : pause(2))
    }
  }

  /** Does everything that is due now, for tests and for callers that wait for the end. */
  async runDue(): Promise<void> {
    await this.sweep()
    await this.idle()
  }

  /** Leases nothing more and finishes what is in flight. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  /** One sweep: leases what is due, or marks where it is. */
  protected abstract findWork(): Promise<void>

  /** Called when stopping begins, to give back what was leased and has not begun. */
  protected async onStopping(): Promise<void> {}

  /** Called when nothing is in flight any more, to give back leases. */
  protected async onDrained(): Promise<void> {}

  protected get context(): Context {
    return this.#options.context()
  }

  /**
   * A further step that runs on request, one at a time, beside the sweep. One that `finishesOnStop` still serves requests
   * while the worker is stopping: it records what is in flight.
   */
  protected createLoop(
    step: () => Promise<void>,
    { gatherMs = 0, finishesOnStop = false }: { gatherMs?: number; finishesOnStop?: boolean } = {},
  ): StepLoop {
    const loop = new StepLoop({ step, gatherMs, onError: (error) => this.logFailure(error) })
    this.#loops.push({ loop, finishesOnStop })
    return loop
  }

  /** Runs something beside the sweep. What fails is logged; its lease ends by itself. */
  protected runTask(task: () => Promise<void>): void {
    const running = this.#attempt(task).finally(() => this.#tasks.delete(running))
    this.#tasks.add(running)
  }

  /** Runs something later, unless the worker stops before; returns what cancels it. */
  protected runLater(delayMs: number, action: () => void): () => void {
    if (this.isStopping) return () => {}
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      action()
    }, delayMs)
    timer.unref()
    this.#timers.add(timer)
    return () => {
      clearTimeout(timer)
      this.#timers.delete(timer)
    }
  }

  protected logFailure(error: unknown): void {
    this.context.log.error({ err: error }, `${this.#options.name}: a step failed and will be tried again`)
  }

  async #stop(): Promise<void> {
    this.#state = 'stopping'
    clearInterval(this.#sweeper)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    for (const { loop, finishesOnStop } of this.#loops) finishesOnStop ? loop.hurry() : loop.close()
    await this.#attempt(() => this.onStopping())
    await this.idle()
    for (const { loop } of this.#loops) loop.close()
    await this.#attempt(() => this.onDrained())
    this.#state = 'stopped'
  }

  async #attempt(task: () => Promise<void>): Promise<void> {
    try {
      await task()
    } catch (error) {
      this.logFailure(error)
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
