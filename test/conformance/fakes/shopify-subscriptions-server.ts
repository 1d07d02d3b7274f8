import { type Received, type Receiver, startReceiver } from '../../harness/receiver.ts'
import { readDocument, type Schema, select } from './graphql-document.ts'

/** The part of the schema of version 2026-10 that registering webhooks may use. */
const schema: Schema = {
  QueryRoot: {
    webhookSubscriptions: {
      args: { first: 'Int', topics: '[WebhookSubscriptionTopic!]', uri: 'String' },
      type: 'WebhookSubscriptionConnection',
    },
    shop: { type: 'Shop' },
    currentAppInstallation: { type: 'AppInstallation' },
  },
  Shop: { name: {}, myshopifyDomain: {}, currencyCode: {}, plan: { type: 'ShopPlan' } },
  ShopPlan: { displayName: {} },
  AppInstallation: { accessScopes: { type: 'AccessScope' } },
  AccessScope: { handle: {} },
  Mutation: {
    webhookSubscriptionCreate: {
      args: { topic: 'WebhookSubscriptionTopic!', webhookSubscription: 'WebhookSubscriptionInput!' },
      type: 'WebhookSubscriptionCreatePayload',
    },
    webhookSubscriptionDelete: { args: { id: 'ID!' }, type: 'WebhookSubscriptionDeletePayload' },
  },
  WebhookSubscriptionConnection: { nodes: { type: 'WebhookSubscription' } },
  WebhookSubscription: { id: {}, includeFields: {}, legacyResourceId: {}, topic: {}, uri: {} },
  WebhookSubscriptionCreatePayload: {
    webhookSubscription: { type: 'WebhookSubscription' },
    userErrors: { type: 'UserError' },
  },
  WebhookSubscriptionDeletePayload: { deletedWebhookSubscriptionId: {}, userErrors: { type: 'UserError' } },
  UserError: { field: {}, message: {} },
}

const topics = [
  'ORDERS_CREATE',
  'ORDERS_FULFILLED',
  'ORDERS_PARTIALLY_FULFILLED',
  'ORDERS_UPDATED',
  'ORDERS_PAID',
  'ORDERS_CANCELLED',
  'ORDERS_DELETE',
  'FULFILLMENTS_UPDATE',
  'FULFILLMENT_EVENTS_CREATE',
  'PRODUCTS_CREATE',
  'PRODUCTS_UPDATE',
  'PRODUCTS_DELETE',
]

export interface FakeSubscriptions {
  url: string
  received: Received[]
  /** By topic. */
  subscriptions: Map<string, { id: string; uri: string; topic: string; includeFields: string[] }>
  /** Responses to the next requests; undefined: as Shopify would respond. */
  failure: { status: number; body: unknown; headers?: Record<string, string> } | undefined
  /** Shopify does not; for a service without a certificate. */
  acceptsHttp: boolean
  /** The rights of the access token. */
  scopes: string[]
  /** Responds to requests of the REST API. */
  rest: ((url: URL) => { status: number; body: string; headers?: Record<string, string> } | undefined) | undefined
  close(): Promise<void>
}

export const accessToken = 'shpat_0123456789abcdef0123456789abcdef'

/** The webhook subscriptions of one shop, as its GraphQL Admin API has them. */
export async function startShopifySubscriptions(): Promise<FakeSubscriptions> {
  const receiver: Receiver = await startReceiver()
  let made = 0

  function create(topic: string, input: Record<string, unknown>): unknown {
    const { uri, format, ...unknown } = input
    if (Object.keys(unknown).length > 0 || format !== 'JSON') throw new Error('WebhookSubscriptionInput is wrong')
    if (!topics.includes(topic)) throw new Error(`${topic} is no WebhookSubscriptionTopic`)
    const problem = (message: string) => ({
      webhookSubscription: null,
      userErrors: [{ field: ['webhookSubscription', 'callbackUrl'], message }],
    })
    if (!fake.acceptsHttp && !String(uri).startsWith('https://'))
      return problem('Address protocol http:// is not supported')
    if (fake.subscriptions.get(topic)?.uri === uri) return problem('Address for this topic has already been taken')
    made += 1
    const id = `gid://shopify/WebhookSubscription/${1_122_334_400_000 + made}`
    const subscription = { id, uri: String(uri), topic, includeFields: [] }
    fake.subscriptions.set(topic, subscription)
    return { webhookSubscription: subscription, userErrors: [] }
  }

  function remove(id: unknown): unknown {
    const found = [...fake.subscriptions.values()].find((subscription) => subscription.id === id)
    if (found === undefined) {
      const message = 'Webhook subscription does not exist'
      return { deletedWebhookSubscriptionId: null, userErrors: [{ field: ['id'], message }] }
    }
    fake.subscriptions.delete(found.topic)
    return { deletedWebhookSubscriptionId: id, userErrors: [] }
  }

  function resolve(field: string, args: Record<string, unknown>): unknown {
    if (field === 'webhookSubscriptionCreate') {
      return create(String(args.topic), args.webhookSubscription as Record<string, unknown>) // an input object
    }
    if (field === 'webhookSubscriptionDelete') return remove(args.id)
    if (field === 'shop') {
      const plan = { displayName: 'Basic' }
      return { name: 'River & Pine', myshopifyDomain: 'river-and-pine.myshopify.com', currencyCode: 'EUR', plan }
    }
    if (field === 'currentAppInstallation') return { accessScopes: fake.scopes.map((handle) => ({ handle })) }
    const wanted = args.topics as string[] | undefined // a list of topics
    const nodes = [...fake.subscriptions.values()].filter(
      ({ topic, uri }) => (wanted?.includes(topic) ?? true) && uri === args.uri,
    )
    return { nodes }
  }

  receiver.respond = ({ path, headers, body }) => {
    if (fake.failure) {
      const text = typeof fake.failure.body === 'string' ? fake.failure.body : JSON.stringify(fake.failure.body)
      return { status: fake.failure.status, body: text, headers: fake.failure.headers ?? {} }
    }
    const isAllowed = headers['x-shopify-access-token'] === accessToken
    const found = isAllowed ? fake.rest?.(new URL(path, 'http://shopify')) : undefined
    if (found) return found
    if (isAllowed === false) return { status: 401, body: '{"errors":"[API] Invalid API key or access token"}' }
    if (path !== '/admin/api/2026-10/graphql.json') return { status: 404, body: '{"errors":"Not Found"}' }
    const { selections } = readDocument(body.query, schema, body.variables)
    const data = selections.map(({ field, args, selections: inner }) => [field, select(resolve(field, args), inner)])
    return { status: 200, body: JSON.stringify({ data: Object.fromEntries(data) }) }
  }

  const fake: FakeSubscriptions = {
    url: receiver.url,
    received: receiver.received,
    subscriptions: new Map(),
    failure: undefined,
    acceptsHttp: false,
    scopes: ['read_orders', 'read_fulfillments', 'read_products'],
    rest: undefined,
    close: receiver.close,
  }
  return fake
}
