/** The only source of time; tests pass a clock that they can move. */
export interface Clock {
  now(): Date
  /** If it was set back since the last call: the latest time it had shown before. */
  takeSetBack?(): Date | undefined
}

export const systemClock: Clock = { now: () => new Date() }

/** The clock of a service, which notices when the machine's is set back. */
export class WatchedClock implements Clock {
  #latestMs = 0

  now(): Date {
    const now = systemClock.now()
    if (now.getTime() > this.#latestMs) this.#latestMs = now.getTime()
    return now
  }

  takeSetBack(): Date | undefined {
    const nowMs = systemClock.now().getTime()
    const latestMs = this.#latestMs
    this.#latestMs = nowMs
    return latestMs > nowMs ? new Date(latestMs) : undefined
  }
}

export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export function after(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}

/** The latest instant that is given. */
export function latest(instants: (Date | undefined)[]): Date | undefined {
  return sorted(instants).at(-1)
}

/** The earliest instant that is given. */
export function earliest(instants: (Date | undefined)[]): Date | undefined {
  return sorted(instants).at(0)
}

function sorted(instants: (Date | undefined)[]): Date[] {
  return instants.filter((instant) => instant !== undefined).sort((left, right) => left.getTime() - right.getTime())
}
