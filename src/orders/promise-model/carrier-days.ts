import { listHolidays, type ShopDays } from '../../platform/calendars/calendars.ts'
import { type Day, dayOf, isoWeekday, dateOf as makeDate } from '../../platform/calendars/days.ts'

/** Days on which a carrier delivers in a country, numbered, so that they are counted and added without a loop. */
export class CarrierDays {
  private readonly first: Day
  /** At each index, how many working days come before that day. */
  private readonly before: Uint16Array
  private readonly days: Day[] = []

  constructor(first: Day, last: Day, isWorkingDay: (day: Day) => boolean) {
    this.first = first
    this.before = new Uint16Array(last - first + 2)
    for (let day = first; day <= last; day += 1) {
      if (isWorkingDay(day)) this.days.push(day)
      this.before[day - first + 1] = this.days.length
    }
  }

  isWorkingDay(day: Day): boolean {
    return this.countUntil(day) > this.countUntil(day - 1)
  }

  /** Working days after `from`, up to and including `to`. */
  between(from: Day, to: Day): number {
    return to <= from ? 0 : this.countUntil(to) - this.countUntil(from)
  }

  /** How many working days a journey took. A delivery on any other day counts as one of the next working day. */
  taken(from: Day, to: Day): number {
    return this.between(from, to) + (to > from && !this.isWorkingDay(to) ? 1 : 0)
  }

  /** The day that is so many working days after `from`; `from` itself if it is none. */
  add(from: Day, count: number): Day {
    if (count <= 0) return from
    const index = this.countUntil(from) + count - 1
    const beyond = index - this.days.length
    const last = this.days.at(-1) ?? from
    // Beyond the numbered days every day counts: nobody is promised a day more than a year ahead.
    return beyond >= 0 ? Math.max(last, from) + beyond + 1 : (this.days[index] ?? from)
  }

  private countUntil(day: Day): number {
    const index = Math.min(Math.max(day - this.first + 1, 0), this.before.length - 1)
    return this.before[index] ?? 0
  }
}

/** The days of a country on which nobody delivers, whatever the weekday; weekends are decided by the carrier. */
export class CountryDays {
  private readonly first: Day
  private readonly last: Day
  private readonly closed: ReadonlySet<Day>
  private readonly open: ReadonlySet<Day>

  constructor(country: string | null, first: Day, last: Day, { closed = [], open = [] }: ShopDays = {}) {
    this.first = first
    this.last = last
    this.open = new Set(open.map(dayOf))
    const days = new Set(closed.map(dayOf))
    for (let year = yearOf(first); year <= yearOf(last) && country !== null; year += 1) {
      for (const { date } of listHolidays(country, year)) days.add(dayOf(date))
    }
    this.closed = days
  }

  /** The working days of a carrier that does not deliver on these weekdays (Monday is 1), nor on its idle days. */
  without(weekend: readonly number[], idle: ReadonlySet<Day> = noDays): CarrierDays {
    return new CarrierDays(this.first, this.last, (day) => {
      if (idle.has(day)) return false
      return this.open.has(day) || !(weekend.includes(isoWeekday(day)) || this.closed.has(day))
    })
  }
}

const noDays: ReadonlySet<Day> = new Set()

/** Promises are about the same few days again and again. */
const dates = new Map<Day, string>()
const maxDates = 2_000

/** The day as YYYY-MM-DD. */
export function dateOf(day: Day): string {
  let date = dates.get(day)
  if (date === undefined) {
    if (dates.size >= maxDates) dates.clear()
    date = makeDate(day)
    dates.set(day, date)
  }
  return date
}

function yearOf(day: Day): number {
  return Number(dateOf(day).slice(0, 4))
}
