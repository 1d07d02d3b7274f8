/** One look at the service while it works. */
export interface Sample {
  minute: number
  requestsPerSecond: number
  deliveriesPerSecond: number
  mailsPerSecond: number
  p50Ms: number | undefined
  p99Ms: number | undefined
  errors: number
  /** Resident memory of every process, in the order in which they were started. */
  memoryMb: number[]
  queueAgeSeconds: number
  storeMb: number
}

/** Memory is flat if its line of best fit over the second half of the run rises by less than this share. */
export const flatShare = 0.05

/** By how much the line of best fit rises over the second half, as a share of its middle. */
export function memoryRise(samples: Sample[]): number {
  const half = samples.slice(Math.floor(samples.length / 2))
  const points = half.map(({ minute, memoryMb }) => [minute, sum(memoryMb)] as const)
  const middle = { x: mean(points.map(([x]) => x)), y: mean(points.map(([, y]) => y)) }
  const slope =
    sum(points.map(([x, y]) => (x - middle.x) * (y - middle.y))) / sum(points.map(([x]) => (x - middle.x) ** 2))
  const minutes = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0)
  return (slope * minutes) / middle.y
}

export function quantile(values: number[], share: number): number | undefined {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export function mean(values: number[]): number {
  return sum(values) / values.length
}

export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
