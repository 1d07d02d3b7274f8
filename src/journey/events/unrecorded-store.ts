import { sql } from 'kysely'
import type { Context } from '../../foundation/context.ts'
import type { IncomingEvent } from './store.ts'

/**
 * The events that are not recorded yet. Carriers send all scans of a parcel each time. Recording them would skip the
 * known ones as well, but would lock every shipment.
 */
export async function filterUnrecorded(context: Context, events: IncomingEvent[]): Promise<IncomingEvent[]> {
  if (events.length === 0) return []
  const rows = events.map(({ shopId, shipmentId, eventTime, eventKey }, n) => ({
    n,
    shop_id: shopId,
    shipment_id: shipmentId,
    event_time: eventTime,
    event_key: eventKey,
  }))
  const { rows: unrecorded } = await sql<{ n: number }>`
    select given.n
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (n int, shop_id uuid, shipment_id uuid, event_time timestamptz, event_key text)
    left join lateral (
      select 1 as is_known from shipment_events
      where shipment_events.shop_id = given.shop_id and shipment_events.shipment_id = given.shipment_id
        and shipment_events.event_time = given.event_time and shipment_events.event_key = given.event_key
      limit 1
    ) as known on true
    where known.is_known is null
    order by given.n`.execute(context.db)
  return unrecorded.flatMap(({ n }) => events[n] ?? [])
}
