import { receiverQueuePolicy as policy } from './policy.ts'

/** Capacity that all queues of a worker share: attempts in flight, and deliveries in memory. */
export class Capacity<Queue> {
  #inFlight = 0
  #waiting = 0
  #unrecorded = 0
  readonly #stalled = new Set<Queue>()

  get isExhausted(): boolean {
    return this.#inFlight >= policy.totalConcurrency
  }

  get waitingLeft(): number {
    return policy.maxWaitingInTotal - this.#waiting
  }

  /** How many deliveries one fetch may bring. */
  get fetchable(): number {
    return Math.min(policy.maxFetch, policy.totalConcurrency - this.#inFlight, this.waitingLeft)
  }

  /** Nothing in flight, and everything that was is recorded. */
  get isIdle(): boolean {
    return this.#unrecorded === 0
  }

  added(): void {
    this.#waiting += 1
    this.#unrecorded += 1
  }

  removed(count: number): void {
    this.#waiting -= count
  }

  started(): void {
    this.#waiting -= 1
    this.#inFlight += 1
  }

  ended(): void {
    this.#inFlight -= 1
  }

  recorded(): void {
    this.#unrecorded -= 1
  }

  /** The queue has something to send, and waits until any other ends an attempt. */
  stall(queue: Queue): void {
    this.#stalled.add(queue)
  }

  takeStalled(): Queue | undefined {
    const [queue] = this.#stalled
    if (queue) this.#stalled.delete(queue)
    return queue
  }
}
