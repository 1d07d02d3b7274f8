import { isTimeZone } from '../../foundation/formats.ts'
import { zoneOfCountry } from '../../foundation/time-zones.ts'
import type { StoredEvent } from '../../journey/shipments/store.ts'

/** The time zone of a parcel's times: of its last scan that has one, else of the destination. */
export function timeZoneOf(events: readonly StoredEvent[], countryCode: string | null): string {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index]
    const named = event?.timezone ?? event?.location?.timezone
    if (typeof named === 'string' && isTimeZone(named)) return named
  }
  return zoneOfCountry(countryCode) ?? 'UTC'
}
