import { type Day, dayAt, isoWeekday } from './days.ts'
import { easter, orthodoxEaster, ramadanFeasts, sacrificeFeasts } from './feasts.ts'

/** On which days of a year a holiday is: usually one. */
export type Rule = (year: number) => readonly Day[]

/** Reads a rule as it stands in holidays.csv; the README beside it lists the forms. */
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
