import { dateIn, instantIn } from '../adapters/carriers/local-time.ts'
import type { Warehouse } from '../orders/promises/settings.ts'
import { calendarOf, type ShopDays } from '../platform/calendars/calendars.ts'
import { type Day, dateOf, dayOf, isoWeekday } from '../platform/calendars/days.ts'

/** How far ahead a day of hand-over is searched. */
const horizonDays = 90

/** The next cut-off: the warehouse works orders before it on the same day. */
export interface CutOff {
  orderBy: Date
  /** That day, by the clocks of the warehouse. */
  day: Day
}

/**
 * The times at which a warehouse hands over orders. It works on weekdays that have a cut-off, except public holidays of
 * its country, the shop's closed days and its own; an open day of the shop counts even if it is a holiday.
 */
export class WarehouseSchedule {
  readonly #warehouse: Warehouse
  readonly #isOpen: (day: Day) => boolean
  /** The last result, which is valid until its cut-off passes. */
  #last: { asked: number; cutOff: CutOff } | undefined

  constructor(warehouse: Warehouse, shopDays: ShopDays) {
    this.#warehouse = warehouse
    const calendar = calendarOf(warehouse.country_code, { ...shopDays, weekend: [] })
    const closed = new Set(warehouse.closed_days)
    this.#isOpen = (day) => {
      if (this.#cutOffOn(day) === undefined) return false
      const date = dateOf(day)
      return !closed.has(date) && calendar.isWorkingDay(date)
    }
  }

  /** Undefined if nothing is handed over in the next months. */
  nextCutOff(now: Date): CutOff | undefined {
    const last = this.#last
    if (last !== undefined && last.asked <= now.getTime() && now < last.cutOff.orderBy) return last.cutOff
    const today = dayOf(dateIn(this.#warehouse.timezone, now))
    for (let day = today; day <= today + horizonDays; day += 1) {
      if (!this.#isOpen(day)) continue
      const local = Date.parse(`${dateOf(day)}T${this.#cutOffOn(day)}:00Z`)
      const orderBy = instantIn(this.#warehouse.timezone, local)
      if (orderBy <= now) continue
      this.#last = { asked: now.getTime(), cutOff: { orderBy, day } }
      return this.#last.cutOff
    }
    return undefined
  }

  /** The day of hand-over of what is worked from `day` on, after so many of the warehouse's working days. */
  handOver(day: Day, handlingDays: number): Day | undefined {
    let left = handlingDays
    // A warehouse that works once a week needs a week for each of them.
    const last = day + horizonDays + 8 * handlingDays
    for (let next = day; next <= last; next += 1) {
      if (!this.#isOpen(next)) continue
      if (left === 0) return next
      left -= 1
    }
    return undefined
  }

  /** The start of tomorrow, by the clocks of the warehouse. */
  endOfDay(now: Date): Date {
    const tomorrow = dayOf(dateIn(this.#warehouse.timezone, now)) + 1
    return instantIn(this.#warehouse.timezone, Date.parse(`${dateOf(tomorrow)}T00:00:00Z`))
  }

  #cutOffOn(day: Day): string | undefined {
    return this.#warehouse.cut_offs[String(isoWeekday(day))]
  }
}
