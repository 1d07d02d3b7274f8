import { describe, expect, it } from 'vitest'
import { byRoute, figuresOf, type PromiseCount } from '../../src/figures/promise-report/rules.ts'

const count = (state: string, number: number, fields: Partial<PromiseCount> = {}): PromiseCount => ({
  carrier: 'dhl',
  country: 'DE',
  percentile: 0.9,
  state,
  count: number,
  stated: 0,
  statedSum: 0,
  windows: 0,
  windowDays: 0,
  ...fields,
})

describe('figures of promises', () => {
  it('are empty without promises', () => {
    expect(figuresOf([])).toEqual({
      promised: 0,
      kept: 0,
      broken: 0,
      open: 0,
      at_risk: 0,
      kept_share: null,
      mean_width_days: null,
      calibration: [],
    })
  })

  it('count those at risk as open, and take shares of what is decided', () => {
    const counts = [count('kept', 8), count('broken', 1), count('open', 5), count('at_risk', 3), count('kept', 1)]
    expect(figuresOf(counts)).toMatchObject({
      promised: 18,
      kept: 9,
      broken: 1,
      open: 8,
      at_risk: 3,
      kept_share: 0.9,
    })
    expect(figuresOf([count('kept', 2), count('broken', 1)]).kept_share).toBe(0.6667)
    expect(figuresOf([count('open', 4)]).kept_share).toBeNull()
  })

  it('have the mean width of the windows, decided or not', () => {
    const counts = [count('kept', 5, { windows: 2, windowDays: 3 }), count('open', 1, { windows: 1, windowDays: 4 })]
    expect(figuresOf(counts).mean_width_days).toBe(2.3333)
  })

  it('compare what was stated with what was kept, by percentile, the highest first', () => {
    const counts = [
      count('kept', 7, { percentile: 0.8, stated: 7, statedSum: 5.6 }),
      count('broken', 3, { percentile: 0.8, stated: 3, statedSum: 2.4 }),
      count('open', 9, { percentile: 0.8, stated: 9, statedSum: 1 }),
      count('kept', 1, { percentile: 0.95 }),
      count('kept', 4, { percentile: null }),
      count('at_risk', 4, { percentile: 0.5 }),
    ]
    expect(figuresOf(counts).calibration).toEqual([
      { percentile: 0.95, stated: null, decided: 1, kept: 1, share: 1 },
      { percentile: 0.8, stated: 0.8, decided: 10, kept: 7, share: 0.7 },
    ])
  })
})

describe('routes of promises', () => {
  it('are carrier and country, those with most promises first', () => {
    const routes = byRoute([
      count('kept', 1, { carrier: 'ups' }),
      count('kept', 1, { country: null }),
      count('kept', 2),
      count('open', 2),
      count('kept', 1, { carrier: null, country: 'DE' }),
    ])
    expect(routes.map(({ carrier, country, counts }) => [carrier, country, counts.length])).toEqual([
      ['dhl', 'DE', 2],
      ['dhl', null, 1],
      [null, 'DE', 1],
      ['ups', 'DE', 1],
    ])
  })

  it('do not confuse a country that is not known with one', () => {
    expect(byRoute([count('kept', 1, { country: null }), count('kept', 1, { country: 'null' })])).toHaveLength(2)
  })
})
