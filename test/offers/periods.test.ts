import { describe, expect, it } from 'vitest'
import { endOf, testStatusOf } from '../../src/offers/ab-tests/rules.ts'
import { checkPeriod, statusOf } from '../../src/offers/campaigns/rules.ts'

const at = (ms: number) => new Date(Date.parse('2026-11-15T12:00:00Z') + ms)
const period = { start: at(0), end: at(1_000) }
const open = { start: at(0), end: null }

describe('status of a campaign', () => {
  it('is active from its start on, and until just before its end', () => {
    expect([-1, 0, 999, 1_000].map((ms) => statusOf(period, true, at(ms)))).toEqual([
      'scheduled',
      'active',
      'active',
      'completed',
    ])
  })

  it('is never completed without an end, and inactive whenever it is not enabled', () => {
    expect(statusOf(open, true, at(1e12))).toBe('active')
    expect([-1, 0, 1_000].map((ms) => statusOf(period, false, at(ms)))).toEqual(['inactive', 'inactive', 'inactive'])
  })
})

describe('status of an A/B test', () => {
  it('is running from its start on, and until just before its end', () => {
    expect([-1, 0, 999, 1_000].map((ms) => testStatusOf(period, null, at(ms)))).toEqual([
      'scheduled',
      'running',
      'running',
      'completed',
    ])
    expect(testStatusOf(open, null, at(1e12))).toBe('running')
  })

  it('is completed once it was ended, whatever was planned', () => {
    for (const planned of [period, open]) expect(testStatusOf(planned, at(500), at(500))).toBe('completed')
  })

  it('is evaluated until the first of its planned end, its end by hand and now', () => {
    const ends = { end_date: at(3), ended_at: at(2) }
    expect(endOf(ends, at(1))).toEqual(at(1))
    expect(endOf(ends, at(9))).toEqual(at(2))
    expect(endOf({ ...ends, ended_at: null }, at(9))).toEqual(at(3))
    expect(endOf({ end_date: null, ended_at: null }, at(9))).toEqual(at(9))
  })
})

describe('period', () => {
  it('ends after it starts', () => {
    expect(() => checkPeriod({ start: at(0), end: at(0) })).toThrow('must be after start_date')
    expect(() => checkPeriod({ start: at(1), end: at(0) })).toThrow('must be after start_date')
    expect([period, open].map((each) => checkPeriod(each))).toEqual([undefined, undefined])
  })
})
