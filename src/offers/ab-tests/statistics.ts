/** Two-sided 95 % of the normal distribution. */
const z = 1.959963984540054

export interface Interval {
  low: number
  high: number
}

/** Wilson's interval of a share: it is valid for few observations and for shares near 0 and 1. */
export function wilson(successes: number, total: number): Interval {
  const share = successes / total
  const spread = z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total))
  const middle = share + (z * z) / (2 * total)
  const scale = 1 + (z * z) / total
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}

/** The interval of a mean from the sum and the sum of squares of its values. */
export function meanInterval(sum: number, squares: number, total: number): Interval {
  const mean = sum / total
  const variance = Math.max(0, (squares - total * mean * mean) / (total - 1))
  const spread = z * Math.sqrt(variance / total)
  return { low: mean - spread, high: mean + spread }
}

export interface Trials {
  successes: number
  total: number
}

/** Newcombe's interval of the difference of two shares (his method 10): built from the Wilson interval of each. */
export function differenceInterval(first: Trials, second: Trials): Interval {
  const [own, other] = [first.successes / first.total, second.successes / second.total]
  const [ownWilson, otherWilson] = [wilson(first.successes, first.total), wilson(second.successes, second.total)]
  const difference = own - other
  return {
    low: difference - Math.hypot(own - ownWilson.low, otherWilson.high - other),
    high: difference + Math.hypot(ownWilson.high - own, other - otherWilson.low),
  }
}

/** One-sided 80 % of the normal distribution. */
const zPower = 0.8416212335729143

/**
 * How many observations each of two samples needs, so that a true difference of this size is found significant at 5 % in
 * four of five cases. Undefined without a difference: no number is enough.
 */
export function neededPerSample(first: number, second: number): number | undefined {
  if (first === second) return undefined
  const middle = (first + second) / 2
  const chance = z * Math.sqrt(2 * middle * (1 - middle))
  const power = zPower * Math.sqrt(first * (1 - first) + second * (1 - second))
  return Math.ceil(((chance + power) / (first - second)) ** 2)
}

/** Simpson's rule requires an even number of steps; more of them change nothing in the sixth digit. */
const steps = 600

/**
 * For each, the chance that its true share is the highest of all, given what was seen: Beta posteriors of a uniform
 * prior, integrated numerically, so that the same counts always give the same result.
 */
export function chancesToBeBest(trials: readonly Trials[]): number[] {
  const posteriors = trials.map(({ successes, total }) => ({ alpha: 1 + successes, beta: 1 + total - successes }))
  const raw = posteriors.map((own, index) => {
    const others = posteriors.filter((_, other) => other !== index)
    return expectation(own, (share) => others.reduce((product, other) => product * betaBelow(share, other), 1))
  })
  const sum = raw.reduce((total, chance) => total + chance, 0)
  return raw.map((chance) => chance / sum)
}

interface Beta {
  alpha: number
  beta: number
}

/** The mean of a function under a Beta distribution, over all but its far tails. */
function expectation(distribution: Beta, value: (share: number) => number): number {
  const { alpha, beta } = distribution
  const mean = alpha / (alpha + beta)
  const deviation = Math.sqrt((mean * (1 - mean)) / (alpha + beta + 1))
  const from = Math.max(0, mean - 14 * deviation)
  const to = Math.min(1, mean + 14 * deviation)
  let weighted = 0
  let weights = 0
  for (let step = 0; step <= steps; step += 1) {
    const share = from + ((to - from) * step) / steps
    const simpson = step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2
    const weight = simpson * Math.exp(logDensity(share, distribution))
    weights += weight
    weighted += weight * value(share)
  }
  return weighted / weights
}

function logDensity(share: number, { alpha, beta }: Beta): number {
  const left = alpha === 1 ? 0 : (alpha - 1) * Math.log(share)
  const right = beta === 1 ? 0 : (beta - 1) * Math.log1p(-share)
  return left + right - logBeta(alpha, beta)
}

/** The regularised incomplete beta function: how much of the distribution lies below the share. */
export function betaBelow(share: number, { alpha, beta }: Beta): number {
  if (share <= 0) return 0
  if (share >= 1) return 1
  const front = Math.exp(alpha * Math.log(share) + beta * Math.log1p(-share) - logBeta(alpha, beta))
  // The continued fraction converges fast on one side of the mean; the other side is its mirror image.
  if (share < (alpha + 1) / (alpha + beta + 2)) return (front * betaFraction(share, alpha, beta)) / alpha
  return 1 - (front * betaFraction(1 - share, beta, alpha)) / beta
}

const tiny = 1e-300
const precision = 1e-12

/** Lentz's method. */
function betaFraction(share: number, alpha: number, beta: number): number {
  let c = 1
  let d = 1 / away(1 - ((alpha + beta) * share) / (alpha + 1))
  let fraction = d
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (beta - m) * share) / ((alpha + 2 * m - 1) * (alpha + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    fraction *= d * c
    const odd = (-(alpha + m) * (alpha + beta + m) * share) / ((alpha + 2 * m) * (alpha + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < precision) break
  }
  return fraction
}

function away(value: number): number {
  return Math.abs(value) < tiny ? tiny : value
}

/** The p-value of counts that differ this much from the expected ones: Pearson's chi-square test. */
export function chiSquareChance(counts: readonly number[], expected: readonly number[]): number {
  const statistic = counts.reduce((sum, count, index) => {
    const wanted = expected[index] ?? 0
    return sum + (count - wanted) ** 2 / wanted
  }, 0)
  return gammaAbove((counts.length - 1) / 2, statistic / 2)
}

/** The regularised upper incomplete gamma function. */
function gammaAbove(shape: number, value: number): number {
  if (value <= 0) return 1
  const front = Math.exp(shape * Math.log(value) - value - logGamma(shape))
  if (value < shape + 1) {
    let term = 1 / shape
    let sum = term
    for (let n = 1; n < 10_000 && term > sum * precision; n += 1) {
      term *= value / (shape + n)
      sum += term
    }
    return 1 - front * sum
  }
  let b = value + 1 - shape
  let c = 1 / tiny
  let d = 1 / b
  let fraction = d
  for (let n = 1; n < 10_000; n += 1) {
    const a = -n * (n - shape)
    b += 2
    d = 1 / away(a * d + b)
    c = away(b + a / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < precision) break
  }
  return front * fraction
}

function logBeta(alpha: number, beta: number): number {
  return logGamma(alpha) + logGamma(beta) - logGamma(alpha + beta)
}

const lanczos = [
  76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2,
  -0.5395239384953e-5,
]

/** Lanczos' approximation, right to ten digits. */
function logGamma(value: number): number {
  const base = value + 5.5
  const series = lanczos.reduce((sum, coefficient, index) => sum + coefficient / (value + 1 + index), 1.000000000190015)
  return (value + 0.5) * Math.log(base) - base + Math.log((2.5066282746310007 * series) / value)
}
