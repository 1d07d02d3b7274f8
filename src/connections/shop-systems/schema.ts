import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'

/** The webhook types that can be registered, with Shopify's topic for each. */
export const topics = {
  'order-creation': 'orders/create',
  'order-fulfillment': 'orders/fulfilled',
  'order-partial-fulfillment': 'orders/partially_fulfilled',
  'order-update': 'orders/updated',
  'order-paid': 'orders/paid',
  'order-cancelled': 'orders/cancelled',
  'order-deletion': 'orders/delete',
  'order-fulfillment-update': 'fulfillments/update',
  'order-fulfillment-event': 'fulfillment_events/create',
  'product-creation': 'products/create',
  'product-update': 'products/update',
  'product-deletion': 'products/delete',
} as const
export type WebhookTypeName = keyof typeof topics

export const WebhookType = OneOf(
  Object.keys(topics) as WebhookTypeName[], // its own keys
  { examples: ['order-creation'], 'x-spelling': 'hyphens' },
)

export const RegistrationCreation = Named('ShopSystemWebhookCreation', Type.Object({ webhook_type: WebhookType }))

export const Registration = Named(
  'ShopSystemWebhook',
  Type.Object({
    webhook_type: WebhookType,
    created_at: DateTime,
    updated_at: DateTime,
    uuid: Uuid,
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    name: Type.String({ examples: ['Order creation'] }),
    shopify_id: Type.Union([Type.Integer({ examples: [1_122_334_455] }), Type.String({ pattern: '^[0-9]{16,}$' })], {
      description: "Shopify's id; as text if it exceeds 2^53",
    }),
    topic: Type.String({ examples: ['orders/create'] }),
    hook_url: Type.String({ examples: ['https://doorstep.example/v1/inbound/river-and-pine/shopify'] }),
    fields: Type.Array(Type.String({ examples: ['id'] }), { description: 'The fields that are sent; empty: all' }),
  }),
)
export type Registration = Static<typeof Registration>

export const WebhookConfigRotation = Named(
  'WebhookConfigRotation',
  Type.Object({
    former_valid_hours: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 720,
        default: 24,
        description: 'How long the former secret is accepted. 0 after a leak: not at all.',
      }),
    ),
  }),
)

export const WebhookConfig = Named(
  'WebhookConfig',
  Type.Object({ webhook_secret: Type.String({ examples: ['b6Yq0vT4mZ8cK1xW3nR7sD5fG9hJ2kL4pQ6uE8aC'] }) }),
)

export const WebhookSecretUpdate = Named(
  'WebhookSecretUpdate',
  Type.Object({
    webhook_secret: Nullable(
      Type.String({
        minLength: 16,
        maxLength: 128,
        description: "The client secret of the app that Shopify signs with, or the store's own signing key; null: none",
        examples: ['shpss_0123456789abcdef0123456789abcdef'],
      }),
    ),
  }),
)

/** The end of the description of every inbound webhook. */
export const appliedMessages =
  'Orders, their parcels, cancellations and products are stored; messages may arrive in any sequence and more than once. Other topics get a 200 and change nothing.'
