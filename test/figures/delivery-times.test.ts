import { describe, expect, it } from 'vitest'
import type { DayTimes, GroupTimes } from '../../src/figures/analytics/day-times.ts'
import { filterOf, isMatch, summarize, weekOf } from '../../src/figures/delivery-times/rules.ts'
import type { Grouping, SetTarget } from '../../src/figures/delivery-times/schema.ts'
import { WorkingDays } from '../../src/figures/delivery-times/working-days.ts'

/** Parcels of one group: how many, and how many days each took since its order was placed and since it was sent. */
const group = (
  carrier: string | null,
  country: string | null,
  fields: { service?: string | null; delivered?: number; placed?: number; sent?: number; onTime?: number } = {},
): GroupTimes => {
  const { service = null, delivered = 1, placed = 3, sent = 2, onTime = 0 } = fields
  return [
    carrier,
    country,
    service,
    [delivered, delivered, onTime, 0, 0, 0, 0],
    [[placed, delivered]],
    [[sent, delivered]],
  ]
}
const period = { firstDay: '2026-10-30', lastDay: '2026-11-03' }
const days = new Map<string, DayTimes>([
  ['2026-10-30', [group('dhl', 'DE', { delivered: 5, onTime: 4 }), group('ups', 'FR', { service: 'Saver' })]],
  ['2026-11-02', [group('dhl', 'DE', { delivered: 10, placed: 4, onTime: 6 }), group(null, null)]],
  // Not of the period.
  ['2026-11-04', [group('dhl', 'DE', { delivered: 99 })]],
])
const table = (groupBy: Grouping[], filter = filterOf({}), target: SetTarget | null = null) =>
  summarize(period, days, { filter, groupBy, target, workingDays: new WorkingDays(period.lastDay, {}) })

describe('filter', () => {
  it('has our spelling, and none for those without', () => {
    expect(filterOf({})).toEqual({ carrier: undefined, country: undefined, service: undefined })
    expect(filterOf({ carrier: 'DHL', country: 'de', service: 'Paket' })).toEqual({
      carrier: 'dhl',
      country: 'DE',
      service: 'Paket',
    })
    expect(filterOf({ carrier: 'none', country: 'none', service: 'none' })).toEqual({
      carrier: null,
      country: null,
      service: null,
    })
    expect(filterOf({ carrier: 'pigeon' }).carrier).toBe('pigeon')
  })

  it('matches a group by all that it names', () => {
    const given = group('dhl', 'DE', { service: 'Paket' })
    expect(isMatch(given, filterOf({}))).toBe(true)
    expect(isMatch(given, filterOf({ carrier: 'dhl', country: 'DE', service: 'Paket' }))).toBe(true)
    expect(isMatch(given, filterOf({ carrier: 'ups' }))).toBe(false)
    expect(isMatch(given, filterOf({ carrier: 'dhl', country: 'AT' }))).toBe(false)
    expect(isMatch(given, filterOf({ carrier: 'dhl', service: 'none' }))).toBe(false)
    expect(isMatch(group(null, 'DE'), filterOf({ carrier: 'none' }))).toBe(true)
  })
})

describe('week', () => {
  it.each([
    ['2026-11-02', '2026-11-02'],
    ['2026-11-08', '2026-11-02'],
    ['2026-11-09', '2026-11-09'],
    ['2027-01-01', '2026-12-28'],
    ['2028-03-01', '2028-02-28'],
  ])('of %s begins on %s', (date, monday) => {
    expect(weekOf(date)).toBe(monday)
  })
})

