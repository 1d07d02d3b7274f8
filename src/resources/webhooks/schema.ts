import { ReceiverHealth } from '../../deliveries/health-schema.ts'
import { PagedQuery } from '../../foundation/operation.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Url, Uuid } from '../../foundation/schema.ts'

const endpointStatuses = ['active', 'inactive'] as const

const Secret = Type.String({ minLength: 16, maxLength: 64, examples: ['a-secret-of-16-to-64-characters'] })
const EnabledEvents = Type.Array(Type.String({ maxLength: 200, examples: ['shipments/delivered'] }), {
  maxItems: 200,
  description: 'What it listens to: `*`, a source, `shipments/{phase}`, or one event such as `claims/created`',
})
const Description = Type.String({ maxLength: 1_000, examples: ['The warehouse'] })

export const EndpointCreation = Named(
  'WebhookEndpointCreation',
  Type.Object({
    url: Url,
    enabled_events: Maybe({ ...EnabledEvents, default: ['*'] }),
    secret: Maybe(Secret),
    description: Maybe(Description),
    status: Maybe(OneOf(endpointStatuses, { default: 'active' })),
  }),
)

export const EndpointUpdate = Named(
  'WebhookEndpointUpdate',
  Type.Object({
    url: Maybe(Url),
    enabled_events: Maybe(EnabledEvents),
    description: Maybe(Description),
    status: Maybe(OneOf(endpointStatuses)),
  }),
)

export const EndpointFilter = PagedQuery({
  uuid: Type.Optional(Uuid),
  status: Type.Optional(OneOf(endpointStatuses)),
  url: Type.Optional(Type.String({ maxLength: 2_048 })),
})
export type EndpointFilter = Static<typeof EndpointFilter>

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
    health: ReceiverHealth,
  }),
)
export type Endpoint = Static<typeof Endpoint>
