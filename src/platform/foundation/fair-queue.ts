import { type InTurn, Turns } from './turns.ts'

export interface FairQueueLimits {
  /** How many run at the same time. */
  atOnce: number
  /** How many wait behind them, of those who are known and of all others. */
  waiting: { known: number; others: number }
}

export interface QueuedCaller {
  /**
   * Callers of one group, such as a network, share its turns. A list names groups within groups: the accounts of a
   * network share the turns of their network.
   */
  group: string | readonly string[]
  /** Known callers have places and turns of their own: strangers can neither occupy nor delay them. */
  isKnown?: boolean
  /** Calls back when the caller no longer waits for the result; returns how to stop listening. */
  whenGone?: ((act: () => void) => () => void) | undefined
}

/** The work did not run: there was no place for it, or its caller has gone. */
export class NotRun extends Error {
  readonly reason: 'full' | 'gone'

  constructor(reason: 'full' | 'gone') {
    super(reason === 'full' ? 'too many are waiting' : 'the caller has gone')
    this.reason = reason
  }
}

interface Waiting extends InTurn {
  start(): void
  reject(error: NotRun): void
}

/**
 * Runs a few pieces of costly work at a time. Groups alternate, so that one that sends a hundred requests delays
 * another by one of them. If all places are occupied, the longest group loses its newest caller, unless the group of
 * the new caller is as long.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  readonly #known: WaitingCallers
  readonly #others: WaitingCallers
  #running = 0
  /** Whether a known caller starts next if callers wait in both. */
  #isTurnOfKnown = true

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
    this.#known = new WaitingCallers(limits.waiting.known)
    this.#others = new WaitingCallers(limits.waiting.others)
  }

  get waiting(): number {
    return this.#known.size + this.#others.size
  }

  /** Rejects with `NotRun` if the work did not run. */
  async run<Result>(caller: QueuedCaller, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.atOnce) this.#running += 1
    else await this.#wait(caller)
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  #wait({ group, isKnown = false, whenGone }: QueuedCaller): Promise<void> {
    const callers = isKnown ? this.#known : this.#others
    return new Promise((resolve, reject) => {
      let stopListening: (() => void) | undefined
      const waiting: Waiting = {
        path: typeof group === 'string' ? [group] : group,
        start() {
          stopListening?.()
          resolve()
        },
        reject(error) {
          stopListening?.()
          reject(error)
        },
      }
      if (!callers.add(waiting)) return reject(new NotRun('full'))
      stopListening = whenGone?.(() => {
        if (callers.remove(waiting)) waiting.reject(new NotRun('gone'))
      })
    })
  }

  /** The next caller gets the place of the one that ended, so that no other gets in between. */
  #startNext(): void {
    const [first, second] = this.#isTurnOfKnown ? [this.#known, this.#others] : [this.#others, this.#known]
    this.#isTurnOfKnown = !this.#isTurnOfKnown
    const next = first.shift() ?? second.shift()
    if (next) next.start()
    else this.#running -= 1
  }
}

/** A limited number of places for those who wait. */
class WaitingCallers {
  readonly #limit: number
  readonly #waiting = new Turns<Waiting>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#waiting.size
  }

  /** False if there is no place. */
  add(waiting: Waiting): boolean {
    if (this.size >= this.#limit && !this.#makePlace(waiting.path)) return false
    this.#waiting.add(waiting)
    return true
  }

  shift(): Waiting | undefined {
    return this.#waiting.shift()
  }

  /** False if it no longer waits. */
  remove(waiting: Waiting): boolean {
    return this.#waiting.remove(waiting)
  }

  #makePlace(path: readonly string[]): boolean {
    const newest = this.#waiting.newestOfLongest(path)
    if (newest === undefined) return false
    this.remove(newest)
    newest.reject(new NotRun('full'))
    return true
  }
}
