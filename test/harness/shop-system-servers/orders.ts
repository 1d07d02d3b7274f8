import { type Payload, payload } from '../shop-systems.ts'

const hourMs = 3_600_000

/** The journeys of generated orders, in turn. */
export type Journey = 'delivered' | 'in transit' | 'unsent' | 'cancelled'

/** Most orders of a shop have arrived. */
const journeys: Journey[] = ['delivered', 'delivered', 'in transit', 'delivered', 'unsent', 'delivered', 'cancelled']

export function journeyOf(index: number): Journey {
  return journeys[index % journeys.length] ?? 'delivered'
}

export function trackingNumberOf(index: number): string {
  return `0034043416${String(index).padStart(10, '0')}`
}

/** Two orders per moment, spread evenly over the days before `now`, oldest first. */
function placedAt(index: number, count: number, days: number, now: Date): Date {
  const step = (days * 24 * hourMs) / (count + 2)
  const pair = index - (index % 2)
  return new Date(Math.floor((now.getTime() - (count - pair + 1) * step) / 1_000) * 1_000)
}

export interface OrderHistory {
  count: number
  days: number
  now: Date
}

/** Orders in the shape of Shopify's REST API, which is that of its webhooks. */
export function shopifyOrders({ count, days, now }: OrderHistory): Payload[] {
  return Array.from({ length: count }, (_, index) => {
    const journey = journeyOf(index)
    const placed = placedAt(index, count, days, now)
    const id = 5_550_000_000_001 + index
    const isSent = journey === 'delivered' || journey === 'in transit'
    const order = payload('shopify-order', {
      id,
      admin_graphql_api_id: `gid://shopify/Order/${id}`,
      name: `#${1_001 + index}`,
      number: index + 1,
      order_number: 1_001 + index,
      email: `customer-${index}@example.com`,
      created_at: placed.toISOString(),
      processed_at: placed.toISOString(),
      updated_at: later(placed, 72, now).toISOString(),
      cancelled_at: journey === 'cancelled' ? later(placed, 5, now).toISOString() : null,
      fulfillment_status: isSent ? 'fulfilled' : null,
    })
    if (isSent) order.fulfillments = [shopifyFulfilment(order, index, journey, { placed, now })]
    return order
  })
}

function shopifyFulfilment(
  order: Payload,
  index: number,
  journey: Journey,
  { placed, now }: { placed: Date; now: Date },
): Payload {
  const id = 4_440_000_000_001 + index
  return {
    id,
    admin_graphql_api_id: `gid://shopify/Fulfillment/${id}`,
    order_id: order.id,
    status: 'success',
    created_at: later(placed, 20, now).toISOString(),
    updated_at: later(placed, 70, now).toISOString(),
    tracking_company: 'DHL',
    tracking_number: trackingNumberOf(index),
    tracking_numbers: [trackingNumberOf(index)],
    tracking_url: null,
    tracking_urls: [],
    shipment_status: journey === 'delivered' ? 'delivered' : 'in_transit',
    line_items: order.line_items,
  }
}

/** Orders in the shape of WooCommerce's REST API, with the meta field of a widely used tracking plug-in. */
export function wooCommerceOrders({ count, days, now }: OrderHistory): Payload[] {
  return Array.from({ length: count }, (_, index) => {
    const journey = journeyOf(index)
    const placed = placedAt(index, count, days, now)
    const isSent = journey === 'delivered' || journey === 'in transit'
    const statuses: Record<Journey, string> = {
      delivered: 'completed',
      'in transit': 'completed',
      unsent: 'processing',
      cancelled: 'cancelled',
    }
    const gmt = (time: Date) => time.toISOString().slice(0, 19)
    const order = payload('woocommerce-order', {
      id: 700 + index,
      number: `W-${700 + index}`,
      status: statuses[journey],
      date_created_gmt: gmt(placed),
      date_modified_gmt: gmt(later(placed, 72, now)),
      date_paid_gmt: gmt(placed),
    })
    order.billing = { ...order.billing, email: `customer-${index}@example.com` }
    const shipped = Math.floor(later(placed, 20, now).getTime() / 1_000)
    const tracking = {
      tracking_provider: 'dhl',
      tracking_number: trackingNumberOf(index),
      date_shipped: String(shipped),
    }
    order.meta_data = isSent ? [{ id: 1, key: '_wc_shipment_tracking_items', value: [tracking] }] : []
    return order
  })
}

/** Orders in the shape of Shopware's Admin API, with all associations. */
export function shopwareOrders({ count, days, now }: OrderHistory): Payload[] {
  return Array.from({ length: count }, (_, index) => {
    const journey = journeyOf(index)
    const placed = placedAt(index, count, days, now)
    const isSent = journey === 'delivered' || journey === 'in transit'
    const order: Payload = structuredClone(payload('shopware-order').data.payload.order)
    const number = String(index).padStart(8, '0')
    Object.assign(order, {
      id: `6e96bb30203e4355b6a10cae${number}`,
      orderNumber: String(10_001 + index),
      orderDateTime: placed.toISOString().replace('Z', '+00:00'),
      createdAt: placed.toISOString().replace('Z', '+00:00'),
      updatedAt: later(placed, 72, now).toISOString().replace('Z', '+00:00'),
      stateMachineState: { technicalName: journey === 'cancelled' ? 'cancelled' : isSent ? 'completed' : 'open' },
    })
    order.orderCustomer.email = `customer-${index}@example.com`
    const [delivery] = order.deliveries
    delivery.id = `2f41a90c2fe943f6829cab2e${number}`
    delivery.createdAt = order.createdAt
    delivery.updatedAt = isSent ? later(placed, 20, now).toISOString().replace('Z', '+00:00') : null
    delivery.trackingCodes = isSent ? [trackingNumberOf(index)] : []
    delivery.stateMachineState = { technicalName: isSent ? 'shipped' : 'open' }
    return order
  })
}

function later(time: Date, hours: number, now: Date): Date {
  return new Date(Math.min(time.getTime() + hours * hourMs, now.getTime() - 60_000))
}
