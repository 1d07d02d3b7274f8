import type { StoredClaimDetails } from '../claims/claims/rules.ts'
import type { Claim, ClaimItem } from '../claims/claims/schema.ts'
import type { Order } from '../orders/orders/schema.ts'
import {
  addressWithoutCustomer,
  analyticsWithoutCustomer,
  pick,
  productsWithoutCustomer,
} from '../orders/orders/without-customer.ts'
import type { Tracking } from '../orders/shipments/schema.ts'
import { isPrivate, shopIdIn } from '../shops/images/rules.ts'
import { type ImageType, isImageKey } from '../shops/images/schema.ts'
import type { Payload, SharedTracking } from '../webhooks/payloads/payload.ts'

/** A claim without what the customer wrote, photographed and signed. */
export function erasedClaim(details: StoredClaimDetails): StoredClaimDetails {
  return {
    customer_signature_image_url: null,
    selected_items: details.selected_items.map(erasedItem),
    damaged_product_items: details.damaged_product_items.map(erasedItem),
    image_urls: [],
    optional_image_urls: [],
    dropoff_permission: null,
    step_user_input: null,
  }
}

function erasedItem(item: ClaimItem): ClaimItem {
  return { ...item, image_urls: [] }
}

/** A pick-up point reduced to its type. */
export function erasedPickup(pickup: unknown): Tracking['pickup'] {
  if (typeof pickup !== 'object' || pickup === null) return null
  const { type } = pickup as NonNullable<Tracking['pickup']> // stored only in this shape
  return { type, name: null, address: null, url: null, opening_hours: null, date_to: null }
}

/** The fields of `event_data` that identify no one. */
const storedEventFields = [
  'shipment_id',
  'carrier_reference',
  'event_name',
  'phase',
  'tracking_number',
  'updated_at',
  'created_at',
  'event_group',
  'order_number',
  'trigger_name',
  'order_name',
  'total_order_value',
  'order_currency',
  'external_order_id',
  'customer_country',
  'expected_delivery_date',
  'number_of_shipments',
  'claim_id',
  'kind',
  'resolution_preference',
  'reason',
  'status',
]

/** A payload in the same shape without the customer, so that it can still be sent, resent and displayed. */
export function erasedPayload(payload: Payload): Payload & { erased: true } {
  const { order, shipments, claims } = payload.context
  return {
    ...payload,
    event_data: erasedEventData(payload.event_data),
    context: {
      order: erasedOrder(order),
      customer: { external_id: null, email: null, first_name: null, last_name: null, full_name: null, phone: null },
      shipments: shipments.map(erasedTracking),
      claims: claims.map(
        (claim): Claim => ({
          ...claim,
          ...erasedClaim({ ...claim }),
          description: null,
          reply: null,
          address: null,
          withdrawal: erasedStatement(claim.withdrawal),
        }),
      ),
    },
    erased: true,
  }
}

/** Variables that every event of their kind has stay, without a value. */
function erasedEventData(data: Record<string, unknown>): Record<string, unknown> {
  const isClaim = 'claim_id' in data
  const claim = data as Partial<Pick<Claim, 'selected_items' | 'withdrawal'>> // older payloads have less
  const emptied = isClaim
    ? {
        description: null,
        reply: null,
        customer_signature_image_url: null,
        selected_items: (claim.selected_items ?? []).map(erasedItem),
        image_urls: [],
        optional_image_urls: [],
        withdrawal: erasedStatement(claim.withdrawal ?? null),
      }
    : { tracking_url: null }
  return { ...pick(emptied, Object.keys(data)), ...pick(data, storedEventFields) }
}

function erasedStatement(statement: Claim['withdrawal']): Claim['withdrawal'] {
  return statement && { ...statement, name: null, contact_email: null, text: null }
}

function erasedOrder(order: Omit<Order, 'trackings'>): Omit<Order, 'trackings'> {
  return {
    ...order,
    products: productsWithoutCustomer(order.products),
    email_id: null,
    address: addressWithoutCustomer(order.address),
    segments: [],
    external_customer_id: null,
    order_status_url: null,
    preferred_delivery_date: null,
    user_agent: null,
    order_analytics: analyticsWithoutCustomer(order.order_analytics),
  }
}

function erasedTracking(shipment: SharedTracking): SharedTracking {
  return {
    ...shipment,
    products: productsWithoutCustomer(shipment.products),
    carrier: { ...shipment.carrier, tracking_url: null },
    pickup: erasedPickup(shipment.pickup),
    proof_of_delivery: null,
    events: shipment.events.map((event) => ({
      ...event,
      location: addressWithoutCustomer(event.location) ?? {},
      additional_info: {},
    })),
  }
}

const addressPattern = /\/v1\/images\/([^/?#]+)/

/**
 * The keys of this shop's private images in a claim. The host of a URL is ignored, because the service may have been
 * reachable under another name; the key contains the shop.
 */
export function imageKeysIn(details: StoredClaimDetails, shopId: string): string[] {
  const items = [...details.selected_items, ...details.damaged_product_items]
  const urls = [
    ...details.image_urls,
    ...details.optional_image_urls,
    ...items.flatMap(({ image_urls }) => image_urls),
    ...(details.customer_signature_image_url === null ? [] : [details.customer_signature_image_url]),
  ]
  const keys = urls.map((url) => addressPattern.exec(url)?.[1] ?? '').filter(isImageKey)
  const own = keys.filter((key) => {
    const imageType = key.slice(0, key.indexOf('-')) as ImageType // the pattern allows only these
    return shopIdIn(key) === shopId && isPrivate(imageType)
  })
  return [...new Set(own)]
}
