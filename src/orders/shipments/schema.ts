import { directions, eventNames, flags, phases } from '../../platform/catalogue/catalogue.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import { PagedQuery } from '../../platform/foundation/operation.ts'
import {
  DateTime,
  LanguageCode,
  Maybe,
  Named,
  Nullable,
  OneOf,
  type Static,
  Type,
  Uuid,
} from '../../platform/foundation/schema.ts'
import { Address, Product, Reference } from '../orders/parts.ts'
import { ProofOfDelivery } from './proof-schema.ts'

const Direction = OneOf(directions, { examples: ['merchant_customer'] })
const pickupTypes = ['shop', 'neighbor', 'locker', 'letterbox'] as const
export const orderIdTypes = ['uuid', 'external_id', 'order_number', 'order_name'] as const

const Service = Nullable(
  Type.String({ description: "The carrier's product, or else the order's shipping method", examples: ['DHL Paket'] }),
)

export const EventRecord = Named(
  'Event',
  Type.Object({
    event_key: Type.String({ examples: ['OUT_FOR_DELIVERY'] }),
    event_name: OneOf(eventNames, { examples: ['OUT_FOR_DELIVERY'] }),
    phase: OneOf(phases, { examples: ['in_delivery'] }),
    time: DateTime,
    timezone: Nullable(Type.String({ examples: ['Europe/Berlin'] })),
    language: LanguageCode,
    event_strings: Type.Object({
      event_status: Type.String({ examples: ['Out for delivery'] }),
      list_label: Type.String({ examples: ['Your parcel is out for delivery'] }),
      header_headline: Type.String({ examples: ['Your parcel is out for delivery'] }),
      header_title: Type.String({ examples: ['Your parcel is with the driver for the last part of its journey.'] }),
      header_subtitle: Type.String({ examples: ['If nobody is in, the carrier may leave it with a neighbour.'] }),
    }),
    location: Type.Record(Type.String(), Type.Unknown(), { examples: [{ city: 'Berlin', country_code: 'DE' }] }),
    additional_info: Type.Record(Type.String(), Type.Unknown(), { examples: [{ carrier_name: 'DHL' }] }),
  }),
)
export type EventRecord = Static<typeof EventRecord>

export const EstimatedArrival = Named(
  'EstimatedArrival',
  Type.Object({
    from: DateTime,
    to: DateTime,
    start: DateTime,
    end: DateTime,
    time_prediction: Type.String({ examples: ['Tuesday, 3 November to Thursday, 5 November'] }),
    language: LanguageCode,
    source: Type.String({
      description: "carrier, or history: predicted from the shop's own shipments",
      examples: ['history'],
    }),
  }),
)
export type EstimatedArrival = Static<typeof EstimatedArrival>

export const Pickup = Type.Object({
  type: OneOf(pickupTypes),
  name: Nullable(Type.String({ examples: ['Kiosk at the corner'] })),
  address: Nullable(Address),
  url: Nullable(Type.String({ examples: ['https://carrier.example/points/7'] })),
  opening_hours: Nullable(Type.Record(Type.String(), Type.String(), { examples: [{ monday: '08:00-20:00' }] })),
  date_to: Nullable(Type.String({ examples: ['2026-11-10'] })),
})

export type Pickup = Static<typeof Pickup>

/** A shipment with its whole journey. */
export const Tracking = Named(
  'Tracking',
  Type.Object({
    uuid: Uuid,
    id: Uuid,
    merchant_id: Uuid,
    order_id: Uuid,
    merchant_slug: Type.String({ examples: ['river-and-pine'] }),
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    order_number: Type.String({ examples: ['1001'] }),
    carrier: Type.Object({
      tracking_number: Nullable(Type.String({ examples: ['00340434161094042557'] })),
      carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
      tracking_url: Nullable(Type.String({ examples: ['https://carrier.example/00340434161094042557'] })),
    }),
    service: Service,
    external_shipment_id: Nullable(Type.String({ examples: ['parcel-1'] })),
    direction: Direction,
    is_return: Type.Boolean({ examples: [false] }),
    phase: OneOf(phases, { examples: ['in_delivery'] }),
    flag: OneOf(flags, { examples: ['normal'] }),
    events: Type.Array(EventRecord),
    estimated_arrival: Nullable(EstimatedArrival),
    pickup: Nullable(Pickup),
    proof_of_delivery: Nullable(ProofOfDelivery),
    products: Type.Array(Product),
    updated_at: DateTime,
  }),
)
export type Tracking = Static<typeof Tracking>

