import { ReceiverHealth } from '../../delivery/queue/health-schema.ts'
import { Condition, Conditions } from '../../delivery/receivers/conditions.ts'
import { PagedQuery } from '../../platform/foundation/operation.ts'
import {
  DateTime,
  Maybe,
  Named,
  Nullable,
  OneOf,
  type Static,
  Type,
  Url,
  Uuid,
} from '../../platform/foundation/schema.ts'

const endpointStatuses = ['active', 'inactive'] as const

const Secret = Type.String({ minLength: 16, maxLength: 64, examples: ['a-secret-of-16-to-64-characters'] })
const EnabledEvents = Type.Array(Type.String({ maxLength: 200, examples: ['shipments/delivered'] }), {
  maxItems: 200,
  description:
    'What it listens to: `*`, a source, `shipments/{phase}`, `shipments/at_risk`, or one event such as `claims/created`',
})
const Description = Type.String({ maxLength: 1_000, examples: ['The warehouse'] })
const EndpointConditions = {
  ...Conditions,
  description:
    'What an event must meet to be sent, as in automations: all of them, over `event_data` and `context` of the payload',
  examples: [[{ field: 'context.order.address.country_code', operator: 'in', value: ['DE', 'AT'] }]],
}

const maxHeaders = 5
const HeaderName = Type.String({ minLength: 1, maxLength: 100, examples: ['Authorization'] })

const HeaderInput = Named(
  'WebhookHeaderInput',
  Type.Object({
    name: HeaderName,
    value: Maybe({
      ...Type.String({ minLength: 1, maxLength: 1_000, examples: ['Bearer 5f2c'] }),
      description: 'Without it, the stored value of this name stays',
    }),
  }),
)
export type HeaderInput = Static<typeof HeaderInput>

const Headers = Type.Array(HeaderInput, {
  maxItems: maxHeaders,
  description: `Sent with every request. The list replaces the one before. A new URL with another host needs all values again`,
})

export const EndpointCreation = Named(
  'WebhookEndpointCreation',
  Type.Object({
    url: Url,
    enabled_events: Maybe({ ...EnabledEvents, default: ['*'] }),
    secret: Maybe(Secret),
    description: Maybe(Description),
    status: Maybe(OneOf(endpointStatuses, { default: 'active' })),
    conditions: Maybe(EndpointConditions),
    headers: Maybe(Headers),
  }),
)

export const EndpointUpdate = Named(
  'WebhookEndpointUpdate',
  Type.Object({
    url: Maybe(Url),
    enabled_events: Maybe(EnabledEvents),
    description: Maybe(Description),
    status: Maybe(OneOf(endpointStatuses)),
    conditions: Maybe({ ...EndpointConditions, description: `${EndpointConditions.description}; null: none` }),
    headers: Maybe(Headers),
  }),
)
export type EndpointUpdate = Static<typeof EndpointUpdate>

export const EndpointFilter = PagedQuery({
  uuid: Type.Optional(Uuid),
  status: Type.Optional(OneOf(endpointStatuses)),
  url: Type.Optional(Type.String({ maxLength: 2_048 })),
})
export type EndpointFilter = Static<typeof EndpointFilter>

const Circuit = Named(
  'EndpointCircuit',
  Type.Object(
    {
      opened_at: DateTime,
      next_attempt_at: { ...DateTime, description: 'When one delivery is sent to find out whether it is back' },
      attempts: Type.Integer({ description: 'How many were sent for that so far', examples: [3] }),
    },
    {
      description:
        'The endpoint kept failing: its deliveries wait, without using up attempts, until one of them succeeds. Null: they are sent. A resend, a test event and a changed endpoint try at once',
    },
  ),
)

export const Endpoint = Named(
  'WebhookEndpoint',
  Type.Object({
    uuid: Uuid,
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    created_at: DateTime,
    updated_at: DateTime,
    url: Type.String({ examples: ['https://shop.example/webhooks'] }),
    enabled_events: Type.Array(Type.String({ examples: ['*'] })),
    secret: Nullable(
      Type.String({ description: 'Shown when it is made and when it is rotated; null elsewhere', examples: ['k3…'] }),
    ),
    description: Nullable(Type.String({ examples: ['The warehouse'] })),
    status: OneOf(endpointStatuses),
    conditions: Type.Array(Condition),
    headers: Type.Array(
      Type.Object({ name: HeaderName, value: Type.Null({ description: 'A secret, which is never shown' }) }),
    ),
    health: ReceiverHealth,
    circuit: Nullable(Circuit),
  }),
)
export type Endpoint = Static<typeof Endpoint>
