import { finalEvents, getMeaning, isScan, labelPhases } from '../../platform/catalogue/catalogue.ts'

/**
 * The event that sets a shipment's phase, flag and current event: the latest by event time of those that move the
 * phase; at equal times, one that ends the journey, otherwise the one stored last. After the first scan, orders and
 * labels no longer count, whatever their times: an order that was imported late shows what its carrier reported before,
 * and a label never undoes a scan.
 * `recordEvents` applies the same rule in SQL.
 */
export function currentEventOf<Event extends { eventKey: string }>(inOrderOfTime: readonly Event[]): Event | undefined {
  const moving = inOrderOfTime.filter(({ eventKey }) => getMeaning(eventKey).movesPhase)
  if (!moving.some(({ eventKey }) => isScan(getMeaning(eventKey)))) return moving.at(-1)
  return moving.findLast(({ eventKey }) => !labelPhases.includes(getMeaning(eventKey).phase))
}

/**
 * Events in the order in which they happened: by time, and of equal times those that end the journey last; the others
 * keep their order. `finalEventLast` is the same rule in SQL.
 */
export function inOrderOfTime<Event extends { eventKey: string; eventTime: Date }>(events: readonly Event[]): Event[] {
  return events.toSorted(
    (left, right) =>
      left.eventTime.getTime() - right.eventTime.getTime() || Number(isFinal(left)) - Number(isFinal(right)),
  )
}

function isFinal({ eventKey }: { eventKey: string }): boolean {
  return finalEvents.includes(eventKey)
}
