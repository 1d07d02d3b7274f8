import type { Client, Schemas } from 'doorstep-client'
import { UsageError } from '../frame/errors.ts'
import { didYouMean } from '../frame/suggest.ts'

export type EventName = Schemas['ShipmentEventCreation']['event_name']
type IdType = NonNullable<Schemas['ShipmentEventCreation']['id_type']>

/** One event for each phase, for users who do not know the names by heart. */
const usualEvents: Readonly<Record<string, EventName>> = {
  order_created: 'ORDER_CREATED',
  order_processed: 'ORDER_PROCESSED',
  order_cancelled: 'ORDER_CANCELLED',
  in_transit: 'ARRIVED_AT_SORTING_CENTER',
  in_delivery: 'OUT_FOR_DELIVERY',
  delivered: 'SUCCESSFULLY_DELIVERED',
  collect: 'ARRIVED_AT_PARCEL_SHOP',
  delivery_failed: 'DELIVERY_ATTEMPTED',
  return_transit: 'RETURN_IN_PROGRESS',
  returned: 'SHIPMENT_RETURNED_TO_SENDER',
}

/** The known event that was meant: by its name, by a phase, or as in the filters of webhooks. */
export async function findEventName(client: Client, given: string): Promise<EventName> {
  const [source = '', phase, name] = given.split('/')
  const word = source === 'shipments' ? (name ?? phase ?? '') : given
  const usual = Object.hasOwn(usualEvents, word.toLowerCase()) ? usualEvents[word.toLowerCase()] : undefined
  if (usual) return usual
  const known = (await client.get('/v1/event-names')).map(({ event_name }) => event_name)
  const found = known.find((each) => each === word.toUpperCase())
  if (found) return found as EventName // the names that this operation takes
  throw new UsageError(
    `"${given}" is not a known event.`,
    didYouMean(word, [...known, ...Object.keys(usualEvents)]) ?? '"doorstep events names" lists them.',
  )
}

export async function recordEvent(
  client: Client,
  shop: string,
  event: { name: EventName; id: string; idType: IdType; time: string | undefined; isQuiet?: boolean },
): Promise<Schemas['RecordedEvent']> {
  return client.post('/v1/shop/{slug}/shipment-events', {
    params: { path: { slug: shop }, query: { notify: !event.isQuiet } },
    body: {
      event_name: event.name,
      id: event.id,
      id_type: event.idType,
      ...(event.time ? { event_time: event.time } : {}),
    },
  })
}
