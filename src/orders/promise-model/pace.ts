import { at, type Counts, longest, type Shares } from './shares.ts'

/**
 * How fast parcels were, compared with these shares: 1 is as fast, 0.5 half as fast, in the sense that each day half as many
 * of those that are still in transit arrive (proportional hazards). With few parcels it is near to the expected pace.
 */
export function paceOf(counts: Counts, shares: Shares, expected: number, strength: number): number {
  return (counts.total + strength) / (exposureOf(counts, shares) + strength / expected)
}

/**
 * How many of these parcels should have arrived by these shares. For each day that one stayed in transit, what -log S grew by;
 * for the day of its arrival the mean growth until then. Of parcels with just these shares it is their number on average.
 */
function exposureOf({ days, open }: Counts, shares: Shares): number {
  let [exposure, left] = [0, 1]
  for (let index = 0; index <= longest && left > 1e-12; index += 1) {
    const after = index === longest ? 0 : Math.max(0, left - at(shares, index))
    const arrived = at(days, index)
    const stayed = Math.max(0, at(open, index) - arrived)
    if (arrived > 0 && left > after) {
      exposure += arrived * ((integral(left) - integral(after)) / (left - after) + Math.log(left))
    }
    if (stayed > 1e-9 && index < longest) exposure += stayed * Math.log(left / Math.max(after, 1e-12))
    left = after
  }
  return exposure
}

/** Of -log u, from 0. */
function integral(u: number): number {
  return u <= 0 ? 0 : u - u * Math.log(u)
}

/** The shares of parcels that are faster or slower by a factor. */
function paced(shares: Shares, pace: number): Shares {
  const result = new Float64Array(longest + 1)
  let [left, before] = [1, 1]
  for (let index = 0; index <= longest; index += 1) {
    left = index === longest ? 0 : Math.max(0, left - at(shares, index))
    const now = left ** pace
    result[index] = before - now
    before = now
  }
  return result
}

/** How the pace of a week may differ from that of the weeks before: factors, and how likely each is. */
export type PaceChange = { factor: number; weight: number }

/** The same, if the pace is known only roughly. */
export function unsteadilyPaced(shares: Shares, pace: number, changes: readonly PaceChange[]): Shares {
  const result = new Float64Array(longest + 1)
  for (const { factor, weight } of changes) {
    const part = paced(shares, pace * factor)
    for (let index = 0; index <= longest; index += 1) result[index] = at(result, index) + weight * at(part, index)
  }
  return result
}

/** As long as little is known, weeks are assumed to differ by 15 %; this weighs as much as so many parcels. */
const usualChange = 0.15
const usualParcels = 200
/** A week is compared with the weeks before it, which weigh half after two, as what is different lately does. */
const weeksBefore = 8
const weeksToHalf = 2
/** Weeks with fewer parcels say nothing. */
const leastInWeek = 5
/** Changes are put together by rank: the worst twentieth, the next fifth, and so on. */
const ranks = [0.05, 0.25, 0.75, 0.95, 1]

/** Changes of the carriers' pace from week to week so far, beyond those by chance among few parcels. */
export function paceChangesOf(carriers: { weeks: Map<number, Counts>; shares: Shares }[]): PaceChange[] {
  const seen = [
    { change: -usualChange, n: usualParcels / 2, noise: 0 },
    { change: usualChange, n: usualParcels / 2, noise: 0 },
    ...carriers.flatMap(changesOf),
  ].sort((one, other) => one.change - other.change)
  const parcels = seen.reduce((sum, { n }) => sum + n, 0)
  const variance = seen.reduce((sum, { change, n }) => sum + n * change ** 2, 0) / parcels
  const noise = seen.reduce((sum, one) => sum + one.n * one.noise, 0) / parcels
  const kept = Math.sqrt(Math.max(0, 1 - noise / variance))
  const sums = ranks.map(() => ({ change: 0, n: 0 }))
  let before = 0
  for (const { change, n } of seen) {
    const sum = sums[ranks.findIndex((rank) => (before + n / 2) / parcels <= rank)]
    before += n
    if (sum === undefined) continue
    sum.change += change * n
    sum.n += n
  }
  return sums
    .filter(({ n }) => n > 0)
    .map(({ change, n }) => ({ factor: Math.exp((kept * change) / n), weight: n / parcels }))
}

/**
 * How far each week was from the forecast on its eve. That the weeks before had few parcels is part of it; that the
 * week itself had few is not: the chance of single parcels is in their shares.
 */
function changesOf({ weeks, shares }: { weeks: Map<number, Counts>; shares: Shares }) {
  const seen = new Map(
    [...weeks].map(([week, counts]) => [week, { n: counts.n, exposure: exposureOf(counts, shares) }]),
  )
  return [...seen].flatMap(([week, { n, exposure }]) => {
    const before = { n: 0, weight: 0, exposure: 0 }
    for (let back = 1; back <= weeksBefore; back += 1) {
      const other = seen.get(week + back)
      const weight = 0.5 ** (back / weeksToHalf)
      before.n += other?.n ?? 0
      before.weight += weight * (other?.n ?? 0)
      before.exposure += weight * (other?.exposure ?? 0)
    }
    if (n < leastInWeek || before.n < leastInWeek * weeksToHalf || exposure === 0 || before.exposure === 0) return []
    const change = Math.log(n / exposure) - Math.log(before.weight / before.exposure)
    return [{ change, n, noise: 1 / n }]
  })
}
