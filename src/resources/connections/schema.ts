import { providerNames } from '../../carriers/provider.ts'
import { mailTarget } from '../../deliveries/delivery.ts'
import { checkResults } from '../../foundation/connection-check.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type } from '../../foundation/schema.ts'
import { integrationNames } from '../../marketing/integration.ts'
import { shopSystemNames } from '../../shop-systems/shop-system.ts'

const connectionStates = ['none', 'incomplete', 'connected', 'failing'] as const
export type ConnectionState = (typeof connectionStates)[number]
const State = OneOf(connectionStates, {
  description:
    'none: nothing is set; incomplete: a step is missing, such as webhooks or the first check; failing: the last check or call failed',
})

/** The sandbox needs no account. */
const providers = providerNames.filter((name) => name !== 'sandbox')
/** Shopify is a shop system here; its events use the same token. */
const marketing = integrationNames.filter((name) => name !== 'shopify')
export const connectedProviders = providers as Exclude<(typeof providers)[number], 'sandbox'>[] // the sandbox was removed
export const connectedMarketing = marketing as Exclude<(typeof marketing)[number], 'shopify'>[] // Shopify was removed
export const connectionNames = [...shopSystemNames, ...connectedProviders, ...connectedMarketing, mailTarget] as const
export type ConnectionName = (typeof connectionNames)[number]
export const connectionPath = { name: OneOf(connectionNames, { examples: ['shopify'] }) }

const Problem = Named(
  'ConnectionProblem',
  Type.Object({
    key: Type.String({ description: 'A result of the check, or an error key', examples: ['unauthorised'] }),
    message: Type.String({ examples: ['Shopify rejects the access token.'] }),
  }),
)

export const ShopSystemConnection = Named(
  'ShopSystemConnection',
  Type.Object({
    name: OneOf(shopSystemNames),
    state: State,
    has_credentials: Type.Boolean({ description: 'Whether its API can be called' }),
    store: Nullable(
      Type.Object({
        name: Nullable(Type.String({ examples: ['River & Pine'] })),
        url: Nullable(Type.String({ examples: ['https://river-and-pine.myshopify.com'] })),
        currency: Nullable(Type.String({ examples: ['EUR'] })),
      }),
    ),
    webhooks: Type.Object({
      address: Type.String({ examples: ['https://doorstep.example/v1/inbound/river-and-pine/shopify'] }),
      registered: Type.Array(Type.String({ examples: ['orders/create'] }), {
        description: 'The topics that were registered from here; Shopify only',
      }),
      missing: Type.Array(Type.String({ examples: ['orders/updated'] }), {
        description: 'For WooCommerce, the topics to choose, until its first message arrives',
      }),
    }),
    checked_at: Nullable(
      Type.String({ ...DateTime, description: 'Null if its API was not called with the current credentials' }),
    ),
    last_ping_at: Nullable(DateTime),
    last_received_at: Nullable(Type.String({ ...DateTime, description: 'To the minute' })),
    received: Type.Integer({ description: 'Orders that came from it, at most 10,000', examples: [500] }),
    problem: Nullable(Problem),
  }),
)
export type ShopSystemConnection = Static<typeof ShopSystemConnection>

const account = <const Names extends readonly string[]>(names: Names) =>
  Type.Object({ name: OneOf(names), has_credentials: Type.Boolean(), state: State })

export const Connections = Named(
  'Connections',
  Type.Object({
    shop_systems: Type.Array(ShopSystemConnection),
    providers: Type.Array(Named('ProviderConnection', account(connectedProviders))),
    marketing: Type.Array(Named('MarketingConnection', account(connectedMarketing))),
    mail: Named(
      'MailConnection',
      Type.Object({
        name: OneOf([mailTarget]),
        source: Nullable(
          OneOf(['shop', 'installation'], {
            description: "Whose mail server is used: the shop's own, or the installation's; null: there is none",
          }),
        ),
        has_credentials: Type.Boolean({ description: 'Whether the shop has a mail server of its own' }),
        state: State,
        checked_at: Nullable(DateTime),
        problem: Nullable(Problem),
      }),
    ),
  }),
)

export const ConnectionCheck = Named(
  'ConnectionCheck',
  Type.Object({
    name: OneOf(connectionNames),
    result: OneOf(checkResults, {
      description:
        'unauthorised: the credentials are wrong; missing_permissions: they are right and may not do everything; not_found: there is no such API at the address; unreachable: no response, or a failure of the other side; unexpected: a response that cannot be understood',
    }),
    status: Nullable(Type.Integer({ description: 'The HTTP status, or the code of a mail server', examples: [200] })),
    detail: Nullable(
      Type.String({ description: 'What the other side replied to a failure', examples: ['Invalid key'] }),
    ),
    facts: Type.Record(Type.String(), Type.String(), {
      description: 'What it says about the account',
      examples: [{ store_name: 'River & Pine', currency: 'EUR', plan: 'Basic' }],
    }),
    missing_permissions: Type.Array(Type.String({ examples: ['read_orders'] })),
    checked_at: DateTime,
  }),
)
export type ConnectionCheck = Static<typeof ConnectionCheck>

export const WebhookRegistrations = Named(
  'WebhookRegistrations',
  Type.Object({
    registered: Type.Array(Type.String({ examples: ['orders/create'] }), { description: 'All topics registered now' }),
    failed: Type.Array(
      Type.Object({
        topic: Type.String({ examples: ['orders/updated'] }),
        message: Type.String({ examples: ['Shopify does not allow this with the access token.'] }),
      }),
    ),
  }),
)
