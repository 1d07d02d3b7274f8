import { readFileSync } from 'node:fs'
import { type Day, dayAt, isoWeekday } from './days.ts'
import { substituteName } from './names.ts'
import { parseRule, parseYears, type Rule } from './rules.ts'

/** Ways to move a holiday that falls on a weekend; the README explains each. */
const moves = ['', 'weekday', 'monday', 'nearest', 'saturday'] as const
type Move = (typeof moves)[number]

interface Holiday {
  name: string
  rule: Rule
  isIn: (year: number) => boolean
  move: Move
}

interface Celebration {
  day: Day
  name: string
  move: Move
}

const holidays = readHolidays(new URL('./holidays.csv', import.meta.url))

/** ISO codes of the countries whose holidays are known. */
export const calendarCountries: readonly string[] = [...holidays.keys()].sort()

/** The days of a year that are public holidays in a country, substitute days included. No country, no holidays. */
export function holidaysIn(country: string | null, year: number): Map<Day, string> {
  // A substitute day can be in another year: New Year's Day on a Saturday is observed on New Year's Eve.
  const around = [year - 1, year, year + 1].flatMap((year) => celebrations(holidays.get(country ?? '') ?? [], year))
  const names = new Map<Day, string>()
  for (const { day, name, move } of around.sort((one, other) => one.day - other.day)) {
    const isReplaced = move === 'saturday' && isoWeekday(day) === 7
    // Of two on one day the first gives it its name.
    if (!isReplaced && !names.has(day)) names.set(day, name)
  }
  // A substitute moves to a free day, so all other holidays have to be known.
  const moved = new Set<Day>()
  for (const { day, name, move } of around) {
    const substitute = moved.has(day) ? undefined : substituteFor(day, move, names)
    if (substitute === undefined) continue
    moved.add(day)
    names.set(substitute, substituteName(name))
  }
  const [first, last] = [dayAt(year, 1, 1), dayAt(year, 12, 31)]
  return new Map([...names].filter(([day]) => day >= first && day <= last).sort(([one], [other]) => one - other))
}

function celebrations(holidays: readonly Holiday[], year: number): Celebration[] {
  return holidays
    .filter(({ isIn }) => isIn(year))
    .flatMap(({ rule, name, move }) => rule(year).map((day) => ({ day, name, move })))
}

function substituteFor(day: Day, move: Move, taken: ReadonlyMap<Day, string>): Day | undefined {
  const weekday = isoWeekday(day)
  if (weekday < 6 || move === '') return undefined
  if (move === 'nearest') return weekday === 6 ? day - 1 : day + 1
  if (move === 'saturday') return weekday === 7 ? day - 1 : undefined
  if (move === 'monday' && weekday === 6) return undefined
  let substitute = day + 1
  while (isoWeekday(substitute) > 5 || taken.has(substitute)) substitute += 1
  return substitute
}

function readHolidays(file: URL): Map<string, Holiday[]> {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const found = new Map<string, Holiday[]>()
  for (const line of lines) {
    const [country = '', rule = '', years = '', moved = '', name = ''] = line.split(';')
    const move = moves.find((one) => one === moved)
    if (move === undefined) throw new Error(`${line}: ${moved} is not a way to move a holiday`)
    const ofCountry = found.get(country) ?? []
    ofCountry.push({ name, rule: parseRule(rule), isIn: parseYears(years), move })
    found.set(country, ofCountry)
  }
  return found
}
