import { PagedQuery } from '../../platform/foundation/operation.ts'
import {
  Currency,
  DateTime,
  Droppable,
  Link,
  Maybe,
  Named,
  Nullable,
  OneOf,
  type Static,
  Type,
  Uuid,
} from '../../platform/foundation/schema.ts'
import { GivenPromise, PromisedDelivery, PromiseId } from '../promises/schema.ts'
import { orderIdTypes, Tracking } from '../shipments/schema.ts'
import {
  Address,
  attributionFields,
  OrderAnalytics,
  OrderDiscount,
  OrderFee,
  PreferredDelivery,
  Product,
  Reference,
} from './parts.ts'

const Price = Type.Number({ minimum: -1e12, maximum: 1e12 })
const ExpectedShipments = Type.Integer({ minimum: 0, maximum: 100 })

const orderFields = {
  order_name: Maybe(Type.String({ maxLength: 255, examples: ['#1001'] })),
  order_placed_at: Maybe(Type.String({ format: 'date-time', maxLength: 64, examples: ['2026-11-01T09:30:00.000Z'] })),
  total_order_price: Maybe({ ...Price, examples: [94.85] }),
  shipping_price: Maybe({ ...Price, examples: [4.95] }),
  sub_total_price: Maybe({ ...Price, examples: [89.9] }),
  discount_price: Maybe({ ...Price, default: 0 }),
  products: Maybe(Type.Array(Product, { maxItems: 1_000 })),
  discounts: Maybe(Type.Array(Droppable(OrderDiscount), { maxItems: 100 })),
  fees: Maybe(Type.Array(Droppable(OrderFee), { maxItems: 100 })),
  email_id: Maybe(Type.String({ maxLength: 320, examples: ['ada@example.com'] })),
  currency: Maybe({ ...Currency, default: 'EUR' }),
  segments: Maybe(Type.Array(Droppable(Type.String({ maxLength: 255 })), { maxItems: 500, examples: [['vip']] })),
  weight: Maybe(Type.Number({ description: 'Grams', examples: [850] })),
  external_customer_id: Maybe(Type.String({ maxLength: 255, examples: ['customer-77'] })),
  order_status_url: Maybe({ ...Link, examples: ['https://shop.example/orders/1001'] }),
  preferred_delivery_date: Maybe(Droppable(PreferredDelivery)),
  user_agent: Maybe(
    Type.Union([
      Type.String({ maxLength: 4_096, examples: ['Mozilla/5.0'] }),
      Type.Array(Type.String({ maxLength: 4_096 }), { maxItems: 20 }),
    ]),
  ),
  order_analytics: Maybe(Droppable(OrderAnalytics)),
  expected_number_of_shipments: Maybe({ ...ExpectedShipments, default: 1 }),
  financial_status: Maybe(Type.String({ maxLength: 255, examples: ['paid'] })),
  shipping_method: Maybe(
    Type.String({ maxLength: 255, description: 'What the customer chose at checkout', examples: ['Express delivery'] }),
  ),
  promise_id: Maybe(Droppable(PromiseId)),
  promised_delivery: Maybe(Droppable(GivenPromise)),
}

export const OrderPlacement = Named(
  'OrderPlacement',
  Type.Object({
    order_number: { ...Reference, examples: ['1001'] },
    external_id: { ...Reference, examples: ['5550001'] },
    address: Address,
    ...orderFields,
  }),
)
export type OrderPlacement = Static<typeof OrderPlacement>

/** An order in an upsert: absent or null fields stay unchanged, or get their default in a new order. */
export const GivenOrder = Named(
  'UpsertedOrder',
  Type.Object({
    order_number: Maybe({ ...Reference, examples: ['1001'] }),
    external_id: Maybe({ ...Reference, examples: ['5550001'] }),
    address: Maybe(Droppable(Address)),
    ...orderFields,
  }),
)
export type GivenOrder = Static<typeof GivenOrder>

export const GivenTracking = Named(
  'FulfilledTracking',
  Type.Object({
    tracking_number: { ...Reference, examples: ['00340434161094042557'] },
    tracking_placed_at: Maybe(
      Type.String({ format: 'date-time', maxLength: 64, examples: ['2026-11-02T15:00:00.000Z'] }),
    ),
    tracking_company: Maybe(Type.String({ maxLength: 255, examples: ['DHL Paket'] })),
    carrier_reference: Maybe(Type.String({ maxLength: 100, examples: ['dhl'] })),
    service: Maybe(
      Type.String({
        maxLength: 255,
        description: "The carrier's product. Default: the order's shipping method",
        examples: ['DHL Paket'],
      }),
    ),
    tracking_url: Maybe({ ...Link, examples: ['https://carrier.example/00340434161094042557'] }),
    external_shipment_id: Maybe({ ...Reference, examples: ['parcel-1'] }),
    products: Maybe(Type.Array(Product, { maxItems: 1_000 })),
  }),
)
export type GivenTracking = Static<typeof GivenTracking>

export const OrderUpsert = Named(
  'OrderUpsert',
  Type.Object({
    id: { ...Reference, examples: ['1001'] },
    id_type: Maybe(OneOf(['uuid', 'external_id', 'order_name', 'order_number'], { default: 'order_number' })),
    order: Maybe(GivenOrder),
    trackings: Type.Array(Droppable(GivenTracking, 'beside others'), { maxItems: 50 }),
    order_analytics: Maybe(Droppable(OrderAnalytics)),
  }),
)
export type OrderUpsert = Static<typeof OrderUpsert>