describe('table of delivery times', () => {
  it('adds up the days of the period only', () => {
    const { total, is_truncated } = table(['carrier'])
    expect(total).toMatchObject({ delivered: 17, expected: 17, on_time: 10, on_time_rate: 0.588, carrier_name: null })
    expect(total.since_placed).toMatchObject({ measured: 17, calendar: { median: 4, p90: 4 } })
    expect(total.since_fulfilled).toMatchObject({ measured: 17, calendar: { median: 2, p90: 2 } })
    expect(is_truncated).toBe(false)
  })

  it('has the rows that it is grouped by, most parcels first', () => {
    const rows = (...groupBy: Grouping[]) =>
      table(groupBy).rows.map((row) => [row.carrier_reference, row.country, row.service, row.week, row.delivered])
    expect(rows('carrier')).toEqual([
      ['dhl', null, null, null, 15],
      [null, null, null, null, 1],
      ['ups', null, null, null, 1],
    ])
    expect(rows('country', 'service')).toEqual([
      [null, 'DE', null, null, 15],
      [null, null, null, null, 1],
      [null, 'FR', 'Saver', null, 1],
    ])
    expect(rows('carrier', 'week')[0]).toEqual(['dhl', null, null, '2026-11-02', 10])
    expect(table(['carrier']).rows.map(({ carrier_name }) => carrier_name)).toEqual(['DHL', null, 'UPS'])
  })

  it('is in the order of time if weeks are all it is grouped by', () => {
    expect(table(['week']).rows.map(({ week, delivered }) => [week, delivered])).toEqual([
      ['2026-10-26', 6],
      ['2026-11-02', 11],
    ])
  })

  it('has every week of the period, also one without parcels', () => {
    const weeks = summarize({ firstDay: '2026-10-19', lastDay: '2026-11-03' }, days, {
      filter: filterOf({}),
      groupBy: ['carrier'],
      target: null,
      workingDays: new WorkingDays('2026-11-03', {}),
    }).weeks.map(({ week, delivered }) => [week, delivered])
    expect(weeks).toEqual([
      ['2026-10-19', 0],
      ['2026-10-26', 6],
      ['2026-11-02', 11],
    ])
  })

  it('counts working days between the days of each journey', () => {
    // From a Friday to Monday: one working day; from a Thursday to Monday, two.
    const monday = new Map<string, DayTimes>([['2026-11-02', [group('dhl', 'DE', { placed: 3, sent: 4 })]]])
    const { total } = summarize(period, monday, {
      filter: filterOf({}),
      groupBy: ['carrier'],
      target: { days: 1, unit: 'business', since: 'placed' },
      workingDays: new WorkingDays(period.lastDay, {}),
    })
    expect(total.since_placed).toMatchObject({ business: { median: 1 }, calendar: { median: 3 } })
    expect(total.since_fulfilled).toMatchObject({ business: { median: 2 }, calendar: { median: 4 } })
    expect(total.target).toEqual({ measured: 1, met: 1, rate: null })
  })

  it('counts the working days of the country that each parcel goes to', () => {
    // From Friday to Tuesday, over the national day of Austria.
    const tuesday = new Map<string, DayTimes>([
      ['2026-10-27', [group('dhl', 'DE', { placed: 4 }), group('dhl', 'AT', { placed: 4 })]],
    ])
    const { rows } = summarize({ firstDay: '2026-10-26', lastDay: '2026-11-03' }, tuesday, {
      filter: filterOf({}),
      groupBy: ['country'],
      target: null,
      workingDays: new WorkingDays('2026-11-03', {}),
    })
    expect(rows.map(({ country, since_placed }) => [country, since_placed.business?.median])).toEqual([
      ['AT', 1],
      ['DE', 2],
    ])
  })

  it('compares with the target, the day itself included', () => {
    const target = { days: 3, unit: 'calendar', since: 'placed' } as const
    expect(table(['carrier'], filterOf({}), target).total.target).toEqual({ measured: 17, met: 7, rate: 0.412 })
    const { total } = table(['carrier'], filterOf({}), { ...target, since: 'fulfilled', days: 2 })
    expect(total.target).toEqual({ measured: 17, met: 17, rate: 1 })
  })

  it('is of what the filter leaves', () => {
    const { total, rows, weeks } = table(['carrier'], filterOf({ country: 'none' }))
    expect(total.delivered).toBe(1)
    expect(rows).toHaveLength(1)
    expect(weeks.map(({ delivered }) => delivered)).toEqual([0, 1])
  })
})
