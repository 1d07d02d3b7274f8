/** The only source of time; tests pass a clock that they can move. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

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
