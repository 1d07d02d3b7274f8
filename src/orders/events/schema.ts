import { eventNames } from '../../platform/catalogue/catalogue.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'

const eventIdTypes = [
  'external_order_id',
  'external_shipment_id',
  'order_number',
  'order_uuid',
  'shipment_uuid',
  'tracking_number',
] as const

const eventFields = {
  event_name: OneOf(eventNames, { examples: ['OUT_FOR_DELIVERY'] }),
  event_time: Maybe(
    Type.String({
      format: 'date-time',
      maxLength: 64,
      description: 'Defaults to now',
      examples: ['2026-11-03T07:15:00.000Z'],
    }),
  ),
  external_id: Maybe(Type.String({ maxLength: 255, examples: ['scan-7'] })),
}

export const EventCreation = Named(
  'ShipmentEventCreation',
  Type.Object({
    ...eventFields,
    id: Type.String({ minLength: 1, maxLength: 255, examples: ['00340434161094042557'] }),
    id_type: Maybe(OneOf(eventIdTypes, { default: 'tracking_number', examples: ['tracking_number'] })),
  }),
)
export type EventCreation = Static<typeof EventCreation>

export const EventOfShipment = Named('EventOfShipment', Type.Object(eventFields))

export const EventQuery = Type.Object({
  notify: Type.Optional(
    Type.Boolean({ default: false, description: "Also notify integrations and webhooks, by the event's group" }),
  ),
})

export const EventReply = Named(
  'RecordedEvent',
  Type.Object({
    events: Type.Array(
      Type.Object({
        event_key: Type.String({ examples: ['OUT_FOR_DELIVERY'] }),
        time: DateTime,
        timezone: Nullable(Type.String({ examples: ['Europe/Berlin'] })),
        location: Nullable(Type.Record(Type.String(), Type.Unknown(), { examples: [{ city: 'Berlin' }] })),
      }),
    ),
    expected_delivery: Nullable(
      Type.Object({
        start: DateTime,
        end: DateTime,
        source: Type.String({ examples: ['history'] }),
        updated_at: Nullable(DateTime),
      }),
    ),
    additional_info: Nullable(Type.Record(Type.String(), Type.Unknown(), { examples: [{}] })),
    pickup_location: Nullable(Type.Record(Type.String(), Type.Unknown(), { examples: [{ name: 'Kiosk' }] })),
  }),
)
export type EventReply = Static<typeof EventReply>
