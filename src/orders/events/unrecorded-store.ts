import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { idBefore } from '../../platform/foundation/ids.ts'
import type { IncomingEvent } from './store.ts'

/**
 * The events that are not recorded yet. Carriers send all scans of a parcel each time. Recording them would skip the
 * known ones as well, but would lock every shipment.
 *
 * The events are in the order in which they happened. One that comes before a recorded event of the same time gets an id
 * before that event's, so that it does not count as the later one because it is stored later.
 */
export async function filterUnrecorded<Event extends IncomingEvent>(
  context: Context,
  events: Event[],
): Promise<Event[]> {
  if (events.length === 0) return []
  const rows = events.map(({ shopId, shipmentId, eventTime, eventKey }, n) => ({
    n,
    shop_id: shopId,
    shipment_id: shipmentId,
    event_time: eventTime,
    event_key: eventKey,
  }))
  const { rows: known } = await sql<{ n: number; id: string }>`
    select given.n, known.id
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (n int, shop_id uuid, shipment_id uuid, event_time timestamptz, event_key text)
    cross join lateral (
      select id from shipment_events
      where shipment_events.shop_id = given.shop_id and shipment_events.shipment_id = given.shipment_id
        and shipment_events.event_time = given.event_time and shipment_events.event_key = given.event_key
      limit 1
    ) as known`.execute(context.db)
  const ids = new Map(known.map(({ n, id }) => [n, id]))
  const unrecorded: Event[] = []
  /** The id of the next recorded event, by shipment and time. */
  const next = new Map<string, string>()
  for (const [n, event] of [...events.entries()].reverse()) {
    const moment = `${event.shipmentId} ${event.eventTime.getTime()}`
    const recorded = ids.get(n)
    const later = next.get(moment)
    const id = recorded ?? (later === undefined ? undefined : idBefore(later))
    if (id !== undefined) next.set(moment, id)
    if (recorded === undefined) unrecorded.push(id === undefined ? event : { ...event, id })
  }
  return unrecorded.reverse()
}
