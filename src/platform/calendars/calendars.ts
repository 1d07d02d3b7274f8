import { type Day, dateOf, dayAt, dayOf, isoWeekday } from './days.ts'
import { calendarCountries, holidaysIn } from './holidays.ts'
import { germanName } from './names.ts'

export { calendarCountries }

/** A shop's own working and closed days. All dates are YYYY-MM-DD. */
export interface ShopDays {
  /** Weekdays without delivery, Monday is 1; Saturday and Sunday if not given. */
  weekend?: number[]
  /** Further days that do not count as working days. */
  closed?: string[]
  /** Days that count despite all other rules. */
  open?: string[]
}

export interface WorkCalendar {
  isWorkingDay(date: string): boolean
  /** How many working days are after `from`, up to and including `to`. */
  workingDaysBetween(from: string, to: string): number
}

/**
 * The working days of a country: no weekends, no public holidays. Keep a calendar for as long as it is used; it counts
 * each year once. A country that is not known has weekends only.
 */
export function calendarOf(country: string | null, shopDays: ShopDays = {}): WorkCalendar {
  const years = new Map<number, CountedYear>()
  const yearOf = (year: number) => {
    const counted = years.get(year) ?? countYear(country, year, shopDays)
    years.set(year, counted)
    return counted
  }
  return {
    isWorkingDay(date) {
      const { first, until } = yearOf(yearIn(date))
      const index = dayOf(date) - first
      return at(until, index + 1) > at(until, index)
    },
    workingDaysBetween(from, to) {
      if (to <= from) return 0
      const [start, end] = [yearOf(yearIn(from)), yearOf(yearIn(to))]
      let count = at(end.until, dayOf(to) - end.first + 1) - at(start.until, dayOf(from) - start.first + 1)
      for (let year = yearIn(from); year < yearIn(to); year += 1) count += yearOf(year).total
      return count
    },
  }
}

/** The public holidays of a country in a year, in order, with their names in one of the languages that these are known in. */
export function listHolidays(
  country: string,
  year: number,
  language: 'en' | 'de' = 'en',
): { date: string; name: string }[] {
  const named = (name: string) => (language === 'de' ? germanName(name) : name)
  return [...holidaysIn(country, year)].map(([day, name]) => ({ date: dateOf(day), name: named(name) }))
}

interface CountedYear {
  first: Day
  /** At each index, how many working days come before that day of the year; the last index is the year after. */
  until: Uint16Array
  total: number
}

const usualWeekend = [6, 7]

function countYear(
  country: string | null,
  year: number,
  { weekend = usualWeekend, closed, open }: ShopDays,
): CountedYear {
  const [first, next] = [dayAt(year, 1, 1), dayAt(year + 1, 1, 1)]
  const holidays = holidaysIn(country, year)
  const closedDays = new Set(closed?.map(dayOf))
  const openDays = new Set(open?.map(dayOf))
  const isWorking = (day: Day) =>
    openDays.has(day) || !(weekend.includes(isoWeekday(day)) || holidays.has(day) || closedDays.has(day))
  const until = new Uint16Array(next - first + 1)
  for (let day = first; day < next; day += 1) {
    until[day - first + 1] = at(until, day - first) + (isWorking(day) ? 1 : 0)
  }
  return { first, until, total: at(until, next - first) }
}

function yearIn(date: string): number {
  return Number(date.slice(0, 4))
}

function at(counts: Uint16Array, index: number): number {
  return counts[index] ?? 0
}
