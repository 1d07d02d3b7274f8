import { secondMs } from '../../../platform/foundation/clock.ts'
import { isRecord } from '../../../platform/foundation/read-json.ts'
import { eventLabel } from '../event-name.ts'
import type { AdapterOptions, AdapterWith, OutgoingEvent } from '../integration.ts'
import { execute } from './graphql.ts'
import { checkScopes } from './scopes.ts'
import { fetchSegments } from './segments.ts'
import { type FulfillmentEventStatus, findStatus } from './status.ts'

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
