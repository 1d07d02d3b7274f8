import { type Day, dayAt, dayOf, isoWeekday } from './days.ts'

/** Easter Sunday of the western churches, by the anonymous Gregorian algorithm. */
export function easter(year: number): Day {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const leapCorrection = century - Math.floor(century / 4)
  const moonCorrection = Math.floor((8 * century + 13) / 25)
  const epact = (19 * golden + leapCorrection - moonCorrection + 15) % 30
  const moon = epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11))
  const weekday = (year + Math.floor(year / 4) + moon + 2 - leapCorrection) % 7
  return dayAt(year, 3, 28 + moon - weekday)
}

/** Easter Sunday of the orthodox churches: reckoned in the Julian calendar, 13 days behind until 2099. */
export function orthodoxEaster(year: number): Day {
  const moon = (19 * (year % 19) + 15) % 30
  const weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
  return dayAt(year, 3, 22 + moon + weekday) + 13
}

/** First days of the Ramadan feast (1 Shawwal), as reckoned; a year of ours can have two. */
function ramadanFeasts(year: number): Day[] {
  return inYear(shawwal, year)
}

/** First days of the feast of the sacrifice (10 Dhu al-Hijjah). */
function sacrificeFeasts(year: number): Day[] {
  return inYear(dhuAlHijjah, year)
}

const shawwal = readDates(`
  2020-05-24 2021-05-13 2022-05-02 2023-04-21 2024-04-10 2025-03-30 2026-03-20 2027-03-09 2028-02-26
  2029-02-14 2030-02-04 2031-01-24 2032-01-14 2033-01-03 2033-12-23 2034-12-12 2035-12-01`)

const dhuAlHijjah = readDates(`
  2020-07-31 2021-07-20 2022-07-09 2023-06-28 2024-06-16 2025-06-06 2026-05-27 2027-05-16 2028-05-05
  2029-04-24 2030-04-13 2031-04-02 2032-03-22 2033-03-12 2034-03-01 2035-02-19`)

function readDates(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

function inYear(dates: readonly string[], year: number): Day[] {
  return dates.filter((date) => date.startsWith(`${year}-`)).map(dayOf)
}

/** The days of a year on which a holiday is: usually one. */
export type Rule = (year: number) => readonly Day[]

/** Reads a rule of holidays.csv; the README beside it lists the forms. */
export function parseRule(text: string): Rule {
  const fixed = /^(\d\d)-(\d\d)$/.exec(text)
  if (fixed) return (year) => [dayAt(year, Number(fixed[1]), Number(fixed[2]))]

  const moving = /^(easter|orthodox|ramadan|sacrifice)([+-]\d+)$/.exec(text)
  if (moving) {
    const feast = feasts[moving[1] as keyof typeof feasts] // one of the names in the expression
    return (year) => feast(year).map((day) => day + Number(moving[2]))
  }

  const nth = /^(1st|2nd|3rd|4th|last) ([a-z]+) of ([a-z]+)$/.exec(text)
  if (nth) {
    const [weekday, month] = [weekdayOf(nth[2]), months.indexOf(nth[3] ?? '') + 1]
    if (month === 0) throw new Error(`${text}: not a month`)
    if (nth[1] === 'last') return (year) => [lastBefore(weekday, dayAt(year, month + 1, 1))]
    const weeks = Number.parseInt(nth[1] ?? '', 10) - 1
    return (year) => [firstFrom(weekday, dayAt(year, month, 1)) + 7 * weeks]
  }

  const near = /^([a-z]+) (from|before) (\d\d)-(\d\d)$/.exec(text)
  if (near) {
    const [weekday, month, dayOfMonth] = [weekdayOf(near[1]), Number(near[3]), Number(near[4])]
    const find = near[2] === 'from' ? firstFrom : lastBefore
    return (year) => [find(weekday, dayAt(year, month, dayOfMonth))]
  }
  throw new Error(`${text}: not a rule for a holiday`)
}

/** Reads a span of years: `2021-`, `-2023`, `2022-2023`, `2022`; empty means every year. */
export function parseYears(text: string): (year: number) => boolean {
  const found = /^(\d{4})?(-)?(\d{4})?$/.exec(text)
  if (found === null) throw new Error(`${text}: not a span of years`)
  const first = Number(found[1] ?? 0)
  const last = Number(found[3] ?? (found[2] || first === 0 ? 9999 : first))
  return (year) => year >= first && year <= last
}

const feasts = {
  easter: (year: number) => [easter(year)],
  orthodox: (year: number) => [orthodoxEaster(year)],
  ramadan: ramadanFeasts,
  sacrifice: sacrificeFeasts,
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

function weekdayOf(name = ''): number {
  const weekday = weekdays.indexOf(name) + 1
  if (weekday === 0) throw new Error(`${name}: not a weekday`)
  return weekday
}

function firstFrom(weekday: number, day: Day): Day {
  return day + ((weekday - isoWeekday(day) + 7) % 7)
}

function lastBefore(weekday: number, day: Day): Day {
  return firstFrom(weekday, day - 7)
}
