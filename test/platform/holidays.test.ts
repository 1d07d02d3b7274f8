import { readFileSync } from 'node:fs'
import Holidays, { type HolidaysTypes } from 'date-holidays'
import { describe, expect, it } from 'vitest'
import { calendarCountries, listHolidays } from '../../src/platform/calendars/calendars.ts'

const firstYear = 2020
const lastYear = 2032

/**
 * Intended differences from the package date-holidays, and why. `+` is a holiday that only we have on some day of
 * these years, `-` one that only the package has.
 */
const differences: Record<string, { because: string; names: string[] }> = {
  AD: {
    because: 'Carnival Monday is 48 days before Easter in every year.',
    names: ['+ Carnival Monday', '- Shrove Tuesday'],
  },
  AL: {
    because:
      'Holidays at a weekend are observed on the next working days; Mother Teresa Day is on 5 September since 2018.',
    names: [
      '+ Alphabet Day',
      '+ Alphabet Day, moved',
      '+ End of Ramadan, moved',
      '+ Feast of the Sacrifice, moved',
      '+ Independence Day, moved',
      '+ Labour Day, moved',
      '+ Liberation Day, moved',
      '+ Mother Teresa Day',
      '+ Mother Teresa Day, moved',
      '+ Orthodox Easter, moved',
      '- Mother Teresa Day',
      '- Mother Teresa Day, moved',
    ],
  },
  BA: {
    because: 'Only what both entities observe is nationwide.',
    names: [
      "- All Saints' Day",
      "- All Souls' Day",
      '- Assumption',
      '- Birthday of Muhammad (Mawlid)',
      '- Boxing Day',
      '- Christmas Day',
      '- Corpus Christi',
      '- Easter Monday',
      '- End of Ramadan (Eid al-Fitr)',
      '- Epiphany',
      '- Feast of the Sacrifice (Eid al-Adha)',
      '- Islamic New Year',
      '- Orthodox Christmas',
      '- Orthodox New Year',
    ],
  },
  BG: {
    because: 'Holidays at a weekend are observed on the next working days; Christmas has three days.',
    names: [
      '+ Christmas Day, moved',
      '+ Christmas Eve, moved',
      '+ Education and Culture Day, moved',
      '+ Holy Saturday',
      '+ Independence Day, moved',
      '+ Labour Day, moved',
      '+ Liberation Day, moved',
      "+ New Year's Day, moved",
      '+ Second Day of Christmas',
      '+ Second Day of Christmas, moved',
      "+ St George's Day, moved",
      '+ Unification Day, moved',
    ],
  },
  BY: { because: '2 January is free since 2020.', names: ['+ New Year Holiday'] },
  CA: {
    because: 'Carriers follow the Canada Labour Code, the package what all provinces have in common.',
    names: [
      '+ Boxing Day',
      '+ Boxing Day, moved',
      '+ Canada Day, moved',
      '+ Christmas Day, moved',
      '+ Day for Truth and Reconciliation',
      '+ Day for Truth and Reconciliation, moved',
      "+ New Year's Day, moved",
      '+ Remembrance Day',
      '+ Remembrance Day, moved',
      '+ Thanksgiving',
      '+ Victoria Day',
    ],
  },
  CY: {
    because: 'Clean Monday is a Monday; Whit Monday is a public holiday.',
    names: ['+ Clean Monday', '+ Whit Monday', '- Clean Monday'],
  },
  ES: { because: 'The regions decide about Christmas Day on a Sunday.', names: ['- Christmas Day, moved'] },
  FI: { because: 'Free in practice: nobody delivers.', names: ['+ Christmas Eve', '+ Midsummer Eve'] },
  GR: { because: 'Moved by decree when it fell into Holy Week.', names: ['+ Labour Day', '- Labour Day'] },
  IE: {
    because: 'Holidays at a weekend are observed on the next working day; 18 March 2022 was a day of remembrance.',
    names: [
      '+ Christmas Day, moved',
      '+ Day of Remembrance',
      "+ New Year's Day, moved",
      "+ St Patrick's Day, moved",
      "+ St Stephen's Day, moved",
    ],
  },
  IS: {
    because: 'The first Thursday after 18 April: in 2024 the 25th.',
    names: ['+ First Day of Summer', '- First Day of Summer'],
  },
  LI: {
    because: 'Bridge days are no public holidays; the package has no national day.',
    names: ["+ All Saints' Day", '+ National Day', '- Feiertagsbrücke'],
  },
  LV: { because: 'Free once, for a festival.', names: ['+ Song and Dance Festival'] },
  MC: {
    because: 'The law moves these holidays from a Sunday, and not that of St Devota.',
    names: [
      "+ All Saints' Day, moved",
      '+ Assumption, moved',
      "+ New Year's Day, moved",
      "- Saint Devota's Day, moved",
    ],
  },
  ME: {
    because: 'Religious feasts are free for members of that religion only; Njegos Day was introduced in 2022.',
    names: [
      '+ Njegos Day',
      '+ Njegos Day Holiday',
      '+ Njegos Day Holiday, moved',
      '+ Njegos Day, moved',
      "- All Saints' Day",
      '- Boxing Day',
      '- Christmas Day',
      '- Christmas Eve',
      '- Easter Sunday',
      '- End of Ramadan (Eid al-Fitr)',
      '- Feast of the Sacrifice (Eid al-Adha)',
      '- Good Friday',
      '- Pesach',
      '- Yom Kippur',
    ],
  },
  MK: { because: 'In 2022 Labour Day on a Sunday and the end of Ramadan met.', names: ['+ Labour Day, moved'] },
  MX: { because: 'Every six years, since 2024 on 1 October.', names: ['+ Change of Federal Government'] },
  RO: { because: 'Free since 2024 only.', names: ['- Epiphany', '- Saint John the Baptist'] },
  RS: {
    because: 'Between Good Friday and Easter; in 2021 Labour Day on a Sunday and Easter Monday met.',
    names: ['+ Holy Saturday', '+ Labour Day Holiday, moved'],
  },
  RU: {
    because: 'Holidays at a weekend are observed on the next working day; other transfers are decided year by year.',
    names: [
      '+ Defender of the Fatherland Day, moved',
      '+ Russia Day, moved',
      '+ Spring and Labour Day, moved',
      '+ Unity Day, moved',
      '+ Victory Day, moved',
      "+ Women's Day, moved",
      '- Day off (transferred from January 1)',
      '- Day off (transferred from January 2)',
      '- Day off (transferred from March 5)',
    ],
  },
  SE: {
    because: 'Free in practice: nobody delivers.',
    names: ['+ Christmas Eve', '+ Midsummer Eve', "+ New Year's Eve"],
  },
  SI: { because: 'Free once, after the floods of 2023.', names: ['+ Solidarity Day'] },
  SK: { because: 'Working days in 2026 only.', names: ['+ Our Lady of Sorrows', '+ Victory Day'] },
  TR: {
    because: 'The package counts an afternoon before the feast as a day after it.',
    names: ['- End of Ramadan (Eid al-Fitr)', '- Feast of the Sacrifice (Eid al-Adha)'],
  },
  UA: {
    because: 'Holidays are not moved under martial law, and some changed their dates by law.',
    names: [
      '+ Orthodox Christmas',
      '+ Statehood Day',
      '+ Victory Day',
      '- Christmas Day',
      '- Constitution Day, moved',
      '- Defenders of Ukraine Day, moved',
      '- Independence Day, moved',
      "- International Women's Day",
      '- Labour Day, moved',
      '- New Year',
      '- New Year, moved',
      '- Orthodox Easter, moved',
      '- Pentecost, moved',
      '- Statehood Day',
      '- Victory Day',
      '- Victory Day, moved',
    ],
  },
  US: { because: 'Federal offices and the post observe it on the nearest weekday.', names: ['+ Veterans Day, moved'] },
  XK: {
    because: 'Holidays at a weekend are observed on the next working days, Easter on Monday.',
    names: [
      '+ Catholic Easter Monday',
      '+ Christmas Day, moved',
      '+ Constitution Day, moved',
      '+ End of Ramadan, moved',
      '+ Europe Day, moved',
      '+ Feast of the Sacrifice, moved',
      '+ Independence Day, moved',
      '+ Labour Day, moved',
      '+ New Year Holiday',
      '+ New Year Holiday, moved',
      "+ New Year's Day, moved",
      '+ Orthodox Christmas, moved',
      '+ Orthodox Easter Monday',
    ],
  },
}

