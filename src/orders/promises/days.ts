import { dateIn, instantIn } from '../../adapters/carriers/local-time.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import { zoneOfCountry } from '../../platform/foundation/time-zones.ts'

/** The time zone in which most people of a country with several zones live. */
const mainZones = new Map([
  ['US', 'America/Chicago'],
  ['CA', 'America/Toronto'],
  ['AU', 'Australia/Sydney'],
  ['BR', 'America/Sao_Paulo'],
  ['MX', 'America/Mexico_City'],
])

/** The time zone that the days of a promise are those of: the main one of the country of destination, else UTC. */
function zoneOfDestination(country: string | null): string {
  return zoneOfCountry(country) ?? mainZones.get((country ?? '').toUpperCase()) ?? 'UTC'
}

/** The first moment after a day, YYYY-MM-DD, in the country of destination. */
export function endOfDayIn(country: string | null, day: string): Date {
  return instantIn(zoneOfDestination(country), Date.parse(`${day}T00:00:00.000Z`) + dayMs)
}

/** The day of an instant in the country of destination. */
export function dayAtDestination(country: string | null, instant: Date): string {
  return dateIn(zoneOfDestination(country), instant)
}
