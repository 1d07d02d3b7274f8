import { at, type Counts, longest, type Shares } from './shares.ts'

/**
 * How fast parcels were, compared with these shares: 1 is as fast, 0.5 half as fast, in the sense that each day half as many
 * of those that are still under way arrive (proportional hazards). Where there are few parcels it is near to what is expected.
 */
export function paceOf({ days, total }: Counts, shares: Shares, expected: number, strength: number): number {
  return (total + strength) / (exposureOf(days, shares) + strength / expected)
}

/** For each parcel the mean of -log S over its day; of parcels with just these shares it is 1 on average. */
function exposureOf(days: Float64Array, shares: Shares): number {
  let [exposure, left] = [0, 1]
  for (let index = 0; index <= longest; index += 1) {
    const share = at(shares, index)
    const after = index === longest ? 0 : Math.max(0, left - share)
    const weight = at(days, index)
    if (weight > 0) exposure += (weight * (integral(left) - integral(after))) / Math.max(left - after, 1e-12)
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

/** As long as little is known, weeks differ by 15 %, and so many parcels it takes to know better. */
const usualChange = 0.15
const usualParcels = 200
/** A week is held against the three weeks before the last one: that one's parcels are still under way when it begins. */
const weeksBefore = [2, 3, 4]
/** Weeks with fewer parcels say nothing, and of the last ones only the quick parcels have arrived. */
const leastInWeek = 5
const newestWeek = 3
/** Changes are put together by rank: the worst twentieth, the next fifth, and so on. */
const ranks = [0.05, 0.25, 0.75, 0.95, 1]

/** What weeks have made of the pace of carriers so far, beyond what chance makes of few parcels. */
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

function changesOf({ weeks, shares }: { weeks: Map<number, Counts>; shares: Shares }) {
  const seen = new Map([...weeks].map(([week, { days, n }]) => [week, { n, exposure: exposureOf(days, shares) }]))
  return [...seen].flatMap(([week, { n, exposure }]) => {
    const before = { n: 0, exposure: 0 }
    for (const back of weeksBefore) {
      const other = seen.get(week + back)
      before.n += other?.n ?? 0
      before.exposure += other?.exposure ?? 0
    }
    if (week < newestWeek || n < leastInWeek || before.n < leastInWeek * weeksBefore.length) return []
    const change = Math.log(n / exposure) - Math.log(before.n / before.exposure)
    return [{ change, n, noise: 1 / n + 1 / before.n }]
  })
}
