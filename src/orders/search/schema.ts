import { flags, phases } from '../../platform/catalogue/catalogue.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { orderStatuses } from '../orders/schema.ts'

export const matchKinds = [
  'order_number',
  'order_name',
  'tracking_number',
  'email_id',
  'zip_code',
  'customer_name',
] as const
export type MatchKind = (typeof matchKinds)[number]

/** Text that a person types into a search box. */
export const SearchText = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'The beginning of an order number or name (with or without #), a tracking number (blanks and hyphens are ignored), an e-mail address, a zip code or a customer name (either way round, without regard to case and accents)',
  examples: ['ada ex'],
})

export const SearchQuery = Type.Object({
  q: SearchText,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 10 })),
})

const carrierFields = {
  tracking_number: Nullable(Type.String({ examples: ['00340434161094042557'] })),
  carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
  carrier_name: Nullable(
    Type.String({ description: "The carrier's name, or what the sender called it", examples: ['DHL'] }),
  ),
}

const stateFields = {
  is_return: Type.Boolean({ description: 'The customer sends it', examples: [false] }),
  phase: OneOf(phases, { examples: ['in_delivery'] }),
  flag: OneOf(flags, { examples: ['normal'] }),
  current_event_key: Type.String({ examples: ['OUT_FOR_DELIVERY'] }),
  event_status: Type.String({
    description: "The current event in words, in the caller's language",
    examples: ['Out for delivery'],
  }),
  current_event_at: DateTime,
}

const customerFields = {
  order_id: Uuid,
  order_number: Type.String({ examples: ['1001'] }),
  order_name: Nullable(Type.String({ examples: ['#1001'] })),
  customer_name: Nullable(Type.String({ examples: ['Ada Example'] })),
  email_id: Nullable(Type.String({ examples: ['ada@example.com'] })),
  is_erased: Type.Boolean({ description: "The customer's data were erased", examples: [false] }),
}

/** A parcel of an order in a list. */
export const ParcelSummary = Named(
  'ParcelSummary',
  Type.Object({ shipment_id: Uuid, ...carrierFields, ...stateFields, updated_at: DateTime }),
)
export type ParcelSummary = Static<typeof ParcelSummary>

const orderFields = {
  ...customerFields,
  zip_code: Nullable(Type.String({ examples: ['10115'] })),
  country_code: Nullable(Type.String({ examples: ['DE'] })),
  placed_at: DateTime,
  status: OneOf(orderStatuses),
  nothing_to_send: Type.Boolean({ examples: [false] }),
  handed_over_without_tracking: Type.Boolean({ examples: [false] }),
  total_order_price: Nullable(Type.Number({ examples: [94.85] })),
  currency: Type.String({ examples: ['EUR'] }),
  claims: Type.Integer({ description: 'Claims that are not closed', examples: [0] }),
  parcel_count: Type.Integer({ examples: [1] }),
  parcels: Type.Array(ParcelSummary, { description: 'The first ten' }),
  updated_at: DateTime,
}

/** An order in a list. */
export const OrderSummary = Named('OrderSummary', Type.Object(orderFields))
export type OrderSummary = Static<typeof OrderSummary>

/** A parcel in the list of parcels. */
export const ShipmentSummary = Named(
  'ShipmentSummary',
  Type.Object({
    shipment_id: Uuid,
    ...customerFields,
    ...carrierFields,
    ...stateFields,
    expected_delivery: Nullable(
      Type.Object({
        from: DateTime,
        to: DateTime,
        source: Type.String({
          description: "carrier, or history: predicted from the shop's own",
          examples: ['history'],
        }),
      }),
    ),
    destination_country: Nullable(Type.String({ examples: ['DE'] })),
    sent_at: Nullable(DateTime),
    delivered_at: Nullable(DateTime),
    created_at: DateTime,
    updated_at: DateTime,
  }),
)
export type ShipmentSummary = Static<typeof ShipmentSummary>

export const SearchResult = Named(
  'SearchResult',
  Type.Object({
    matches: Type.Array(
      Type.Object({
        matched: OneOf(matchKinds, { description: 'What begins with the text' }),
        is_exact: Type.Boolean({ description: 'It is the text, not only begins with it', examples: [false] }),
        shipment_id: Nullable({ ...Uuid, description: 'The parcel, if its tracking number matched' }),
        ...orderFields,
      }),
      { description: 'Exact matches first, then the newest orders' },
    ),
    is_complete: Type.Boolean({
      description: 'False if others match as well. A short text is compared with a limited number of orders only',
      examples: [true],
    }),
  }),
)
