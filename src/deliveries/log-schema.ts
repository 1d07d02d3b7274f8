import { PagedQuery } from '../foundation/operation.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../foundation/schema.ts'

export const deliveryStatuses = ['pending', 'delivered', 'skipped', 'dead'] as const
export const stages = ['resolve', 'connect', 'tls', 'send', 'timeout', 'status'] as const

export const Attempt = Named(
  'DeliveryAttempt',
  Type.Object({
    number: Type.Integer({ examples: [1] }),
    started_at: DateTime,
    duration_ms: Type.Integer({ examples: [84] }),
    status_code: Nullable(Type.Integer({ examples: [503] })),
    answer: Nullable(
      Type.String({
        description: 'The first kilobyte of the response; null except for admins',
        examples: ['busy'],
      }),
    ),
    stage: Nullable(OneOf(stages, { description: 'Where it failed', examples: ['status'] })),
    error: Nullable(Type.String({ examples: ['returned 503'] })),
  }),
)

export const Delivery = Named(
  'Delivery',
  Type.Object({
    uuid: Uuid,
    webhook_id: Nullable(Uuid),
    integration: Nullable(Type.String({ examples: ['klaviyo'] })),
    url: Nullable(
      Type.String({
        description:
          'The address that an automation sends it to, without its path except for admins; null for other receivers',
        examples: ['https://shop.example/hook'],
      }),
    ),
    event_name: Type.String({ examples: ['OUT_FOR_DELIVERY'] }),
    ref: Type.String({ examples: ['shipments/in_delivery/OUT_FOR_DELIVERY'] }),
    event_group: Type.String({ examples: ['shipment_out_for_delivery'] }),
    shipment_id: Nullable(Uuid),
    order_id: Nullable(Uuid),
    status: OneOf(deliveryStatuses, {
      description: 'dead: the last retry failed, and it can be resent; skipped: the receiver does not need it',
    }),
    attempt_count: Type.Integer({ examples: [1] }),
    next_attempt_at: Nullable(DateTime),
    created_at: DateTime,
    finished_at: Nullable(DateTime),
    attempts: Type.Array(Attempt),
  }),
)
export type Delivery = Static<typeof Delivery>

export const DeliveryFilter = PagedQuery({
  status: Type.Optional(OneOf(deliveryStatuses)),
  event: Type.Optional(Type.String({ maxLength: 200, description: 'Event name' })),
  shipment_id: Type.Optional(Uuid),
})
export type DeliveryFilter = Static<typeof DeliveryFilter>

export const DeliveryDetail = Named(
  'DeliveryDetail',
  Type.Object({
    ...Delivery.properties,
    payload: Type.Record(Type.String(), Type.Unknown(), { examples: [{ version: 1 }] }),
  }),
)

export const Recovery = Named('Recovery', Type.Object({ since: DateTime }))
export const Recovered = Named('Recovered', Type.Object({ recovered: Type.Integer({ examples: [12] }) }))
