import { Claim } from '../../claims/claims/schema.ts'
import { Order } from '../../orders/orders/schema.ts'
import { Tracking } from '../../orders/shipments/schema.ts'
import { atRisk, eventNames, phases } from '../../platform/catalogue/catalogue.ts'
import { Named, OneOf, type Static, type TSchema, Type, Uuid } from '../../platform/foundation/schema.ts'

const order = Order.properties
const claim = Claim.properties
const carrier = Tracking.properties.carrier.properties
/** As customers read it: 05.11.2026. */
const Day = Type.Optional(Type.String({ examples: ['05.11.2026'] }))
const EventGroup = Type.String({ examples: ['shipment_out_for_delivery'] })

/** The variables of a shipment event: `shipmentEventData` returns no others. */
export const ShipmentEventData = Named(
  'ShipmentEventData',
  Type.Object({
    shipment_id: Uuid,
    event_name: OneOf([...eventNames, atRisk.eventName], { examples: ['OUT_FOR_DELIVERY'] }),
    phase: OneOf(phases, { examples: ['in_delivery'] }),
    event_group: EventGroup,
    carrier_reference: carrier.carrier_reference,
    tracking_number: carrier.tracking_number,
    tracking_url: carrier.tracking_url,
    updated_at: Tracking.properties.updated_at,
    order_number: order.order_number,
    trigger_name: Type.Optional(Type.String({ description: 'The internal trigger that fired', examples: ['Late'] })),
    order_name: IfKnown(order.order_name),
    zip_code: Type.Optional(Type.String({ examples: ['10115'] })),
    shipping_address: IfKnown(order.address),
    total_order_value: IfKnown(order.total_order_price),
    order_currency: IfKnown(order.currency),
    order_status_url: IfKnown(order.order_status_url),
    external_customer_id: IfKnown(order.external_customer_id),
    external_order_id: IfKnown(order.external_id),
    preferred_delivery_date: Day,
    customer_first_name: Type.Optional(Type.String({ examples: ['Ada'] })),
    customer_last_name: Type.Optional(Type.String({ examples: ['Example'] })),
    customer_country: Type.Optional(Type.String({ examples: ['DE'] })),
    expected_delivery_date: Day,
    pick_up_address: Type.Optional(Type.String({ examples: ['Parcel shop, Example Street 2, 10115 Berlin'] })),
    pick_up_until: Day,
    neighbour_name: Type.Optional(Type.String({ examples: ['Sam Example'] })),
    requested_delivery_date: Day,
    number_of_shipments: Type.Optional(Type.Integer()),
    other_tracking_numbers: Type.Optional(Type.Array(Type.String({ examples: ['00340434161094042558'] }))),
  }),
)
export type ShipmentEventData = Static<typeof ShipmentEventData>

/** The variables of a claim event: `claimEventData` returns no others. */
export const ClaimEventData = Named(
  'ClaimEventData',
  Type.Object({
    claim_id: Uuid,
    event_name: OneOf(['created', 'updated'], { examples: ['created'] }),
    created_at: claim.created_at,
    updated_at: claim.updated_at,
    event_group: Type.String({ examples: ['claim_created'] }),
    resolution_preference: claim.resolution_preference,
    kind: claim.kind,
    withdrawal: claim.withdrawal,
    reason: claim.reason,
    status: claim.status,
    description: claim.description,
    reply: claim.reply,
    customer_signature_image_url: claim.customer_signature_image_url,
    selected_items: claim.selected_items,
    image_urls: claim.image_urls,
    optional_image_urls: claim.optional_image_urls,
  }),
)
export type ClaimEventData = Static<typeof ClaimEventData>

/** Absent if there is no value, never null. */
function IfKnown<Schema extends TSchema>(schema: Schema) {
  const { anyOf } = schema as { anyOf?: TSchema[] } // a keyword of JSON schema
  const known = anyOf?.find((option) => (option as { type?: string }).type !== 'null') ?? schema
  return Type.Optional(Type.Unsafe<NonNullable<Static<Schema>>>(known))
}
