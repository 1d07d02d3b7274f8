import { getMeaning, isScan, labelPhases } from '../../catalogue/catalogue.ts'

/**
 * The event that a shipment's phase, flag and current event come from: its latest by event time among those that move the
 * phase; of equal times, the later stored. Once anything was scanned, orders and labels no longer count, whatever their
 * times: an order that was taken over late shows what its carrier reported before, and a label never undoes a scan.
 * `recordEvents` keeps to the same rule in SQL, one event at a time.
 */
export function currentEventOf<Event extends { eventKey: string }>(inOrderOfTime: readonly Event[]): Event | undefined {
  const moving = inOrderOfTime.filter(({ eventKey }) => getMeaning(eventKey).movesPhase)
  if (!moving.some(({ eventKey }) => isScan(getMeaning(eventKey)))) return moving.at(-1)
  return moving.findLast(({ eventKey }) => !labelPhases.includes(getMeaning(eventKey).phase))
}
