import { calendarOf, type ShopDays } from '../calendars/calendars.ts'
import { type Day, dateOf, isoWeekday } from '../calendars/days.ts'

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

/** Of each day of a span, whether it is a public holiday of a country or closed; weekends are decided by the carrier. */
export class CountryDays {
  private readonly first: Day
  private readonly last: Day
  private readonly closed: Uint8Array
  private readonly open: ReadonlySet<string>

  constructor(country: string | null, first: Day, last: Day, shopDays: ShopDays = {}) {
    this.first = first
    this.last = last
    this.open = new Set(shopDays.open)
    const calendar = calendarOf(country, { ...shopDays, weekend: [] })
    this.closed = new Uint8Array(last - first + 1)
    for (let day = first; day <= last; day += 1) this.closed[day - first] = calendar.isWorkingDay(dateOf(day)) ? 0 : 1
  }

  /** The working days of a carrier that does not deliver on these weekdays (Monday is 1), nor on its idle days. */
  without(weekend: readonly number[], idle: ReadonlySet<Day> = new Set()): CarrierDays {
    return new CarrierDays(this.first, this.last, (day) => {
      if (this.closed[day - this.first] === 1 || idle.has(day)) return false
      return !weekend.includes(isoWeekday(day)) || (this.open.size > 0 && this.open.has(dateOf(day)))
    })
  }
}
