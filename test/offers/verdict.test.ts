import { describe, expect, it } from 'vitest'
import { verdictOf } from '../../src/offers/ab-tests/verdict.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'

const [one, two, three] = ['one', 'two', 'three']

type Counts = readonly [converted: number, customers: number]

function judge(arms: readonly Counts[], more: Partial<Parameters<typeof verdictOf>[0]> = {}) {
  return verdictOf({
    arms: arms.map(([successes, total], index) => ({ campaignId: [one, two, three][index] ?? '', successes, total })),
    holdout: undefined,
    isMismatched: false,
    elapsedMs: 10 * dayMs,
    isRunning: true,
    ...more,
  })
}

describe('verdict of a test', () => {
  it('is better if the interval of the difference does not include zero', () => {
    expect(
      judge([
        [100, 1_000],
        [60, 1_000],
      ]),
    ).toMatchObject({
      kind: 'better',
      campaign_id: one,
      compared_with: 'variant',
      other_campaign_id: two,
      chance: 0.9995,
      // 0.04 ± Newcombe, from Wilson's 0.0829–0.1202 and 0.0469–0.0764.
      difference: { value: 0.04, low: 0.0163, high: 0.064 },
    })
  })

  it('is leading if somebody is ahead, and says how long it takes to be sure', () => {
    const verdict = judge([
      [50, 1_000],
      [60, 1_000],
    ])
    expect(verdict).toMatchObject({
      kind: 'leading',
      campaign_id: two,
      other_campaign_id: one,
      needed_customers: 8_158,
    })
    // 100 customers a day each; 7,158 are missing.
    expect(verdict.days_left).toBe(72)
  })

  it('is too early with few customers or conversions, however large the difference', () => {
    expect(
      judge([
        [30, 99],
        [0, 99],
      ]).kind,
    ).toBe('too_early')
    expect(
      judge([
        [9, 5_000],
        [0, 5_000],
      ]).kind,
    ).toBe('too_early')
    expect(
      judge([
        [51, 1_000],
        [50, 1_000],
      ]).kind,
    ).toBe('too_early')
    expect(
      judge([
        [0, 0],
        [0, 0],
      ]),
    ).toMatchObject({ kind: 'too_early', campaign_id: null, difference: null, chance: null, days_left: null })
  })

  it('is no difference once even the largest plausible one is negligible', () => {
    const verdict = judge([
      [1_010, 10_000],
      [1_000, 10_000],
    ])
    expect(verdict.kind).toBe('no_difference')
    expect(Math.max(verdict.difference?.high ?? 1, -(verdict.difference?.low ?? 1))).toBeLessThan(0.0202)
  })

  it('is none if the split is faulty', () => {
    const arms: Counts[] = [
      [100, 1_000],
      [60, 1_000],
    ]
    expect(judge(arms, { isMismatched: true }).kind).toBe('mismatched')
  })

  it('compares the best two, and a single variant with the holdout', () => {
    const three = judge([
      [60, 1_000],
      [100, 1_000],
      [90, 1_000],
    ])
    expect(three).toMatchObject({ kind: 'too_early', campaign_id: two, other_campaign_id: 'three' })
    expect(judge([[100, 1_000]], { holdout: { successes: 60, total: 1_000 } })).toMatchObject({
      kind: 'better',
      compared_with: 'holdout',
      other_campaign_id: null,
    })
    expect(judge([[100, 1_000]]).kind).toBe('too_early')
  })

  it('names no days once it no longer runs, or if both are equal', () => {
    const arms: Counts[] = [
      [50, 1_000],
      [60, 1_000],
    ]
    expect(judge(arms, { isRunning: false }).days_left).toBeNull()
    expect(
      judge([
        [50, 1_000],
        [50, 1_000],
      ]),
    ).toMatchObject({ needed_customers: null, days_left: null, difference: { value: 0 } })
  })
})
