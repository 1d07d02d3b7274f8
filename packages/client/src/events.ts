import type { claimEvents, shipmentEvents } from './event-names.ts'
import type { components } from './schema.ts'

type Schemas = components['schemas']

/** The name of a parcel's event, such as `OUT_FOR_DELIVERY`. */
export type ShipmentEventName = keyof typeof shipmentEvents
/** The name of a claim's event: `CLAIM_CREATED` or `CLAIM_UPDATED`. */
export type ClaimEventName = keyof typeof claimEvents
export type EventName = ShipmentEventName | ClaimEventName

/** The payload of a parcel's event, by its name: `ShipmentEvent<'OUT_FOR_DELIVERY'>`. */
export type ShipmentEvent<Name extends ShipmentEventName = ShipmentEventName> = {
  [Each in Name]: Payload<(typeof shipmentEvents)[Each]> & {
    source: 'shipments'
    event_data: Schemas['ShipmentEventData'] & { event_name: Each; phase: PhaseOf<Each> }
  }
}[Name]

/** The phase of a parcel with this event; any phase if the event has none. */
type PhaseOf<Name extends ShipmentEventName> = (typeof shipmentEvents)[Name] extends { phase: infer Phase }
  ? Phase
  : Schemas['ShipmentEventData']['phase']

/** The payload of a claim's event, by its name: `ClaimEvent<'CLAIM_CREATED'>`. */
export type ClaimEvent<Name extends ClaimEventName = ClaimEventName> = {
  [Each in Name]: Payload<(typeof claimEvents)[Each]> & {
    source: 'claims'
    event_data: Schemas['ClaimEventData'] & { event_name: Each extends 'CLAIM_CREATED' ? 'created' : 'updated' }
  }
}[Name]

/** The payload of webhooks and the event feed. `source` and `ref` tell the kinds of events apart. */
export type WebhookEvent = ShipmentEvent | ClaimEvent

/** An event by its name. */
export type EventNamed<Name extends EventName> =
  | (Name extends ShipmentEventName ? ShipmentEvent<Name> : never)
  | (Name extends ClaimEventName ? ClaimEvent<Name> : never)

/** `if (isEvent(event, 'OUT_FOR_DELIVERY')) …`; a newer service may send names that this version does not know. */
export function isEvent<Name extends EventName>(event: WebhookEvent, name: Name): event is EventNamed<Name> {
  return nameOf(event) === name
}

/** The name by which the catalogue and the API know the event. */
export function nameOf(event: WebhookEvent): EventName {
  if (event.source === 'shipments') return event.event_data.event_name
  return event.event_data.event_name === 'created' ? 'CLAIM_CREATED' : 'CLAIM_UPDATED'
}

type Payload<Kind extends { ref: string; groups: readonly string[] }> = Omit<
  Schemas['WebhookPayload'],
  'source' | 'ref' | 'event_group' | 'event_data'
> & {
  ref: Kind['ref']
  event_group: Kind['groups'][number]
  /** Only on what was sent to try an endpoint. */
  test?: true
}
