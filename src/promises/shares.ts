/** Working days from sending to delivery that are told apart; longer journeys count as this long. */
export const longest = 40

/** How many parcels took how many working days. */
export class Counts {
  /** Parcels. */
  n = 0
  /** Their weight together. */
  total = 0
  readonly days = new Float64Array(longest + 1)

  add(taken: number, weight: number): void {
    this.n += 1
    this.total += weight
    this.days[taken] = (this.days[taken] ?? 0) + weight
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

/** What was counted, as if `strength` more parcels had been seen that took what was expected of them. */
export function shrunk({ days, total }: Counts, expected: Shares, strength: number): Shares {
  const shares = new Float64Array(longest + 1)
  for (let index = 0; index <= longest; index += 1) {
    shares[index] = (at(days, index) + strength * at(expected, index)) / (total + strength)
  }
  return shares
}

/** Applies to shares what turns `from` into `to`: what a weekday, or the last weeks, do to a carrier's parcels. */
export function tilted(shares: Shares, to: Shares, from: Shares): Shares {
  const result = new Float64Array(longest + 1)
  for (let index = 0; index <= longest; index += 1) {
    result[index] = (at(shares, index) * at(to, index)) / at(from, index)
  }
  return normalised(result)
}

/** The same parcels, of which a share is held up for some more days. */
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
 * How many expected parcels to add to the counts of a group of cells: the number with which each parcel is foretold best
 * from the others. It is large where the cells are like what is expected of them, and small where each has its own ways.
 */
export function bestStrength(cells: Iterable<{ counts: Counts; expected: Shares }>): number {
  const scores = new Float64Array(strengths.length)
  for (const { counts, expected } of cells) {
    if (counts.n === 0) continue
    const one = counts.total / counts.n
    for (let days = 0; days <= longest; days += 1) {
      const weight = at(counts.days, days)
      if (weight === 0) continue
      const others = Math.max(0, weight - one)
      for (const [index, strength] of strengths.entries()) {
        const share = (others + strength * at(expected, days)) / (counts.total - one + strength)
        scores[index] = at(scores, index) + weight * Math.log(share)
      }
    }
  }
  // Where it makes no difference, as with a single parcel, the larger one.
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
