import type { Call } from '../../../platform/foundation/call.ts'
import { secondMs } from '../../../platform/foundation/clock.ts'
import { isRecord } from '../../../platform/foundation/read-json.ts'
import { eventLabel } from '../event-name.ts'
import type {
  Account,
  AdapterOptions,
  AdapterWith,
  Customer,
  IntegrationResult,
  OutgoingEvent,
  SegmentsResult,
} from '../integration.ts'
import { execute } from './graphql.ts'

/** The latest events of each fulfilment are included, to skip those already sent. */
const findFulfillments = `query findFulfillments($orderId: ID!) {
  order(id: $orderId) {
    fulfillments(first: 50) {
      id
      trackingInfo(first: 3) { number }
      events(first: 3, sortKey: HAPPENED_AT, reverse: true) { nodes { status happenedAt } }
    }
  }
}`

const createEvent = `mutation createFulfillmentEvent($fulfillmentEvent: FulfillmentEventInput!) {
  fulfillmentEventCreate(fulfillmentEvent: $fulfillmentEvent) {
    fulfillmentEvent { id status }
    userErrors { field message }
  }
}`

/** Adds an event to the Shopify fulfilment that has the parcel's tracking number. */
export function create(options: AdapterOptions = {}): AdapterWith<'check' | 'fetchSegments'> {
  return {
    async send(call, account, event) {
      const status = findStatus(event)
      if (status === undefined) return { result: 'skipped', reason: `Shopify has no fulfilment event for ${event.ref}` }
      const orderId = findOrderId(event)
      if (orderId === undefined) return { result: 'skipped', reason: 'the order has no id of Shopify' }
      const trackingNumber = normalize(event.eventData.tracking_number)
      if (trackingNumber === '') return { result: 'skipped', reason: 'the shipment has no tracking number' }

      const found = await execute(call, account, options.baseUrl, { query: findFulfillments, variables: { orderId } })
      if ('result' in found) return found
      const { order } = found.data
      if (!isRecord(order)) return { result: 'skipped', reason: 'Shopify knows no such order' }
      const fulfillment = listOf(order.fulfillments).find(({ trackingInfo }) =>
        listOf(trackingInfo).some(({ number }) => normalize(number) === trackingNumber),
      )
      if (fulfillment === undefined) {
        return { result: 'skipped', reason: 'no fulfilment of the order in Shopify has this tracking number' }
      }
      const happenedAt = timeOf(event)
      // Shopify does not deduplicate events, and e-mails the customer for each.
      if (hasEvent(fulfillment, status, happenedAt)) {
        return { result: 'delivered', status: found.response.status, body: 'was already there' }
      }

      const fulfillmentEvent = { fulfillmentId: fulfillment.id, status, happenedAt, ...detailsOf(event) }
      const created = await execute(call, account, options.baseUrl, {
        query: createEvent,
        variables: { fulfillmentEvent },
      })
      if ('result' in created) return created
      const { response, data } = created
      const payload = isRecord(data.fulfillmentEventCreate) ? data.fulfillmentEventCreate : {}
      if (listOf(payload.userErrors).length > 0 || !isRecord(payload.fulfillmentEvent)) {
        return { result: 'rejected', status: response.status, body: response.body, key: 'invalid_payload' }
      }
      return { result: 'delivered', status: response.status, body: response.body }
    },
    check: (call, account) => checkScopes(call, account, options.baseUrl),
    fetchSegments: (call, account, customer) => fetchSegments(call, account, options.baseUrl, customer),
  }
}

function hasEvent(fulfillment: Record<string, unknown>, status: FulfillmentEventStatus, happenedAt: string): boolean {
  const events = isRecord(fulfillment.events) ? listOf(fulfillment.events.nodes) : []
  return events.some(
    (event) => event.status === status && Date.parse(String(event.happenedAt)) === Date.parse(happenedAt),
  )
}

/** The external id of an order from Shopify is its Shopify id. */
function findOrderId({ eventData, payload }: OutgoingEvent): string | undefined {
  const context = isRecord(payload.context) ? payload.context : {}
  const order = isRecord(context.order) ? context.order : {}
  const id = /^(?:gid:\/\/shopify\/Order\/)?(\d+)$/.exec(String(eventData.external_order_id ?? order.external_id ?? ''))
  return id === null ? undefined : `gid://shopify/Order/${id[1]}`
}

