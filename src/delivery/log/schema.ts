import { PagedQuery } from '../../platform/foundation/operation.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { FailureReasonSchema } from '../queue/health-schema.ts'

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
    reason: Nullable(FailureReasonSchema),
  }),
)

const Header = Type.Record(Type.String(), Type.String(), {
  examples: [{ 'content-type': 'application/json', 'webhook-id': '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d' }],
})

/** The parts of a request that may have been different when it was sent. */
const changedParts = ['url', 'secret', 'headers', 'body'] as const

const SentRequest = Named(
  'SentRequest',
  Type.Object({
    method: OneOf(['POST']),
    url: Type.String({
      description: 'Without the path, which may contain a secret',
      examples: ['https://shop.example/***'],
    }),
    headers: {
      ...Header,
      description:
        'As sent, except `traceparent`. Values of headers that the merchant added are hidden. Signatures are computed again from the stored body; they are left out if the secret was changed since',
    },
    changed_since: Type.Array(OneOf(changedParts), {
      description: 'What may differ from what was sent: the endpoint was changed, or the customer erased, since then',
    }),
  }),
)
export type SentRequest = Static<typeof SentRequest>

const Verification = Named(
  'SignatureVerification',
  Type.Object({
    header: Type.String({ examples: ['webhook-signature'] }),
    algorithm: Type.String({ examples: ['HMAC-SHA256'] }),
    encoding: OneOf(['hex', 'base64']),
    signed: Type.String({
      description: 'What is signed with the secret; names in braces are headers, and the raw body',
      examples: ['{webhook-id}.{webhook-timestamp}.{body}'],
    }),
    format: Type.String({ description: 'The value of the header', examples: ['v1,{signature}'] }),
  }),
)
export type Verification = Static<typeof Verification>

export const Delivery = Named(
  'Delivery',
  Type.Object({
    uuid: Uuid,
    webhook_id: Nullable(Uuid),
    integration: Nullable(Type.String({ examples: ['klaviyo'] })),
    url: Nullable(
      Type.String({
        description:
          'The address that an automation sends it to, without its path, which may contain a secret; null for other receivers',
        examples: ['https://shop.example/***'],
      }),
    ),
    event_name: Type.String({ examples: ['OUT_FOR_DELIVERY'] }),
    ref: Type.String({ examples: ['shipments/in_delivery/OUT_FOR_DELIVERY'] }),
    event_group: Type.String({ examples: ['shipment_out_for_delivery'] }),
    shipment_id: Nullable(Uuid),
    order_id: Nullable(Uuid),
    order_number: Nullable(Type.String({ examples: ['A-1001'] })),
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

const logFilter = {
  status: Type.Optional(OneOf(deliveryStatuses)),
  event: Type.Optional(Type.String({ maxLength: 200, description: 'Event name' })),
  shipment_id: Type.Optional(Uuid),
  order_id: Type.Optional(Uuid),
  created_from: Type.Optional(DateTime),
  created_to: Type.Optional(DateTime),
}

/** Of one receiver. */
export const DeliveryFilter = PagedQuery(logFilter)
export type DeliveryFilter = Static<typeof DeliveryFilter>

/** Of all receivers of a shop. */
export const ShopDeliveryFilter = PagedQuery({
  webhook_id: Type.Optional({ ...Uuid, description: 'Only those to this endpoint' }),
  integration: Type.Optional(
    Type.String({ maxLength: 50, description: 'Only those to this integration', examples: ['klaviyo'] }),
  ),
  ...logFilter,
})

export const DeliveryDetail = Named(
  'DeliveryDetail',
  Type.Object({
    ...Delivery.properties,
    attempts: Type.Array(Type.Object({ ...Attempt.properties, request: Nullable(SentRequest) }), {
      description: 'With the request of each; null for integrations, whose adapters make their own requests',
    }),
    payload: Type.Record(Type.String(), Type.Unknown(), { examples: [{ version: 1 }] }),
    body: Type.String({ description: 'The payload byte for byte, as it is signed', examples: ['{"version":1}'] }),
    verification: Type.Array(Verification, { description: 'How a receiver verifies each signature' }),
  }),
)

export type DeliveryDetail = Static<typeof DeliveryDetail>

export const ResendRequest = Named(
  'ResendRequest',
  Type.Object({ deliveries: Type.Array(Uuid, { minItems: 1, maxItems: 100, description: 'Deliveries to resend' }) }),
)
export const Resent = Named(
  'Resent',
  Type.Object({
    resent: Type.Integer({ examples: [2] }),
    not_found: Type.Array(Uuid, { description: 'Those that this shop does not have' }),
  }),
)

export const Recovery = Named('Recovery', Type.Object({ since: DateTime }))
export const ReplayRequest = Named(
  'ReplayRequest',
  Type.Object({
    from: { ...DateTime, description: 'Deliveries created since then' },
    to: { ...DateTime, description: 'Deliveries created until then' },
  }),
)
export const Replayed = Named(
  'Replayed',
  Type.Object({
    replayed: Type.Integer({ description: 'How many are sent again', examples: [120] }),
    next_from: Nullable({
      ...DateTime,
      description: 'Not null: there are more. Call again with this time as `from`, and the same `to`',
    }),
  }),
)
export const Recovered = Named('Recovered', Type.Object({ recovered: Type.Integer({ examples: [12] }) }))
