import { type Clock, dayMs, hourMs } from '../../src/platform/foundation/clock.ts'

/** A clock that a test can move. It runs normally between moves. */
export class MovableClock implements Clock {
  #offsetMs = 0

  now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }

  advance(ms: number): void {
    this.#offsetMs += ms
  }

  /** To the middle of an hour, for tests of what is counted by the hour or by the day: neither ends while they run. */
  advanceToHalfPast(): void {
    this.advance((1.5 * hourMs - (this.now().getTime() % hourMs)) % hourMs)
  }

  /** To the middle of a day, for tests that need some hours of one. */
  advanceToNoon(): void {
    this.advance((1.5 * dayMs - (this.now().getTime() % dayMs)) % dayMs)
  }

  reset(): void {
    this.#offsetMs = 0
  }
}

/** The clock of all services in this test process. */
export const clock = new MovableClock()
