import type { StoredEvent } from '../shipments/store.ts'
import type { Stop } from './project.ts'

const mostStops = 30

/** Whether a scan says where on earth it was. */
export function hasPlace({ location }: Pick<StoredEvent, 'location'>): boolean {
  return isDegrees(location?.latitude, 85) && isDegrees(location?.longitude, 180)
}

function isDegrees(value: unknown, most: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= most
}

/** The locations of scans, oldest first, without consecutive repetitions. */
export function stopsOf<Event extends Pick<StoredEvent, 'location'>>(
  oldestFirst: readonly Event[],
  nameOf: (event: Event) => string,
): Stop[] {
  const stops: Stop[] = []
  for (const event of oldestFirst.filter(hasPlace)) {
    const stop = {
      name: nameOf(event),
      // Rounded to about a kilometre: enough for a map of countries, and no one's house.
      longitude: Math.round(Number(event.location?.longitude) * 100) / 100,
      latitude: Math.round(Number(event.location?.latitude) * 100) / 100,
    }
    const last = stops.at(-1)
    if (last?.longitude !== stop.longitude || last.latitude !== stop.latitude) stops.push(stop)
  }
  return stops.slice(-mostStops)
}
