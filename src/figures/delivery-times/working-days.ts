import { calendarOf, type ShopDays } from '../../platform/calendars/calendars.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import { dayOf, startOfDay } from '../analytics/period.ts'

/**
 * Working days between days of a period and days before them, by country. Each day of a calendar is looked up once, however
 * many journeys there are, and only as far back as the longest of them goes.
 */
export class WorkingDays {
  private readonly lastDayMs: number
  private readonly shopDays: ShopDays
  private readonly countries = new Map<string | null, (days: number) => number>()

  constructor(lastDay: string, shopDays: ShopDays) {
    this.lastDayMs = startOfDay(lastDay).getTime()
    this.shopDays = shopDays
  }

  /** A function from the length of a journey in calendar days to its length in working days. */
  endingOn(date: string, country: string | null): (calendarDays: number) => number {
    const upTo = this.countries.get(country) ?? this.openCountry(country)
    const daysBack = Math.round((this.lastDayMs - startOfDay(date).getTime()) / dayMs)
    const later = upTo(daysBack)
    return (calendarDays) => upTo(daysBack + calendarDays) - later
  }

  /** Returns how many of the last days of the period, and of those before it, are working days. */
  private openCountry(country: string | null): (days: number) => number {
    const calendar = calendarOf(country, this.shopDays)
    const sums = [0]
    const upTo = (days: number) => {
      for (let known = sums.length; known <= days; known += 1) {
        const date = dayOf(new Date(this.lastDayMs - (known - 1) * dayMs))
        sums.push((sums[known - 1] ?? 0) + (calendar.isWorkingDay(date) ? 1 : 0))
      }
      return sums[days] ?? 0
    }
    this.countries.set(country, upTo)
    return upTo
  }
}
