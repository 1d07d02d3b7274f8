import type { StoredEvent } from '../../../src/journey/shipments/store.ts'
import { isTimeZone } from '../formats.ts'

/** The time zone of a parcel's times: of its last scan that has one, else of the destination. */
export function timeZoneOf(events: readonly StoredEvent[], countryCode: string | null): string {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index]
    const named = event?.timezone ?? event?.location?.timezone
    if (typeof named === 'string' && isTimeZone(named)) return named
  }
  return zoneOfCountry.get((countryCode ?? '').toUpperCase()) ?? 'UTC'
}

/** Countries where everyone, or nearly everyone, has the same time. */
const zoneOfCountry = new Map(
  `AT Europe/Vienna,BE Europe/Brussels,BG Europe/Sofia,CH Europe/Zurich,CY Asia/Nicosia,CZ Europe/Prague,DE Europe/Berlin,
  DK Europe/Copenhagen,EE Europe/Tallinn,ES Europe/Madrid,FI Europe/Helsinki,FR Europe/Paris,GB Europe/London,
  GR Europe/Athens,HR Europe/Zagreb,HU Europe/Budapest,IE Europe/Dublin,IS Atlantic/Reykjavik,IT Europe/Rome,JP Asia/Tokyo,
  LI Europe/Vaduz,LT Europe/Vilnius,LU Europe/Luxembourg,LV Europe/Riga,MT Europe/Malta,NL Europe/Amsterdam,
  NO Europe/Oslo,NZ Pacific/Auckland,PL Europe/Warsaw,PT Europe/Lisbon,RO Europe/Bucharest,RS Europe/Belgrade,
  SE Europe/Stockholm,SG Asia/Singapore,SI Europe/Ljubljana,SK Europe/Bratislava,TR Europe/Istanbul,UA Europe/Kyiv`
    .split(',')
    .map((entry): [string, string] => {
      const [country = '', zone = ''] = entry.trim().split(' ')
      return [country, zone]
    }),
)