/** The scan time in whole seconds, as Shopify stores it. */
function timeOf({ eventData, triggeredAt }: OutgoingEvent): string {
  const scanned = String(eventData.updated_at ?? '')
  const time = Date.parse(/^\d{4}-\d\d-\d\dT/.test(scanned) ? scanned : triggeredAt)
  return new Date(Math.floor(time / secondMs) * secondMs).toISOString()
}

function detailsOf({ eventGroup, eventData }: OutgoingEvent): { message: string; estimatedDeliveryAt?: string } {
  const day = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(String(eventData.expected_delivery_date ?? ''))
  return {
    message: eventLabel(eventGroup),
    // A date without a time: noon is on that date in almost every time zone.
    ...(day === null ? {} : { estimatedDeliveryAt: `${day[3]}-${day[2]}-${day[1]}T12:00:00Z` }),
  }
}

/** Carriers print numbers in groups and upper case; people type them differently. */
function normalize(number: unknown): string {
  return typeof number === 'string' ? number.replaceAll(/[\s-]/g, '').toUpperCase() : ''
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

const findScopes = `query findScopes {
  currentAppInstallation { accessScopes { handle } }
}`

/** The scopes that sending needs; a scope to write includes the one to read. */
const neededScopes = [['write_fulfillments'], ['read_orders', 'write_orders']]

/** Reads the scopes of the access token. A test event is not sent: it would be shown to the customer of a real order. */
async function checkScopes(call: Call, account: Account, baseUrl: string | undefined): Promise<IntegrationResult> {
  const found = await execute(call, account, baseUrl, { query: findScopes, variables: {} })
  if ('result' in found) return found
  const { response, data } = found
  const { status } = response
  const granted = scopesOf(data.currentAppInstallation)
  const missing = neededScopes.find((scopes) => !scopes.some((scope) => granted.has(scope)))
  if (missing === undefined) return { result: 'delivered', status, body: response.body }
  const body = `The access token lacks the scope ${missing[0]}.`
  return { result: 'rejected', status, body, key: 'partner_key_missing_permissions' }
}

function scopesOf(installation: unknown): Set<string> {
  const scopes = isRecord(installation) && Array.isArray(installation.accessScopes) ? installation.accessScopes : []
  return new Set(scopes.filter(isRecord).map(({ handle }) => String(handle)))
}

const findCustomer = `query findCustomer($identifier: CustomerIdentifierInput!) {
  customerByIdentifier(identifier: $identifier) { id }
  segments(first: 250) { nodes { id name } }
}`

const findMemberships = `query findMemberships($customerId: ID!, $segmentIds: [ID!]!) {
  customerSegmentMembership(customerId: $customerId, segmentIds: $segmentIds) {
    memberships { segmentId isMember }
  }
}`

/** The customer's segments: lists the shop's segments, then queries which of them contain the customer. */
async function fetchSegments(
  call: Call,
  account: Account,
  baseUrl: string | undefined,
  customer: Customer,
): Promise<SegmentsResult> {
  const identifier = identify(customer)
  if (identifier === undefined) {
    return { result: 'skipped', reason: 'the customer has neither an id of Shopify nor an e-mail address' }
  }
  const found = await execute(call, account, baseUrl, { query: findCustomer, variables: { identifier } })
  if ('result' in found) return found
  const { customerByIdentifier: known, segments } = found.data
  const names = new Map(nodesOf(segments).map(({ id, name }) => [String(id), String(name)]))
  if (!isRecord(known) || names.size === 0) return { result: 'found', segments: [] }

  const variables = { customerId: known.id, segmentIds: [...names.keys()] }
  const reply = await execute(call, account, baseUrl, { query: findMemberships, variables })
  if ('result' in reply) return reply
  const { customerSegmentMembership: response } = reply.data
  const memberships = isRecord(response) && Array.isArray(response.memberships) ? response.memberships : []
  const joined = memberships.filter(isRecord).filter(({ isMember }) => isMember === true)
  return { result: 'found', segments: joined.flatMap(({ segmentId }) => names.get(String(segmentId)) ?? []) }
}

function identify({ external_id: externalId, email }: Customer): Record<string, string> | undefined {
  const id = /^(?:gid:\/\/shopify\/Customer\/)?(\d+)$/.exec(externalId ?? '')
  if (id !== null) return { id: `gid://shopify/Customer/${id[1]}` }
  return email === null || email === '' ? undefined : { emailAddress: email }
}

function nodesOf(connection: unknown): Record<string, unknown>[] {
  return isRecord(connection) && Array.isArray(connection.nodes) ? connection.nodes.filter(isRecord) : []
}

/** The values of Shopify's FulfillmentEventStatus that our events map to. */
type FulfillmentEventStatus =
  | 'CONFIRMED'
  | 'CARRIER_PICKED_UP'
  | 'IN_TRANSIT'
  | 'DELAYED'
  | 'OUT_FOR_DELIVERY'
  | 'ATTEMPTED_DELIVERY'
  | 'READY_FOR_PICKUP'
  | 'DELIVERED'
  | 'FAILURE'

const byGroup: Record<string, FulfillmentEventStatus> = {
  shipment_pre_transit: 'CONFIRMED',
  shipment_in_transit: 'IN_TRANSIT',
  shipment_carrier_changed: 'IN_TRANSIT',
  shipment_carrier_delay: 'DELAYED',
  shipment_customs_action_needed: 'DELAYED',
  shipment_delayed_due_to_customer_request: 'DELAYED',
  shipment_out_for_delivery: 'OUT_FOR_DELIVERY',
  shipment_delivery_failed: 'ATTEMPTED_DELIVERY',
  shipment_delivery_failed_address_issue: 'ATTEMPTED_DELIVERY',
  shipment_delivery_failed_forwarded_to_parcel_shop: 'ATTEMPTED_DELIVERY',
  shipment_delivery_second_attempt: 'ATTEMPTED_DELIVERY',
  shipment_delivered_to_parcel_locker: 'READY_FOR_PICKUP',
  shipment_delivered_to_parcel_shop: 'READY_FOR_PICKUP',
  shipment_delivered: 'DELIVERED',
  shipment_delivered_all_events: 'DELIVERED',
  shipment_delivered_to_letterbox: 'DELIVERED',
  shipment_delivered_to_neighbour: 'DELIVERED',
  shipment_picked_up: 'DELIVERED',
  shipment_damaged: 'FAILURE',
  shipment_failed_returned: 'FAILURE',
  shipment_not_picked_up_then_returned: 'FAILURE',
  shipment_refused_then_returned: 'FAILURE',
}

/** For groups that a shop's own automations define, the phase decides. */
const byPhase: Record<string, FulfillmentEventStatus> = {
  order_processed: 'CONFIRMED',
  in_transit: 'IN_TRANSIT',
  in_delivery: 'OUT_FOR_DELIVERY',
  collect: 'READY_FOR_PICKUP',
  delivered: 'DELIVERED',
  delivery_failed: 'FAILURE',
}

/** Groups that say nothing about where the parcel is, or that Shopify knows by itself. */
const untold = new Set(['shipment_at_risk', 'shipment_internal_trigger', 'shipment_order_cancelled'])

/** Undefined if Shopify has no status for it: claims, customer returns, cancelled orders, reminders. */
function findStatus(event: OutgoingEvent): FulfillmentEventStatus | undefined {
  const { eventGroup, eventData } = event
  if (event.source !== 'shipments' || untold.has(eventGroup) || eventGroup.startsWith('return_')) return undefined
  const name = String(eventData.event_name)
  if (name === 'PICKUP_SUCCESSFUL') return 'CARRIER_PICKED_UP'
  // One group covers failed attempts and lost parcels; a lost parcel gets no other attempt.
  if (eventGroup === 'shipment_delivery_failed' && name.startsWith('SHIPMENT_')) return 'FAILURE'
  return (
    (Object.hasOwn(byGroup, eventGroup) ? byGroup[eventGroup] : undefined) ??
    (Object.hasOwn(byPhase, String(eventData.phase)) ? byPhase[String(eventData.phase)] : undefined)
  )
}
