import { flags, phases } from '../../platform/catalogue/catalogue.ts'
import { PagedQuery } from '../../platform/foundation/operation.ts'
import { DateTime, Named, OneOf, SeveralOf, type Static, Type } from '../../platform/foundation/schema.ts'
import { orderStatuses } from '../orders/schema.ts'
import { shipmentSorts } from '../shipments/schema.ts'
import { OrderSummary, SearchText, ShipmentSummary } from './schema.ts'

const orderSorts = ['-placed_at', 'placed_at'] as const

export const OrderListQuery = PagedQuery({
  q: Type.Optional(SearchText),
  status: Type.Optional(SeveralOf(orderStatuses)),
  nothing_to_send: Type.Optional(Type.Boolean()),
  handed_over_without_tracking: Type.Optional(Type.Boolean()),
  placed_from: Type.Optional(DateTime),
  placed_to: Type.Optional(DateTime),
  sort: Type.Optional(OneOf(orderSorts, { default: '-placed_at' })),
})
export type OrderListQuery = Static<typeof OrderListQuery>

export const ShipmentListQuery = PagedQuery({
  q: Type.Optional(SearchText),
  phase: Type.Optional(SeveralOf(phases)),
  flag: Type.Optional(SeveralOf(flags)),
  carrier_reference: Type.Optional(Type.String({ maxLength: 100, examples: ['dhl'] })),
  country_code: Type.Optional(
    Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Where the parcel goes', examples: ['DE'] }),
  ),
  is_return: Type.Optional(Type.Boolean({ description: 'Parcels that customers send, or those they receive' })),
  include_drafts: Type.Optional(Type.Boolean({ default: true })),
  updated_from: Type.Optional(DateTime),
  updated_to: Type.Optional(DateTime),
  created_from: Type.Optional(DateTime),
  created_to: Type.Optional(DateTime),
  sort: Type.Optional(OneOf(shipmentSorts, { default: '-updated_at' })),
})
export type ShipmentListQuery = Static<typeof ShipmentListQuery>

const ListPaging = Named(
  'ListPaging',
  Type.Object({
    page: Type.Integer({ examples: [1] }),
    per_page: Type.Integer({ examples: [30] }),
    total: Type.Integer({ examples: [412] }),
    total_is_estimate: Type.Boolean({ examples: [false] }),
    has_next: Type.Boolean({ examples: [true] }),
    has_previous: Type.Boolean({ examples: [false] }),
    is_complete: Type.Boolean({
      description:
        'False if the list ends before the records do: a filter without an index of its own, such as the carrier, is applied to the first 10,000 of the sort order',
      examples: [true],
    }),
  }),
)
export type ListPaging = Static<typeof ListPaging>

export const OrderList = Named('OrderList', Type.Object({ orders: Type.Array(OrderSummary), pagination: ListPaging }))
export const ShipmentList = Named(
  'ShipmentList',
  Type.Object({ shipments: Type.Array(ShipmentSummary), pagination: ListPaging }),
)
