import type { Failure, FakeApi, FakeResponse } from '../integration-suite.ts'
import { type Document, readDocument, type Schema, select } from './graphql-document.ts'

export const shopifyKeys = {
  right: { api_key: 'shpat_0123456789abcdef0123456789abcdef' },
  wrong: { api_key: 'shpat_ffffffffffffffffffffffffffffffff' },
  limited: { api_key: 'shpat_00000000000000000000000000000000' },
}

export interface FakeFulfillment {
  id: string
  trackingInfo: { number: string }[]
  events: { status: string; happenedAt: string }[]
}

export interface FakeShopify extends FakeApi {
  orders: Map<string, FakeFulfillment[]>
  /** All segments, and which of them the customer is in. */
  segments: { id: string; name: string; isMember: boolean }[]
  /** The scopes that were granted to the right key. */
  scopes: string[]
  /** The executed operations. */
  operations: string[]
}

/** The part of the schema of version 2026-10 that the adapter may use. */
const schema: Schema = {
  QueryRoot: {
    order: { args: { id: 'ID!' }, type: 'Order' },
    customerByIdentifier: { args: { identifier: 'CustomerIdentifierInput!' }, type: 'Customer' },
    currentAppInstallation: { type: 'AppInstallation' },
    segments: { args: { first: 'Int' }, type: 'SegmentConnection' },
    customerSegmentMembership: {
      args: { customerId: 'ID!', segmentIds: '[ID!]!' },
      type: 'SegmentMembershipResponse',
    },
  },
  Mutation: {
    fulfillmentEventCreate: {
      args: { fulfillmentEvent: 'FulfillmentEventInput!' },
      type: 'FulfillmentEventCreatePayload',
    },
  },
  Order: { id: {}, name: {}, fulfillments: { args: { first: 'Int' }, type: 'Fulfillment' } },
  Fulfillment: {
    id: {},
    trackingInfo: { args: { first: 'Int' }, type: 'FulfillmentTrackingInfo' },
    events: {
      args: { first: 'Int', sortKey: 'FulfillmentEventSortKeys', reverse: 'Boolean' },
      type: 'FulfillmentEventConnection',
    },
  },
  FulfillmentTrackingInfo: { company: {}, number: {}, url: {} },
  FulfillmentEventConnection: { nodes: { type: 'FulfillmentEvent' } },
  FulfillmentEvent: { id: {}, status: {}, happenedAt: {}, message: {}, estimatedDeliveryAt: {} },
  FulfillmentEventCreatePayload: { fulfillmentEvent: { type: 'FulfillmentEvent' }, userErrors: { type: 'UserError' } },
  UserError: { field: {}, message: {} },
  AppInstallation: { id: {}, accessScopes: { type: 'AccessScope' } },
  AccessScope: { handle: {}, description: {} },
  Customer: { id: {} },
  SegmentConnection: { nodes: { type: 'Segment' } },
  Segment: { id: {}, name: {} },
  SegmentMembershipResponse: { memberships: { type: 'SegmentMembership' } },
  SegmentMembership: { segmentId: {}, isMember: {} },
}

const statuses = [
  'ATTEMPTED_DELIVERY',
  'CARRIER_PICKED_UP',
  'CONFIRMED',
  'DELAYED',
  'DELIVERED',
  'FAILURE',
  'IN_TRANSIT',
  'LABEL_PRINTED',
  'LABEL_PURCHASED',
  'OUT_FOR_DELIVERY',
  'READY_FOR_PICKUP',
]

const customerId = 'gid://shopify/Customer/9001'

