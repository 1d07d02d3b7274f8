import type { ShopDays } from '../../platform/calendars/calendars.ts'
import { type Day, isoWeekday } from '../../platform/calendars/days.ts'
import { type CarrierDays, CountryDays } from './carrier-days.ts'

/** How many deliveries show on which weekdays a carrier delivers; before that, the shop's calendar is used. */
const leastDeliveries = 40
/** The share of its deliveries that makes a weekday one on which a carrier delivers. */
const leastDayShare = 0.05
/**
 * If at least so many deliveries were to be expected, working days without any are no chance: the carrier stood still.
 */
const surelyExpected = 9
/** Working days over which the usual number of deliveries is counted. */
const usualDays = 20

interface Deliveries {
  total: number
  byWeekday: number[]
  byDay: Map<Day, number>
}

export interface CarrierCalendar {
  /** Without the days on which the carrier stood still: for the time that it needs when it works. */
  working: CarrierDays
  /** With them: nobody can know them before. */
  planned: CarrierDays
}

/** The days on which each carrier delivers in each country, learnt from its deliveries. */
export class CarrierCalendars {
  private readonly first: Day
  private readonly today: Day
  private readonly shopDays: ShopDays
  private readonly deliveries = new Map<string, Deliveries>()
  /** By carrier, in all countries. */
  private readonly everywhere = new Map<string | null, Map<Day, number>>()
  private readonly countries = new Map<string | null, CountryDays>()
  private readonly calendars = new Map<string | null, Map<string | null, CarrierCalendar>>()
  private readonly ofOthers = new Map<string | null, CarrierCalendar>()

  constructor(first: Day, today: Day, shopDays: ShopDays = {}) {
    this.first = first
    this.today = today
    this.shopDays = shopDays
  }

  /** All deliveries are added before the first calendar is requested. */
  add(carrier: string | null, country: string | null, day: Day): void {
    const name = `${carrier}\n${country}`
    let known = this.deliveries.get(name)
    if (known === undefined) {
      known = { total: 0, byWeekday: [0, 0, 0, 0, 0, 0, 0, 0], byDay: new Map() }
      this.deliveries.set(name, known)
    }
    const weekday = isoWeekday(day)
    known.total += 1
    known.byWeekday[weekday] = (known.byWeekday[weekday] ?? 0) + 1
    known.byDay.set(day, (known.byDay.get(day) ?? 0) + 1)
    let everywhere = this.everywhere.get(carrier)
    if (everywhere === undefined) {
      everywhere = new Map()
      this.everywhere.set(carrier, everywhere)
      this.calendars.set(carrier, new Map())
    }
    everywhere.set(day, (everywhere.get(day) ?? 0) + 1)
  }

  of(carrier: string | null, country: string | null): CarrierCalendar {
    // Carriers that have delivered nothing share the calendar of their country: any number of them may be requested.
    const ofCarrier = this.calendars.get(carrier) ?? this.ofOthers
    let calendar = ofCarrier.get(country)
    if (calendar === undefined) {
      calendar = this.make(carrier, country)
      ofCarrier.set(country, calendar)
    }
    return calendar
  }

  private make(carrier: string | null, country: string | null): CarrierCalendar {
    const deliveries = this.deliveries.get(`${carrier}\n${country}`)
    const days = this.daysOf(country)
    const weekend = weekendOf(deliveries, this.shopDays.weekend ?? [6, 7])
    const planned = days.without(weekend)
    const idle = deliveries ? this.idleDays(deliveries.byDay, planned) : []
    // A small country may have too few deliveries to show it, but the carrier may stand still everywhere.
    const everywhere = this.idleDays(this.everywhere.get(carrier) ?? new Map(), planned)
    const all = new Set([...idle, ...everywhere])
    return { planned, working: all.size === 0 ? planned : days.without(weekend, all) }
  }

  private idleDays(byDay: ReadonlyMap<Day, number>, planned: CarrierDays): Day[] {
    const idle: Day[] = []
    const before: number[] = []
    let run: Day[] = []
    let sum = 0
    for (let day = this.first; day < this.today; day += 1) {
      if (!planned.isWorkingDay(day)) continue
      const count = byDay.get(day) ?? 0
      if (count === 0) {
        run.push(day)
        continue
      }
      const usual = before.length < usualDays ? 0 : sum / usualDays
      if (run.length * usual >= surelyExpected) idle.push(...run)
      run = []
      before.push(count)
      sum += count
      if (before.length > usualDays) sum -= before.shift() ?? 0
    }
    return idle
  }

  private daysOf(country: string | null): CountryDays {
    // Nobody is promised a day more than a year ahead.
    const days = this.countries.get(country) ?? new CountryDays(country, this.first, this.today + 400, this.shopDays)
    this.countries.set(country, days)
    return days
  }
}

function weekendOf(deliveries: Deliveries | undefined, usual: number[]): number[] {
  if (deliveries === undefined || deliveries.total < leastDeliveries) return usual
  const least = deliveries.total * leastDayShare
  return [1, 2, 3, 4, 5, 6, 7].filter((weekday) => (deliveries.byWeekday[weekday] ?? 0) < least)
}
