import type { Clock } from '../../src/foundation/clock.ts'

/** A clock that a test can move. It runs normally between moves. */
export class MovableClock implements Clock {
  #offsetMs = 0

  now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }

  advance(ms: number): void {
    this.#offsetMs += ms
  }

  reset(): void {
    this.#offsetMs = 0
  }
}