/** The GraphQL Admin API of one shop, with the fulfilments of its orders and one customer. */
export function createFakeShopify(orders: Record<string, FakeFulfillment[]>, email: string): FakeShopify {
  function createEvent(given: Record<string, unknown>, failure: Failure | undefined): unknown {
    const { fulfillmentId, status, happenedAt, message, estimatedDeliveryAt, ...unknown } = given
    if (Object.keys(unknown).length > 0) throw new Error(`FulfillmentEventInput has no ${Object.keys(unknown)}`)
    if (!statuses.includes(String(status))) throw new Error(`${status} is no FulfillmentEventStatus`)
    for (const time of [happenedAt, estimatedDeliveryAt ?? happenedAt]) {
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(time))) throw new Error(`${time} is no DateTime`)
    }
    const fulfillment = [...fake.orders.values()].flat().find(({ id }) => id === fulfillmentId)
    if (fulfillment === undefined || failure === 'badRequest') {
      const userErrors = [{ field: ['fulfillmentEvent', 'fulfillmentId'], message: 'Fulfillment does not exist.' }]
      return { fulfillmentEvent: null, userErrors }
    }
    const time = new Date(String(happenedAt)).toISOString()
    // Stored and returned in whole seconds.
    fulfillment.events.unshift({ status: String(status), happenedAt: time.replace(/\.\d+Z$/, 'Z') })
    fake.events.push({
      id: `${status} ${time}`,
      name: String(status),
      time,
      identifiers: { fulfillment: String(fulfillmentId) },
      properties: { message, ...(estimatedDeliveryAt === undefined ? {} : { estimatedDeliveryAt }) },
    })
    return { fulfillmentEvent: { id: `gid://shopify/FulfillmentEvent/${fake.events.length}`, status }, userErrors: [] }
  }

  function resolve(field: string, args: Record<string, unknown>, failure: Failure | undefined): unknown {
    if (field === 'fulfillmentEventCreate')
      return createEvent(args.fulfillmentEvent as Record<string, unknown>, failure) // an input object
    if (field === 'currentAppInstallation') return { accessScopes: fake.scopes.map((handle) => ({ handle })) }
    if (field === 'segments') return { nodes: fake.segments }
    if (field === 'customerByIdentifier') {
      const { id, emailAddress } = args.identifier as Record<string, string> // an input object of texts
      return id === customerId || emailAddress === email ? { id: customerId } : null
    }
    if (field === 'customerSegmentMembership') {
      const found = fake.segments.filter(
        ({ id }) => args.customerId === customerId && (args.segmentIds as string[]).includes(id),
      ) // ids
      return { memberships: found.map(({ id, isMember }) => ({ segmentId: id, isMember })) }
    }
    const fulfillments = fake.orders.get(String(args.id))
    return fulfillments
      ? {
          id: args.id,
          fulfillments: fulfillments.map((one) => ({ ...one, events: { nodes: one.events.slice(0, 3) } })),
        }
      : null
  }

  function run({ selections }: Document, failure: Failure | undefined): FakeResponse {
    const entries = selections.map(({ field, args, selections: inner }) => {
      fake.operations.push(field)
      return [field, select(resolve(field, args, failure), inner)]
    })
    return json(200, { data: Object.fromEntries(entries), extensions: costOf(12, 1_988) })
  }

  const fake: FakeShopify = {
    events: [],
    orders: new Map(Object.entries(orders)),
    segments: [
      { id: 'gid://shopify/Segment/1', name: 'Bought twice', isMember: true },
      { id: 'gid://shopify/Segment/2', name: 'Abroad', isMember: false },
      { id: 'gid://shopify/Segment/3', name: 'Newsletter', isMember: true },
    ],
    scopes: ['read_customers', 'write_fulfillments', 'write_orders'],
    operations: [],
    respond({ method, path, headers, body }, failure) {
      if (method !== 'POST' || path !== '/admin/api/2026-10/graphql.json') return json(404, { errors: 'Not Found' })
      const key = headers['x-shopify-access-token']
      if (key !== shopifyKeys.right.api_key && key !== shopifyKeys.limited.api_key) {
        return json(401, { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' })
      }
      if (headers['content-type'] !== 'application/json') return json(415, { errors: 'Unsupported Media Type' })
      if (failure !== undefined && failure !== 'badRequest') return fail(failure)
      const { query, variables } = JSON.parse(body)
      try {
        const document = readDocument(query, schema, variables)
        // Every token may read its own scopes.
        const isOpen = document.selections.every(({ field }) => field === 'currentAppInstallation')
        if (key === shopifyKeys.limited.api_key) return isOpen ? ownScopes(['read_products']) : deny(document)
        return run(document, failure)
      } catch (error) {
        return json(200, { errors: [{ message: String(error), extensions: { code: 'argumentLiteralsIncompatible' } }] })
      }
    },
  }
  return fake
}

function ownScopes(scopes: string[]): FakeResponse {
  const accessScopes = scopes.map((handle) => ({ handle }))
  return json(200, { data: { currentAppInstallation: { accessScopes } }, extensions: costOf(2, 1_998) })
}

function deny({ selections }: Document): FakeResponse {
  const errors = selections.map(({ field }) => ({
    message: `Access denied for ${field} field. Required access: \`write_fulfillments\` access scope.`,
    path: [field],
    extensions: { code: 'ACCESS_DENIED', documentation: 'https://shopify.dev/api/usage/access-scopes' },
  }))
  const data = Object.fromEntries(selections.map(({ field }) => [field, null]))
  return json(200, { data, errors, extensions: costOf(12, 1_988) })
}

function fail(failure: Exclude<Failure, 'badRequest'>): FakeResponse {
  if (failure === 'malformed') return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"data":' }
  if (failure === 'serverError') {
    const extensions = { code: 'INTERNAL_SERVER_ERROR', requestId: '3221c58f-3446-4843-a452-a517787121c6' }
    return json(200, {
      errors: [{ message: 'Internal error. Looks like something went wrong on our end.', extensions }],
    })
  }
  const errors = [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }]
  return json(200, { errors, extensions: costOf(452, 52) })
}

function costOf(requestedQueryCost: number, currentlyAvailable: number) {
  const throttleStatus = { maximumAvailable: 2_000, currentlyAvailable, restoreRate: 100 }
  return { cost: { requestedQueryCost, actualQueryCost: null, throttleStatus } }
}

function json(status: number, body: unknown): FakeResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
