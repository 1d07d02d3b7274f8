import { describe, expect, it } from 'vitest'
import { sampleRatio } from '../../src/offers/ab-tests/results.ts'
import {
  betaBelow,
  chancesToBeBest,
  chiSquareChance,
  differenceInterval,
  meanInterval,
  neededPerSample,
  wilson,
} from '../../src/offers/ab-tests/statistics.ts'

// Expected values were calculated by hand or are from published tables.
describe('statistics', () => {
  it('compute Wilson intervals', () => {
    expect(wilson(10, 100).low).toBeCloseTo(0.05523, 4)
    expect(wilson(10, 100).high).toBeCloseTo(0.17437, 4)
    expect(wilson(0, 10)).toMatchObject({ low: 0 })
    expect(wilson(0, 10).high).toBeCloseTo(0.27753, 4)
    expect(wilson(10, 10).high).toBeCloseTo(1, 9)
  })

  it('compute intervals of means', () => {
    // 1, 2, 3, 4, 5: mean 3, variance 2.5.
    const { low, high } = meanInterval(15, 55, 5)
    expect(low).toBeCloseTo(3 - 1.959964 * Math.sqrt(0.5), 5)
    expect(high).toBeCloseTo(3 + 1.959964 * Math.sqrt(0.5), 5)
  })

  it('compute intervals of differences', () => {
    // The examples of Newcombe (1998), method 10.
    const published = [
      { first: [56, 70], second: [48, 80], low: 0.0524, high: 0.3339 },
      { first: [9, 10], second: [3, 10], low: 0.1705, high: 0.809 },
      { first: [10, 10], second: [0, 20], low: 0.6791, high: 1 },
      { first: [5, 56], second: [0, 29], low: -0.0381, high: 0.1926 },
    ] as const
    for (const { first, second, low, high } of published) {
      const interval = differenceInterval(
        { successes: first[0], total: first[1] },
        { successes: second[0], total: second[1] },
      )
      expect(interval.low).toBeCloseTo(low, 4)
      expect(interval.high).toBeCloseTo(high, 4)
    }
  })

  it('compute how many customers a difference needs', () => {
    // Published tables for two proportions, 5 % two-sided, 80 % power.
    expect(neededPerSample(0.1, 0.12)).toBe(3_841)
    expect(neededPerSample(0.12, 0.1)).toBe(3_841)
    expect(neededPerSample(0.05, 0.06)).toBe(8_158)
    expect(neededPerSample(0.5, 0.6)).toBe(388)
    expect(neededPerSample(0.1, 0.1)).toBeUndefined()
  })

  it('compute the beta distribution', () => {
    expect(betaBelow(0.3, { alpha: 1, beta: 1 })).toBeCloseTo(0.3, 9)
    expect(betaBelow(0.5, { alpha: 2, beta: 2 })).toBeCloseTo(0.5, 9)
    // 1 - (1 - x)^n and x^n have closed forms.
    expect(betaBelow(0.1, { alpha: 1, beta: 20 })).toBeCloseTo(1 - 0.9 ** 20, 9)
    expect(betaBelow(0.97, { alpha: 50, beta: 1 })).toBeCloseTo(0.97 ** 50, 9)
    expect(betaBelow(0.05, { alpha: 50_001, beta: 950_001 })).toBeCloseTo(0.5, 2)
  })

  it('compute the chance to be best', () => {
    expect(chancesToBeBest([{ successes: 0, total: 0 }])).toEqual([1])
    for (const chance of chancesToBeBest(Array.from({ length: 4 }, () => ({ successes: 30, total: 1_000 })))) {
      expect(chance).toBeCloseTo(0.25, 6)
    }
    // P(Beta(2,1) > Beta(1,2)) = 5/6, by integration of 2x(1 - (1 - x)^2).
    const [better] = chancesToBeBest([
      { successes: 1, total: 1 },
      { successes: 0, total: 1 },
    ])
    expect(better).toBeCloseTo(5 / 6, 5)
    const [clear] = chancesToBeBest([
      { successes: 6_000, total: 100_000 },
      { successes: 5_000, total: 100_000 },
    ])
    expect(clear).toBeGreaterThan(0.9999)
  })

  it('compute the chi-square test', () => {
    // The 5 % points of one and two degrees of freedom: 3.841 and 5.991.
    const off = Math.sqrt((3.841459 * 100) / 2)
    expect(chiSquareChance([100 + off, 100 - off], [100, 100])).toBeCloseTo(0.05, 4)
    const further = Math.sqrt((5.991465 * 100) / 2)
    expect(chiSquareChance([100 + further, 100 - further, 100], [100, 100, 100])).toBeCloseTo(0.05, 4)
    expect(chiSquareChance([100, 100], [100, 100])).toBe(1)
  })

  it('flag an assignment that does not match the allocation', () => {
    const ratio = (counts: number[]) => sampleRatio(counts.map((count) => ({ count, share: 50 })))
    expect(ratio([5_000, 5_100])).toMatchObject({ is_mismatched: false })
    expect(ratio([5_000, 5_400]).is_mismatched).toBe(true)
    expect(ratio([3, 1])).toEqual({ is_mismatched: false, p_value: null })
    expect(sampleRatio([{ count: 10, share: 100 }])).toEqual({ is_mismatched: false, p_value: null })
  })
})
