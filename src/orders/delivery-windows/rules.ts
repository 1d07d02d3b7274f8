import { dayMs } from '../../platform/foundation/clock.ts'

/** One delivered parcel of the shop: when it was handed over and when it arrived. */
export interface Journey {
  carrierReference: string | null
  destinationCountry: string | null
  placedAt: Date
  deliveredAt: Date
}

/** Past journeys on a route, which is a carrier into a country. */
export interface Route {
  /** Days of the week (0 is Sunday) on which its carrier delivers. */
  serviceDays: ReadonlySet<number>
  /** Service days from hand-over to delivery, sorted: by the weekday of the hand-over, and all together. */
  byWeekday: ReadonlyMap<number, number[]>
  all: number[]
}

/** Fewer journeys than this do not allow a prediction. */
export const leastJourneys = 20
/** The share of a route's deliveries that makes a day of the week one of its service days. */
const leastDayShare = 0.05
/** Four of five parcels should arrive within the window. */
const earlyShare = 0.1
const lateShare = 0.9

export function learnRoutes(journeys: Journey[]): Map<string, Route> {
  const groups = new Map<string, Journey[]>()
  for (const journey of journeys) {
    if (journey.deliveredAt < journey.placedAt) continue
    const name = routeName(journey.carrierReference, journey.destinationCountry)
    groups.set(name, [...(groups.get(name) ?? []), journey])
  }
  const routes = new Map<string, Route>()
  for (const [name, group] of groups) if (group.length >= leastJourneys) routes.set(name, learnRoute(group))
  return routes
}

export function routeName(carrierReference: string | null, destinationCountry: string | null): string {
  return `${carrierReference ?? ''} ${destinationCountry ?? ''}`
}

function learnRoute(journeys: Journey[]): Route {
  const deliveries = new Map<number, number>()
  for (const { deliveredAt } of journeys) {
    deliveries.set(deliveredAt.getUTCDay(), (deliveries.get(deliveredAt.getUTCDay()) ?? 0) + 1)
  }
  const serviceDays = new Set(
    [...deliveries].filter(([, count]) => count / journeys.length >= leastDayShare).map(([day]) => day),
  )
  const all: number[] = []
  const byWeekday = new Map<number, number[]>()
  for (const { placedAt, deliveredAt } of journeys) {
    const days = serviceDaysBetween(placedAt, deliveredAt, serviceDays)
    all.push(days)
    byWeekday.set(placedAt.getUTCDay(), [...(byWeekday.get(placedAt.getUTCDay()) ?? []), days])
  }
  const ascending = (left: number, right: number) => left - right
  for (const days of byWeekday.values()) days.sort(ascending)
  return { serviceDays, byWeekday, all: all.sort(ascending) }
}

/** The window a parcel handed over now is expected in: whole days, from the early to the late share of the route. */
export function predictWindow(route: Route, placedAt: Date): { from: Date; to: Date } {
  const sameWeekday = route.byWeekday.get(placedAt.getUTCDay()) ?? []
  const sample = sameWeekday.length >= leastJourneys ? sameWeekday : route.all
  const first = addServiceDays(placedAt, percentile(sample, earlyShare), route.serviceDays)
  const last = addServiceDays(placedAt, percentile(sample, lateShare), route.serviceDays)
  return { from: startOfDay(first), to: new Date(startOfDay(last).getTime() + dayMs - 1) }
}

/** The nearest-rank percentile of a sorted sample. */
export function percentile(sorted: number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/** Counts the service days after the first day, up to and including the last. */
export function serviceDaysBetween(from: Date, to: Date, serviceDays: ReadonlySet<number>): number {
  let count = 0
  for (let day = startOfDay(from).getTime() + dayMs; day <= startOfDay(to).getTime(); day += dayMs) {
    if (serviceDays.has(new Date(day).getUTCDay())) count += 1
  }
  return count
}

function addServiceDays(from: Date, days: number, serviceDays: ReadonlySet<number>): Date {
  let day = startOfDay(from).getTime()
  for (let left = days; left > 0; ) {
    day += dayMs
    if (serviceDays.has(new Date(day).getUTCDay())) left -= 1
  }
  return new Date(day)
}

function startOfDay(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate()))
}
