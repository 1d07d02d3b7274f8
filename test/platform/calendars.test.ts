import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calendarCountries, calendarOf, listHolidays, type ShopDays } from '../../src/platform/calendars/calendars.ts'
import { dateOf } from '../../src/platform/calendars/days.ts'
import { easter, orthodoxEaster } from '../../src/platform/calendars/rules.ts'
import { CaseCounter } from '../harness/cases.ts'

describe('a work calendar', () => {
  it('counts the working days after the first day, up to and including the last', () => {
    const germany = calendarOf('DE')
    // Thursday before Easter to the Wednesday after it: Good Friday, the weekend and Easter Monday do not count.
    expect(germany.workingDaysBetween('2026-04-02', '2026-04-08')).toBe(2)
    expect(germany.workingDaysBetween('2026-04-08', '2026-04-08')).toBe(0)
    expect(germany.workingDaysBetween('2026-04-08', '2026-04-02')).toBe(0)
    expect(germany.workingDaysBetween('2026-04-03', '2026-04-07')).toBe(1)
  })

  it('counts over the turn of the year and over several years', () => {
    expect(calendarOf('AT').workingDaysBetween('2025-12-23', '2026-01-07')).toBe(7)
    expect(calendarOf('US').workingDaysBetween('2019-12-31', '2029-12-31')).toBe(2_500)
  })

  it('has weekends only where the country is not known', () => {
    for (const country of [null, 'ZZ']) {
      const calendar = calendarOf(country)
      expect(calendar.isWorkingDay('2026-12-25')).toBe(true)
      expect(calendar.isWorkingDay('2026-12-26')).toBe(false)
    }
  })

  it('follows what a shop decides: other weekends, closed days, and open days above all', () => {
    const calendar = calendarOf('DE', { weekend: [7], closed: ['2026-12-24'], open: ['2026-12-25', '2026-12-27'] })
    const working = ['19', '20', '24', '25', '26', '27', '28'].filter((day) => calendar.isWorkingDay(`2026-12-${day}`))
    expect(working).toEqual(['19', '25', '27', '28'])
    expect(calendar.workingDaysBetween('2026-12-23', '2026-12-28')).toBe(3)
  })

  it('counts the same as somebody who goes through the days one by one', () => {
    const date = fc
      .integer({ min: Date.UTC(2020, 0, 1) / dayMs, max: Date.UTC(2032, 11, 31) / dayMs })
      .map((day) => dateOf(day))
    /** Days of the shop are near the period: of random ones of twelve years, hardly any would be in it. */
    const period = fc
      .tuple(
        date,
        fc.oneof(
          { weight: 3, arbitrary: fc.integer({ min: 0, max: 40 }) },
          { weight: 2, arbitrary: fc.integer({ min: 0, max: 800 }) },
        ),
      )
      .chain(([from, length]) => {
        const near = fc.integer({ min: -3, max: length + 3 }).map((days) => addDays(from, days))
        const shopDays: fc.Arbitrary<ShopDays> = fc.record(
          {
            weekend: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
            closed: fc.array(near),
            open: fc.array(near),
          },
          { requiredKeys: [] },
        )
        return fc.tuple(fc.constant(from), fc.constant(length), shopDays)
      })
    type Period = typeof period extends fc.Arbitrary<infer Value> ? Value : never
    const country = fc.option(fc.constantFrom(...calendarCountries))
    const christmas = { closed: ['2026-12-24', '2026-12-31'], open: ['2026-12-25', '2026-12-27', '2027-01-01'] }
    const examples: [country: string | null, period: Period][] = [
      ['DE', ['2026-12-20', 20, christmas]],
      ['DE', ['2026-12-20', 20, { ...christmas, weekend: [] }]],
      ['US', ['2026-12-24', 0, christmas]],
      ['AT', ['2026-12-31', 1, { open: ['2027-01-01'], closed: ['2027-01-01'] }]],
      [null, ['2025-12-31', 731, christmas]],
      ['FR', ['2026-04-03', 4, { weekend: [1, 2, 3, 4, 5, 6, 7] }]],
      ['DE', ['2028-02-28', 2, {}]],
    ]
    const within = (days: string[] | undefined, [from, length]: Period) =>
      days?.some((day) => day > from && day <= addDays(from, length)) ?? false
    const cases = new CaseCounter<[country: string | null, period: Period]>({
      'no day': ([, [, length]]) => length === 0,
      'a turn of the year': ([, [from, length]]) => addDays(from, length).slice(0, 4) !== from.slice(0, 4),
      'a whole year between': ([, [from, length]]) =>
        Number(addDays(from, length).slice(0, 4)) > Number(from.slice(0, 4)) + 1,
      'a closed day within': ([, period]) => within(period[2].closed, period),
      'an open day within': ([, period]) => within(period[2].open, period),
      'a holiday on which the shop is open': ([country, period]) =>
        country !== null &&
        within(
          period[2].open?.filter((day) =>
            listHolidays(country, Number(day.slice(0, 4))).some((holiday) => holiday.date === day),
          ),
          period,
        ),
      'no weekend': ([, [, , { weekend }]]) => weekend?.length === 0,
      'an unknown country': ([country]) => country === null,
    })
    fc.assert(
      fc.property(country, period, (country, [from, length, shopDays]) => {
        cases.count([country, [from, length, shopDays]])
        const calendar = calendarOf(country, shopDays)
        const days = Array.from({ length }, (_, index) => addDays(from, index + 1))
        expect(calendar.workingDaysBetween(from, addDays(from, length))).toBe(
          days.filter((day) => calendar.isWorkingDay(day)).length,
        )
      }),
      { numRuns: 200, examples },
    )
    cases.expectEach()
  })
})

describe('holidays', () => {
  it('at a weekend are moved as the country does it', () => {
    expect(datesIn('GB', 2021, '12')).toEqual(['2021-12-25', '2021-12-26', '2021-12-27', '2021-12-28'])
    expect(datesIn('US', 2021, '12')).toEqual(['2021-12-24', '2021-12-25', '2021-12-31'])
    expect(datesIn('NL', 2025, '04')).toEqual(['2025-04-21', '2025-04-26'])
    expect(datesIn('DE', 2021, '12')).toEqual(['2021-12-25', '2021-12-26'])
    expect(listHolidays('GB', 2022)).toContainEqual({ date: '2022-01-03', name: "New Year's Day (substitute day)" })
  })

  it('are listed in order, each day once', () => {
    for (const country of calendarCountries) {
      const dates = listHolidays(country, 2033).map(({ date }) => date)
      expect(dates).toEqual([...new Set(dates)].sort())
      expect(dates.length).toBeGreaterThan(3)
    }
  })

  it('follow Easter, of both churches', () => {
    expect([2020, 2024, 2025, 2026, 2038, 2049].map((year) => dateOf(easter(year)))).toEqual([
      '2020-04-12',
      '2024-03-31',
      '2025-04-20',
      '2026-04-05',
      '2038-04-25',
      '2049-04-18',
    ])
    expect([2020, 2024, 2025, 2026, 2027].map((year) => dateOf(orthodoxEaster(year)))).toEqual([
      '2020-04-19',
      '2024-05-05',
      '2025-04-20',
      '2026-04-12',
      '2027-05-02',
    ])
  })
})

const dayMs = 86_400_000

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

function datesIn(country: string, year: number, month: string): string[] {
  return listHolidays(country, year)
    .map(({ date }) => date)
    .filter((date) => date.startsWith(`${year}-${month}`))
}
