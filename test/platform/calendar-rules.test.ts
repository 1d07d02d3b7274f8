import { describe, expect, it } from 'vitest'
import { dateOf } from '../../src/platform/calendars/days.ts'
import { parseRule, parseYears } from '../../src/platform/calendars/rules.ts'

const dates = (rule: string, year = 2026) => parseRule(rule)(year).map(dateOf)

describe('rule for a holiday', () => {
  it.each([
    ['01-01', ['2026-01-01']],
    ['12-31', ['2026-12-31']],
    ['easter+0', ['2026-04-05']],
    ['easter-2', ['2026-04-03']],
    ['easter+39', ['2026-05-14']],
    ['orthodox+1', ['2026-04-13']],
    ['1st monday of september', ['2026-09-07']],
    ['4th thursday of november', ['2026-11-26']],
    ['last monday of may', ['2026-05-25']],
    ['last sunday of december', ['2026-12-27']],
    // The day itself counts for `from`, and not for `before`.
    ['saturday from 06-20', ['2026-06-20']],
    ['saturday from 06-21', ['2026-06-27']],
    ['monday before 05-25', ['2026-05-18']],
    ['monday before 05-26', ['2026-05-25']],
    ['wednesday before 11-23', ['2026-11-18']],
  ])('%s', (rule, expected) => {
    expect(dates(rule)).toEqual(expected)
  })

  it('moves with the year', () => {
    expect(dates('1st monday of september', 2025)).toEqual(['2025-09-01'])
    expect(dates('last monday of may', 2027)).toEqual(['2027-05-31'])
    expect(dates('easter+0', 2027)).toEqual(['2027-03-28'])
  })

  it('of a lunar feast may be twice in a year', () => {
    expect(dates('ramadan+0', 2033)).toHaveLength(2)
    expect(dates('ramadan+0', 2026)).toHaveLength(1)
    const [first = 0] = parseRule('sacrifice+0')(2026)
    expect(parseRule('sacrifice+2')(2026)).toEqual([first + 2])
  })

  it.each([
    '',
    'easter',
    '1-1',
    '5th monday of may',
    '1st someday of may',
    '1st monday of smarch',
    'monday after 05-01',
  ])('is not %j', (rule) => {
    expect(() => parseRule(rule)).toThrow()
  })
})

describe('years of a rule', () => {
  it.each([
    ['', [1900, 2022, 2100], []],
    ['2021-', [2021, 2100], [2020]],
    ['-2023', [1900, 2023], [2024]],
    ['2022-2023', [2022, 2023], [2021, 2024]],
    ['2022', [2022], [2021, 2023]],
  ])('%j', (text, within, without) => {
    const isIn = parseYears(text)
    expect(within.filter(isIn)).toEqual(within)
    expect(without.filter(isIn)).toEqual([])
  })

  it.each(['22', '2022-23', 'since 2022', '2022--'])('are not %j', (text) => {
    expect(() => parseYears(text)).toThrow('not a span of years')
  })
})
