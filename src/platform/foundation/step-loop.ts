/** State of a loop. */
export type StepLoopState =
  /** Nothing is requested. */
  | 'idle'
  /** A step is requested; more requests are gathered, or a failed step is backing off. */
  | 'waiting'
  /** A step is in flight. A request made now is served by the next one. */
  | 'running'
  /** Closed: requests are ignored. */
  | 'closed'

export interface StepLoopOptions {
  step(): Promise<void>
  onError(error: unknown): void
  /** Requests made within this time are served by one step. By default, those of one turn of the event loop. */
  gatherMs?: number
}

const firstBackOffMs = 100
/** Failed steps are tried again at least this often, so that work goes on within a second of the return of the store. */
const maxBackOffMs = 500

/**
 * Runs a step on request, one at a time. However many requests arrive while a step runs, one more step follows it. After a
 * failed step the next one is delayed, twice as long each time.
 *
 *     idle ──request──► waiting ──gathered──► running ──► idle
 *                          ▲                     │
 *                          └─requested meanwhile─┘
 */
export class StepLoop {
  readonly #options: StepLoopOptions
  #next: Promise<void> | undefined
  #running: Promise<void> | undefined
  #failures = 0
  #notBeforeMs = 0
  #endWait: (() => void) | undefined
  #isClosed = false

  constructor(options: StepLoopOptions) {
    this.#options = options
  }

  get state(): StepLoopState {
    if (this.#running) return 'running'
    if (this.#next) return 'waiting'
    return this.#isClosed ? 'closed' : 'idle'
  }

  get isBusy(): boolean {
    return this.#running !== undefined || this.#next !== undefined
  }

  /** Requests a step. Resolves when a step that began after this call has ended, whether or not it failed. */
  run(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    this.#next ??= this.#runNext()
    return this.#next
  }

  /** Resolves when the steps that are requested now have ended. */
  async idle(): Promise<void> {
    await (this.#next ?? this.#running)
  }

  /** Runs a step that is waiting without further delay. */
  hurry(): void {
    this.#endWait?.()
  }

  /** Ignores further requests, and drops a step that has not begun. */
  close(): void {
    this.#isClosed = true
    this.hurry()
  }

  async #runNext(): Promise<void> {
    if (this.#running) await this.#running
    if (!this.#isClosed) await this.#wait()
    this.#next = undefined
    if (this.#isClosed) return
    this.#running = this.#step()
    await this.#running
  }

  #wait(): Promise<void> {
    const delayMs = Math.max(this.#options.gatherMs ?? 0, this.#notBeforeMs - performance.now())
    return new Promise((resolve) => {
      const timer = delayMs > 0 ? setTimeout(resolve, delayMs) : undefined
      if (timer === undefined) setImmediate(resolve)
      this.#endWait = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #step(): Promise<void> {
    try {
      await this.#options.step()
      this.#failures = 0
      this.#notBeforeMs = 0
    } catch (error) {
      const backOffMs = Math.min(firstBackOffMs * 2 ** this.#failures, maxBackOffMs)
      this.#failures += 1
      this.#notBeforeMs = performance.now() + backOffMs
      this.#options.onError(error)
    } finally {
      this.#running = undefined
    }
  }
}