export const BulkUpsert = Type.Array(OrderUpsert, { minItems: 1, maxItems: 1_000 })

export const AttributionUpsert = Named(
  'AttributionUpsert',
  Type.Object({
    id: { ...Reference, examples: ['1001'] },
    id_type: Maybe(OneOf(orderIdTypes, { default: 'order_number' })),
    ...attributionFields,
  }),
)
export type AttributionUpsert = Static<typeof AttributionUpsert>

export const OrderReference = Named(
  'OrderReference',
  Type.Object({
    id: { ...Reference, examples: ['1001'] },
    id_type: Maybe(OneOf(orderIdTypes, { default: 'order_number' })),
  }),
)

export const TrackingPageAddress = Named(
  'TrackingPageAddress',
  Type.Object({
    url: Type.String({
      format: 'uri',
      examples: [
        'https://doorstep.example/track/river-and-pine/AZLzxHsefMCdOi9vehtMXQGS88R7HnzAnTovb3obTF21p0x5mD2sYv8nQ4tJkW3c',
      ],
    }),
  }),
)

export const OrderUpdate = Named(
  'OrderUpdate',
  Type.Object({ address: Maybe(Address), expected_number_of_shipments: Maybe(ExpectedShipments) }),
)

export const ShipmentUpdate = Named(
  'OrderShipmentUpdate',
  Type.Object({
    carrier_reference: Maybe(Type.String({ maxLength: 100, examples: ['dhl'] })),
    tracking_number: Maybe({ ...Reference, examples: ['00340434161094042557'] }),
    tracking_url: Maybe({ ...Link, examples: ['https://carrier.example/00340434161094042557'] }),
    products: Maybe(Type.Array(Product, { maxItems: 50 })),
  }),
)

export const OrderFilter = PagedQuery({
  email_id: Type.Optional(Type.String({ maxLength: 320 })),
  external_id: Type.Optional(Type.String({ maxLength: 255 })),
  order_name: Type.Optional(Type.String({ maxLength: 255 })),
  order_number: Type.Optional(Type.String({ maxLength: 255 })),
  uuid: Type.Optional(Uuid),
  zip_code: Type.Optional(Type.String({ maxLength: 32, description: 'Blanks, hyphens and case are ignored' })),
  nothing_to_send: Type.Optional(Type.Boolean()),
  handed_over_without_tracking: Type.Optional(Type.Boolean()),
  order_placed_from: Type.Optional(DateTime),
  order_placed_to: Type.Optional(DateTime),
  shipment_updated_since: Type.Optional(DateTime),
})
export type OrderFilter = Static<typeof OrderFilter>

export const orderStatuses = ['placed', 'partially_fulfilled', 'fulfilled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const Order = Named(
  'Order',
  Type.Object({
    uuid: Uuid,
    order_number: Type.String({ examples: ['1001'] }),
    order_name: Nullable(Type.String({ examples: ['#1001'] })),
    external_id: Type.String({ examples: ['5550001'] }),
    status: OneOf(orderStatuses),
    nothing_to_send: Type.Boolean({
      description: 'All its products are digital, refunded or removed',
      examples: [false],
    }),
    handed_over_without_tracking: Type.Boolean({
      description: 'The shop system calls it fulfilled, but has sent no tracking number',
      examples: [false],
    }),
    order_placed_at: DateTime,
    total_order_price: Nullable({ ...Price, examples: [94.85] }),
    shipping_price: Nullable({ ...Price, examples: [4.95] }),
    sub_total_price: Nullable({ ...Price, examples: [89.9] }),
    discount_price: Price,
    products: Type.Array(Product),
    discounts: Type.Array(OrderDiscount),
    fees: Type.Optional(Type.Array(OrderFee, { description: 'Charges other than products and shipping' })),
    email_id: Nullable(Type.String({ examples: ['ada@example.com'] })),
    address: Nullable(Address),
    currency: Type.String({ examples: ['EUR'] }),
    segments: Type.Array(Type.String({ examples: ['vip'] })),
    weight: Nullable(Type.Number({ examples: [850] })),
    external_customer_id: Nullable(Type.String({ examples: ['customer-77'] })),
    order_status_url: Nullable(Type.String({ examples: ['https://shop.example/orders/1001'] })),
    preferred_delivery_date: Nullable(PreferredDelivery),
    user_agent: Nullable(Type.Union([Type.String({ examples: ['Mozilla/5.0'] }), Type.Array(Type.String())])),
    order_analytics: OrderAnalytics,
    expected_number_of_shipments: ExpectedShipments,
    financial_status: Nullable(Type.String({ examples: ['paid'] })),
    shipping_method: Nullable(Type.String({ examples: ['Express delivery'] })),
    promised_delivery: Nullable(PromisedDelivery),
    merchant_slug: Type.String({ examples: ['river-and-pine'] }),
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    created_at: DateTime,
    updated_at: DateTime,
    trackings: Type.Array(Tracking),
  }),
)
export type Order = Static<typeof Order>