describe('public holidays', () => {
  it('are known for 49 countries', () => {
    expect(calendarCountries.length).toBe(49)
  })

  it.each(calendarCountries)('of %s are those of date-holidays, except for what is listed', (country) => {
    expect(differingNames(country)).toEqual([...(differences[country]?.names ?? [])].sort())
  })

  it('have a German name each', () => {
    const lines = (file: string) =>
      readFileSync(new URL(`../../src/platform/calendars/${file}`, import.meta.url), 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(';'))
    const names = new Set(lines('holidays.csv').map((columns) => columns.at(-1)))
    const german = lines('names.de.csv')
    expect(german.map(([name]) => name)).toEqual([...names].sort())
    expect(german.filter(([, translated]) => !translated)).toEqual([])
    const inGermany = listHolidays('DE', 2026, 'de').map(({ name }) => name)
    expect(inGermany).toContain('Tag der Deutschen Einheit')
    expect(listHolidays('GB', 2027, 'de').map(({ name }) => name)).toContain('Erster Weihnachtstag (Ersatztag)')
  })
})

/** On weekdays and Saturdays: which Sundays are holidays besides makes no difference to anybody. */
function differingNames(country: string): string[] {
  const names = new Set<string>()
  const options: HolidaysTypes.Options = { types: ['public'] }
  const holidays = country === 'GB' ? new Holidays('GB', 'ENG', options) : new Holidays(country, options)
  for (let year = firstYear; year <= lastYear; year += 1) {
    const [ours, theirs] = [new Map(ourDays(country, year)), new Map(theirDays(holidays, year))]
    for (const [date, name] of ours) if (!theirs.has(date)) names.add(`+ ${name}`)
    for (const [date, name] of theirs) if (!ours.has(date)) names.add(`- ${name}`)
  }
  return [...names].sort()
}

function ourDays(country: string, year: number): [date: string, name: string][] {
  return listHolidays(country, year)
    .filter(({ date }) => !isSunday(date))
    .map(({ date, name }) => [date, name.replace(' (substitute day)', ', moved')])
}

function theirDays(holidays: Holidays, year: number): [date: string, name: string][] {
  return holidays
    .getHolidays(year, 'en')
    .filter(({ type }) => type === 'public')
    .flatMap(({ date, name, start, end }) => {
      const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs))
      return Array.from({ length: count }, (_, index) => addDays(date.slice(0, 10), index)).map(
        (date): [string, string] => [date, name.replace(' (substitute day)', ', moved')],
      )
    })
    .filter(([date]) => date.startsWith(`${year}-`) && !isSunday(date))
}

const dayMs = 86_400_000

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

function isSunday(date: string): boolean {
  return new Date(date).getUTCDay() === 0
}