/** A shipment in the responses of search and create. */
export const ShipmentRecord = Named(
  'Shipment',
  Type.Object({
    uuid: Uuid,
    order_id: Uuid,
    external_shipment_id: Nullable(Type.String({ examples: ['parcel-1'] })),
    tracking_number: Nullable(Type.String({ examples: ['00340434161094042557'] })),
    carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
    service: Service,
    tracking_url: Nullable(Type.String({ examples: ['https://carrier.example/00340434161094042557'] })),
    phase: OneOf(phases, { examples: ['in_delivery'] }),
    flag: OneOf(flags, { examples: ['normal'] }),
    current_event_key: Type.String({ examples: ['OUT_FOR_DELIVERY'] }),
    zip_code: Nullable(Type.String({ examples: ['10115'] })),
    email_id: Nullable(Type.String({ examples: ['ada@example.com'] })),
    created_at: DateTime,
    updated_at: DateTime,
    events: Type.Array(EventRecord),
  }),
)
export type ShipmentRecord = Static<typeof ShipmentRecord>

export const ShipmentCreation = Named(
  'ShipmentCreation',
  Type.Object({
    order_id: { ...Reference, examples: ['1001'] },
    order_id_type: OneOf(orderIdTypes, { examples: ['order_number'] }),
    tracking_number: Maybe({ ...Reference, examples: ['00340434161094042557'] }),
    carrier_reference: Maybe(Type.String({ maxLength: 100, examples: ['dhl'] })),
    service: Maybe(Type.String({ maxLength: 255, examples: ['DHL Paket'] })),
    direction: Maybe(OneOf(directions, { default: 'customer_merchant' })),
    external_shipment_id: Maybe({ ...Reference, examples: ['parcel-1'] }),
    products: Maybe(
      Type.Array(
        Type.Object({
          product_id: Maybe(Type.Union([Type.String({ maxLength: 255 }), Type.Number()])),
          variant_id: Maybe(Type.Union([Type.String({ maxLength: 255 }), Type.Number()])),
          quantity: Maybe(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
        }),
        { maxItems: 1_000 },
      ),
    ),
  }),
)
export type ShipmentCreation = Static<typeof ShipmentCreation>

export const shipmentSorts = ['-updated_at', 'updated_at', '-created_at', 'created_at'] as const

const Moment = Type.String({ format: 'date-time', maxLength: 64, examples: ['2026-11-01T00:00:00Z'] })

export const ShipmentFilter = PagedQuery({
  tracking_number: Type.Optional(Type.String({ maxLength: 255 })),
  updated_from: Type.Optional(Moment),
  updated_to: Type.Optional(Moment),
  created_from: Type.Optional(Moment),
  created_to: Type.Optional(Moment),
  sort: Type.Optional(OneOf(shipmentSorts, { default: '-updated_at' })),
  include_drafts: Type.Optional(Type.Boolean({ default: true })),
})
export type ShipmentFilter = Static<typeof ShipmentFilter>

export const ShipmentPage = Named(
  'ShipmentPage',
  Type.Object({
    shipments: Type.Array(ShipmentRecord),
    pagination: Type.Object({
      page: Type.Integer(),
      per_page: Type.Integer(),
      total: Type.Integer(),
      total_pages: Type.Integer(),
      has_next: Type.Boolean(),
      has_previous: Type.Boolean(),
      total_is_estimate: Type.Boolean({ examples: [false] }),
    }),
  }),
)

/** Parcels that were sent longer ago are not polled. */
export const pollingPeriodMs = 90 * dayMs
