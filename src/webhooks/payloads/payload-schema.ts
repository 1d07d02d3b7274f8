import { Claim } from '../../claims/claims/schema.ts'
import { Order } from '../../orders/orders/schema.ts'
import { SharedProof } from '../../orders/shipments/proof-schema.ts'
import { Tracking } from '../../orders/shipments/schema.ts'
import { DateTime, Named, Nullable, OneOf, Type, Uuid } from '../../platform/foundation/schema.ts'
import { ClaimEventData, ShipmentEventData } from './event-data-schema.ts'

const text = (example: string) => Nullable(Type.String({ examples: [example] }))
const { trackings: _trackings, ...orderFields } = Order.properties

const SharedTracking = Named(
  'SharedTracking',
  Type.Object({ ...Tracking.properties, proof_of_delivery: Nullable(SharedProof) }),
)

/** The payload of a webhook, for the API description. */
export const WebhookPayload = Named(
  'WebhookPayload',
  Type.Object({
    source: OneOf(['shipments', 'claims'], { examples: ['shipments'] }),
    ref: Type.String({ examples: ['shipments/in_delivery/OUT_FOR_DELIVERY'] }),
    version: Type.Literal(1),
    triggered_at: DateTime,
    event_group: Type.String({ examples: ['shipment_out_for_delivery'] }),
    event_data: Type.Union([ShipmentEventData, ClaimEventData], {
      description: 'The variables for message templates: those of the shipment or of the claim',
    }),
    context: Type.Object({
      order: Type.Object(orderFields),
      customer: Type.Object({
        external_id: text('customer-77'),
        email: text('ada@example.com'),
        first_name: text('Ada'),
        last_name: text('Example'),
        full_name: text('Ada Example'),
        phone: text('+49 30 1234567'),
      }),
      shipments: Type.Array(SharedTracking),
      claims: Type.Array(Claim),
    }),
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    shop_id: Uuid,
    test: Type.Optional(
      Type.Literal(true, {
        description: 'Only on what was sent to try a receiver: its order does not exist',
        examples: [],
      }),
    ),
  }),
)
