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

/** The same, if the pace is known only roughly: it may be faster or slower by as much as it is unsteady. */
export function unsteadilyPaced(shares: Shares, pace: number, unsteadiness: number): Shares {
  // Three points that have the mean and the variance of a normal distribution.
  const result = new Float64Array(longest + 1)
  for (const [deviations, weight] of [
    [-Math.sqrt(3), 1 / 6],
    [0, 2 / 3],
    [Math.sqrt(3), 1 / 6],
  ] as const) {
    const part = paced(shares, pace * Math.exp(deviations * unsteadiness))
    for (let index = 0; index <= longest; index += 1) result[index] = at(result, index) + weight * at(part, index)
  }
  return result
}

/** Before anything is known of it, and how many parcels it takes to know better. */
const usualUnsteadiness = { value: 0.15, parcels: 200 }
/** A week is held against so many weeks before it. */
const weeksBefore = 3
/** Weeks with fewer parcels say nothing. */
const leastInWeek = 5

/** By how much the pace of a week differs from that of the weeks before it, beyond what chance makes of few parcels. */
export function unsteadinessOf(carriers: { weeks: Map<number, Counts>; shares: Shares }[]): number {
  let [sum, parcels] = [usualUnsteadiness.value ** 2 * usualUnsteadiness.parcels, usualUnsteadiness.parcels]
  for (const { weeks, shares } of carriers) {
    const seen = new Map(
      [...weeks].map(([week, { days, n }]) => [week, { n, exposure: exposureOf(days, shares) }] as const),
    )
    for (const [week, { n, exposure }] of seen) {
      const before = { n: 0, exposure: 0 }
      for (let back = 1; back <= weeksBefore; back += 1) {
        const other = seen.get(week + back)
        before.n += other?.n ?? 0
        before.exposure += other?.exposure ?? 0
      }
      if (n < leastInWeek || before.n < leastInWeek * weeksBefore) continue
      const change = Math.log(n / exposure) - Math.log(before.n / before.exposure)
      sum += n * (change ** 2 - 1 / n - 1 / before.n)
      parcels += n
    }
  }
  return Math.sqrt(Math.max(0, sum / parcels))
}
