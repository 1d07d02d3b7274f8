import { describedProviders } from '../../adapters/carriers/registry.ts'
import { describedIntegrations } from '../../adapters/marketing/registry.ts'
import { shopSystemNames } from '../../adapters/shop-systems/registry.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'
import { checkReasons, checkResults } from '../../platform/foundation/connection-check.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'
import { CatchUp } from '../catch-up/schema.ts'

const connectionStates = ['none', 'incomplete', 'connected', 'failing'] as const
export type ConnectionState = (typeof connectionStates)[number]
const State = OneOf(connectionStates, {
  description:
    'none: nothing is set; incomplete: a step is missing, such as webhooks or the first check; failing: the last check or call failed',
})

type Provider = (typeof describedProviders)[number]
type Integration = (typeof describedIntegrations)[number]

/** The sandbox needs no account. */
const withAccount = describedProviders.filter(({ credentials }) => credentials !== undefined)
export const connectedProviders = withAccount.map(({ name }) => name) as Exclude<
  Provider,
  { credentials: undefined }
>['name'][] // filtered alike
/** Shopify is a shop system here; its events use the same token. */
const marketing = describedIntegrations.filter(({ kind }) => kind === 'marketing')
export const connectedMarketing = marketing.map(({ name }) => name) as Extract<
  Integration,
  { kind: 'marketing' }
>['name'][] // filtered alike
export const connectionNames = [...shopSystemNames, ...connectedProviders, ...connectedMarketing, mailReceiver] as const
export type ConnectionName = (typeof connectionNames)[number]
export const connectionPath = { name: OneOf(connectionNames, { examples: ['shopify'] }) }

const Reason = Nullable(
  OneOf(checkReasons, {
    description:
      'Why, where the address is the reason. https_needed: credentials are sent by https only; redirected: the store is at another address, in the fact `use_address`; wrong_address: there is no such store at this one; no_permalinks: WordPress has plain permalinks; protected: a password, firewall or plug-in in front of the store; maintenance: the store is closed',
    examples: ['redirected'],
  }),
)

const Problem = Named(
  'ConnectionProblem',
  Type.Object({
    key: Type.String({ description: 'A result of the check, or an error key', examples: ['unauthorised'] }),
    reason: Reason,
    use_address: Nullable(
      Type.String({ description: 'The address to enter instead', examples: ['https://www.shop.example'] }),
    ),
    message: Type.String({ examples: ['Shopify rejects the access token.'] }),
  }),
)

const StoreAuthorization = Named(
  'StoreAuthorization',
  Type.Object(
    {
      state: OneOf(['waiting', 'granted', 'failed', 'expired'], {
        description: 'waiting: the merchant is to approve in the store; granted: its key is stored',
      }),
      store_url: Type.String({ examples: ['https://shop.example'] }),
      expires_at: DateTime,
      problem: Nullable(
        Type.String({
          description: 'Why the key was not stored',
          examples: ['The store redirects to another address.'],
        }),
      ),
    },
    { description: "The last request for the store's own approval, for a day; WooCommerce only" },
  ),
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
        description: 'The topics that send to this address: for Shopify those that were registered from here',
      }),
      missing: Type.Array(Type.String({ examples: ['orders/updated'] }), {
        description:
          'Topics without a webhook, as the system itself lists them. For WooCommerce without a key, the topics to choose, until its first message arrives',
      }),
      disabled: Type.Array(Type.String({ examples: ['order.updated'] }), {
        description: 'Topics whose webhook exists and does not send: the system disabled it, or somebody paused it',
      }),
      checked_at: Nullable(
        Type.String({ ...DateTime, description: 'When the system listed its webhooks last; null: never' }),
      ),
      problem: Nullable(
        Type.String({
          description: 'Why they could not be listed or repaired the last time',
          examples: ['WooCommerce does not allow this with the key. It needs the permission Read/Write.'],
        }),
      ),
      is_pending: Type.Boolean({ description: 'They are being created or renewed' }),
    }),
    authorization: Nullable(StoreAuthorization),
    checked_at: Nullable(
      Type.String({ ...DateTime, description: 'Null if its API was not called with the current credentials' }),
    ),
    last_ping_at: Nullable(DateTime),
    last_received_at: Nullable(Type.String({ ...DateTime, description: 'To the minute' })),
    received: Type.Integer({ description: 'Orders that came from it, at most 10,000', examples: [500] }),
    problem: Nullable(Problem),
    catch_up: Nullable(CatchUp),
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
        name: OneOf([mailReceiver]),
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
    reason: Reason,
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

/** The address of a store as a person types it. */
export const StoreAddress = Named(
  'WooCommerceStore',
  Type.Object({
    store_url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'The WordPress address, with the folder if it is installed in one; without a scheme it is https',
      examples: ['https://shop.example'],
    }),
  }),
)

export const GrantAuthorization = Named(
  'WooCommerceAuthorization',
  Type.Object({
    url: Type.String({
      description: 'The page of the store on which its merchant approves',
      examples: ['https://shop.example/wc-auth/v1/authorize?app_name=Doorstep&scope=read_write'],
    }),
    expires_at: DateTime,
  }),
)

/** The store's message with the key, after its merchant has approved. */
export const GrantedKey = Named(
  'WooCommerceGrant',
  Type.Object({
    key_id: Type.Optional(Type.Unknown({ examples: [7] })),
    user_id: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'The state of the authorization',
      examples: ['0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d.b6Yq0vT4mZ8cK1xW3nR7sD5fG9hJ2kL4pQ6uE8aCb6Y'],
    }),
    consumer_key: Type.String({ minLength: 16, maxLength: 128, examples: ['ck_0123456789abcdef'] }),
    consumer_secret: Type.String({ minLength: 16, maxLength: 128, examples: ['cs_0123456789abcdef'] }),
    key_permissions: Type.Optional(Type.String({ maxLength: 32, examples: ['read_write'] })),
  }),
)
export type GrantedKey = Static<typeof GrantedKey>
