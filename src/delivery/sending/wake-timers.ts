import { minuteMs } from '../../platform/foundation/clock.ts'
import type { ReceiverQueue } from './receiver-queue.ts'

/** Retries that are due this close together are fetched together: many receivers that hang are not many fetches. */
const tickMs = 100
/** A timer only for what is due soon; the sweep finds the rest. */
const maxMs = minuteMs

/** Wakes queues when a retry is due, all queues of one tick together. */
export class WakeTimers {
  readonly #runLater: (delayMs: number, action: () => void) => void
  readonly #ticks = new Map<number, Set<ReceiverQueue>>()

  constructor(runLater: (delayMs: number, action: () => void) => void) {
    this.#runLater = runLater
  }

  add(queue: ReceiverQueue, delayMs: number, wake: (queues: ReceiverQueue[]) => void): void {
    if (delayMs > maxMs) return
    const tick = Math.ceil((performance.now() + delayMs) / tickMs)
    const known = this.#ticks.get(tick)
    if (known) {
      known.add(queue)
      return
    }
    const queues = new Set([queue])
    this.#ticks.set(tick, queues)
    this.#runLater(tick * tickMs - performance.now(), () => {
      this.#ticks.delete(tick)
      wake([...queues])
    })
  }
}
