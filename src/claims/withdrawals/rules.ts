import { dateIn, dayIn } from '../../adapters/carriers/local-time.ts'
import { calendarOf, type ShopDays, type WorkCalendar } from '../../platform/calendars/calendars.ts'
import { dateOf, dayOf } from '../../platform/calendars/days.ts'
import { isReturn } from '../../platform/catalogue/catalogue.ts'
import { latest } from '../../platform/foundation/clock.ts'
import { zoneOfCountry } from '../../platform/foundation/time-zones.ts'
import type { WithdrawalSettings } from './schema.ts'

/** The facts that the period of an order depends on. */
export interface DeliveredOrder {
  placedAt: Date
  /** Nothing is sent: the period starts with the contract. */
  hasNothingToSend: boolean
  expectedShipments: number
  /** The country that it goes to. */
  country: string | null
  shipments: DeliveredShipment[]
}

export interface DeliveredShipment {
  direction: string
  phase: string
  /** The time the customer got it; at a pick-up point, the time of collection. Null: not yet. */
  reachedAt: Date | null
}

/** The withdrawal period of an order. All days are of its time zone. */
export interface WithdrawalPeriod {
  /** The day on which it became complete; null: it has not. */
  reachedOn: string | null
  /** Null: not known yet. A statement can be made at any time. */
  lastDay: string | null
  /** The last instant of that day. */
  endsAt: Date | null
  timeZone: string
  country: string | null
}

/**
 * The period as Article 9 of Directive 2011/83/EU starts it, and as Regulation 1182/71 counts it: the day on which the last
 * parcel arrived does not count, and a last day that is a Saturday, a Sunday or a public holiday moves to the next working day.
 */
export function periodOf(
  order: DeliveredOrder,
  settings: Pick<WithdrawalSettings, 'period_days' | 'country'>,
  shopDays: ShopDays,
): WithdrawalPeriod {
  const country = settings.country ?? order.country
  const timeZone = zoneOfCountry(country) ?? 'UTC'
  const reachedAt = order.hasNothingToSend ? order.placedAt : completedAt(order)
  if (reachedAt === undefined) return { reachedOn: null, lastDay: null, endsAt: null, timeZone, country }
  const reachedOn = dateIn(timeZone, reachedAt)
  const lastDay = lastDayAfter(reachedOn, settings.period_days, legalCalendar(country, shopDays))
  const end = dayIn(timeZone, lastDay)?.end
  return { reachedOn, lastDay, endsAt: end === undefined ? null : new Date(end), timeZone, country }
}

/** The time the last of all parcels reached the customer; undefined while one is missing. */
export function completedAt({ shipments, expectedShipments }: DeliveredOrder): Date | undefined {
  const outward = shipments.filter(({ direction, phase }) => !isReturn(direction) && phase !== 'order_cancelled')
  if (outward.length === 0 || outward.length < expectedShipments) return undefined
  const times = outward.map(({ reachedAt }) => reachedAt ?? undefined)
  return times.includes(undefined) ? undefined : latest(times)
}

/** More days than can follow each other without a working day: bounds the search. */
const longestPause = 400

function lastDayAfter(start: string, days: number, calendar: WorkCalendar): string {
  const nominal = dayOf(start) + days
  for (let day = nominal; day < nominal + longestPause; day += 1) {
    if (calendar.isWorkingDay(dateOf(day))) return dateOf(day)
  }
  return dateOf(nominal)
}

/**
 * The working days of the law. The days on which a shop is closed prolong a period; those on which it delivers although it is
 * a weekend or a holiday do not shorten it.
 */
function legalCalendar(country: string | null, { closed }: ShopDays): WorkCalendar {
  return calendarOf(country, closed === undefined ? {} : { closed })
}

/** Whether a statement made now comes after the period. */
export function isLate({ lastDay, timeZone }: WithdrawalPeriod, now: Date): boolean {
  return lastDay !== null && dateIn(timeZone, now) > lastDay
}

/** Whether the law gives no right of withdrawal for a product, as far as the shop has said so. */
export function isExempt(
  product: { withdrawal_exempt: boolean; category: string | null },
  { exempt_categories }: Pick<WithdrawalSettings, 'exempt_categories'>,
): boolean {
  if (product.withdrawal_exempt) return true
  const category = plain(product.category ?? '')
  return category !== '' && exempt_categories.some((exempt) => plain(exempt) === category)
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}
