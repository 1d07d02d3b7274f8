/** Working days from sending to delivery that are distinguished; longer journeys count as this long. */
export const longest = 40

/**
 * How many parcels took how many working days. A parcel is counted on each of its days, as one that may arrive then: so
 * one that is still in transit adds what is known, that it has not arrived so far (right-censored).
 */
export class Counts {
  /** Parcels that arrived. */
  n = 0
  /** Their weight together. */
  total = 0
  /** By working days taken: the weight of those that arrived then, and of those that had not arrived before. */
  readonly days = new Float64Array(longest + 1)
  readonly open = new Float64Array(longest + 1)

  /** `weights`: of each of its days from the one it was sent on to the last that is known, the `lastDay`. */
  add(lastDay: number, weights: Float64Array, hasArrived: boolean): void {
    for (let day = 0; day <= lastDay; day += 1) this.open[day] = at(this.open, day) + at(weights, day)
    if (!hasArrived) return
    const weight = at(weights, lastDay)
    this.n += 1
    this.total += weight
    this.days[lastDay] = at(this.days, lastDay) + weight
  }

  /** One day of a parcel, on which it arrived or did not. */
  addDay(day: number, hasArrived: boolean, weight = 1): void {
    this.open[day] = at(this.open, day) + weight
    if (!hasArrived) return
    this.n += 1
    this.total += weight
    this.days[day] = at(this.days, day) + weight
  }
}

/** Of all parcels, the share that takes each number of working days. */
export type Shares = Float64Array

/** Before any journey is known: half take up to three working days, one in a hundred more than 20 (log-normal, σ 0.8). */
export const anyParcel: Shares = normalised(
  Float64Array.from({ length: longest + 1 }, (_, days) => {
    const distance = (Math.log(days + 0.5) - Math.log(3)) / 0.8
    return Math.exp(-(distance ** 2) / 2) / (days + 0.5)
  }),
)

/**
 * The counts, as if `strength` more parcels had been seen that took as long as expected. Computed day by day, from the
 * share of the parcels still in transit that arrives (the mean of a beta-Stacy process; without parcels in transit, of
 * a Dirichlet one).
 */
export function shrunk({ days, open }: Counts, expected: Shares, strength: number): Shares {
  const shares = new Float64Array(longest + 1)
  let [left, leftExpected] = [1, 1]
  for (let index = 0; index < longest; index += 1) {
    const mayArrive = at(open, index) + strength * leftExpected
    const arrive = at(days, index) + strength * at(expected, index)
    const share = mayArrive > 0 ? left * Math.min(1, arrive / mayArrive) : 0
    shares[index] = share
    left -= share
    leftExpected = Math.max(0, leftExpected - at(expected, index))
  }
  shares[longest] = Math.max(0, left)
  return shares
}

/** Applies to shares what turns `from` into `to`: the effect of a weekday, or of the last weeks, on a carrier. */
export function tilted(shares: Shares, to: Shares, from: Shares): Shares {
  const result = new Float64Array(longest + 1)
  for (let index = 0; index <= longest; index += 1) {
    result[index] = (at(shares, index) * at(to, index)) / at(from, index)
  }
  return normalised(result)
}

/** The same parcels, of which a share is delayed by some more days. */
export function delayed(shares: Shares, share: number, delays: Shares): Shares {
  if (share === 0) return shares
  const result = shares.map((value) => value * (1 - share))
  for (let delay = 0; delay <= longest; delay += 1) {
    const part = share * at(delays, delay)
    if (part === 0) continue
    for (let days = 0; days <= longest; days += 1) {
      const index = Math.min(longest, days + delay)
      result[index] = at(result, index) + part * at(shares, days)
    }
  }
  return result
}

/** Each at its index: the share that takes so long or less. */
export function cumulated(shares: Shares): Shares {
  let sum = 0
  return shares.map((share) => {
    sum += share
    return Math.min(1, sum)
  })
}

const strengths = [2, 5, 10, 20, 50, 100, 200, 500, 1_000]

/**
 * How many expected parcels to add to the counts of a group of cells: the number with which each parcel is predicted
 * best from the others. It is large if the cells are as expected, and small if each is different.
 */
export function bestStrength(cells: Iterable<{ counts: Counts; expected: Shares }>): number {
  const scores = new Float64Array(strengths.length)
  for (const { counts, expected } of cells) {
    if (counts.n === 0) continue
    const one = counts.total / counts.n
    let leftExpected = 1
    for (let day = 0; day < longest; day += 1) {
      const open = at(counts.open, day)
      if (open === 0) break
      const arrive = at(counts.days, day)
      const share = at(expected, day)
      for (const [index, strength] of strengths.entries()) {
        const others = Math.max(0, open - one) + strength * leftExpected
        const arrives = (Math.max(0, arrive - one) + strength * share) / others
        const stays = 1 - (arrive + strength * share) / others
        let score = 0
        if (arrive > 0) score += arrive * Math.log(Math.max(arrives, 1e-12))
        if (open - arrive > 1e-9) score += (open - arrive) * Math.log(Math.max(stays, 1e-12))
        scores[index] = at(scores, index) + score
      }
      leftExpected = Math.max(0, leftExpected - share)
    }
  }
  // If it makes no difference, as with a single parcel, the larger one is chosen.
  let best = strengths.length - 1
  for (let index = best - 1; index >= 0; index -= 1) if (at(scores, index) > at(scores, best)) best = index
  return strengths[best] ?? 0
}

function normalised(shares: Float64Array): Shares {
  const sum = shares.reduce((total, share) => total + share, 0)
  return shares.map((share) => share / sum)
}

export function at(values: Float64Array, index: number): number {
  return values[index] ?? 0
}
