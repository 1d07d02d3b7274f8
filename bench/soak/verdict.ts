import type { LiveMemory } from './live-memory.ts'

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
  /** After a collection of garbage; only every so often. */
  live?: LiveMemory | undefined
  queueAgeSeconds: number
  storeMb: number
}

/** Memory is flat if its line of best fit over the second half of the run rises by less than this share. */
export const flatShare = 0.05

/** A measurement at some minute of the run. */
export type Point = readonly [minute: number, mb: number]

/** By how much the line of best fit rises over the second half, as a share of its middle. */
export function riseOf(points: Point[]): number {
  const half = secondHalf(points)
  const middle = { x: mean(half.map(([x]) => x)), y: mean(half.map(([, y]) => y)) }
  const slope = sum(half.map(([x, y]) => (x - middle.x) * (y - middle.y))) / sum(half.map(([x]) => (x - middle.x) ** 2))
  const minutes = (half.at(-1)?.[0] ?? 0) - (half[0]?.[0] ?? 0)
  return (slope * minutes) / middle.y
}

export function secondHalf<Each>(all: Each[]): Each[] {
  return all.slice(Math.floor(all.length / 2))
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
