import type { Claim } from '../../claims/claims/schema.ts'
import type { Order } from '../../orders/orders/schema.ts'
import type { Tracking } from '../../orders/shipments/schema.ts'
import { findMeaning } from '../../platform/catalogue/catalogue.ts'
import type { ClaimEventData, ShipmentEventData } from './event-data-schema.ts'

/** The variables of a shipment event, for message templates. Variables without a value are omitted. */
export function shipmentEventData(
  event: { eventName: string; eventGroup: string; triggerName?: string | undefined },
  order: Order,
  shipment: Tracking,
  updatedAt: string,
): ShipmentEventData {
  const phase = findMeaning(event.eventName)?.phase ?? shipment.phase
  const { firstName, lastName } = splitName(order.address?.name)
  const sameDirection = order.trackings.filter(({ direction }) => direction === shipment.direction)
  const others = sameDirection
    .filter(({ id }) => id !== shipment.id)
    .flatMap(({ carrier }) => carrier.tracking_number ?? [])
  const pickup = shipment.pickup
  return {
    shipment_id: shipment.id,
    carrier_reference: shipment.carrier.carrier_reference,
    event_name: event.eventName,
    phase,
    tracking_number: shipment.carrier.tracking_number,
    tracking_url: shipment.carrier.tracking_url,
    updated_at: updatedAt,
    event_group: event.eventGroup,
    order_number: order.order_number,
    ...withoutMissing({
      trigger_name: event.triggerName,
      order_name: order.order_name,
      zip_code: order.address?.zip_code,
      shipping_address: order.address,
      total_order_value: order.total_order_price,
      order_currency: order.currency,
      order_status_url: order.order_status_url,
      external_customer_id: order.external_customer_id,
      external_order_id: order.external_id,
      preferred_delivery_date: formatDay(order.preferred_delivery_date?.start),
      customer_first_name: firstName,
      customer_last_name: lastName,
      customer_country: order.address?.country_code ?? order.address?.country,
      expected_delivery_date: formatDay(shipment.estimated_arrival?.to),
      pick_up_address: pickup && pickup.type !== 'neighbor' ? formatAddress(pickup.name, pickup.address) : undefined,
      pick_up_until: formatDay(pickup?.date_to),
      neighbour_name: pickup?.type === 'neighbor' ? pickup.name : undefined,
      requested_delivery_date: formatDay(order.preferred_delivery_date?.end),
      number_of_shipments: sameDirection.length,
      other_tracking_numbers: phase === 'in_transit' && others.length > 0 ? others : undefined,
    }),
  }
}

/** The variables of a claim event. */
export function claimEventData(
  { eventName, eventGroup }: { eventName: string; eventGroup: string },
  claim: Claim,
): ClaimEventData {
  return {
    claim_id: claim.uuid,
    event_name: eventName === 'CLAIM_CREATED' ? 'created' : 'updated',
    created_at: claim.created_at,
    updated_at: claim.updated_at,
    event_group: eventGroup,
    resolution_preference: claim.resolution_preference,
    kind: claim.kind,
    withdrawal: claim.withdrawal,
    reason: claim.reason,
    status: claim.status,
    description: claim.description,
    reply: claim.reply,
    customer_signature_image_url: claim.customer_signature_image_url,
    selected_items: claim.selected_items,
    image_urls: claim.image_urls,
    optional_image_urls: claim.optional_image_urls,
  }
}

/** The customer of an order. */
export function toCustomer(order: Order) {
  const { firstName, lastName } = splitName(order.address?.name)
  return {
    external_id: order.external_customer_id,
    email: order.email_id,
    first_name: firstName ?? null,
    last_name: lastName ?? null,
    full_name: order.address?.name ?? null,
    phone: order.address?.phone ?? null,
  }
}

/** The last word is the last name, the others are first names. A single word is a first name. */
function splitName(name: string | null | undefined): { firstName?: string; lastName?: string } {
  const words = (name ?? '').trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return {}
  if (words.length === 1) return { firstName: words[0] }
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) }
}

/** The date of an ISO 8601 text as 05.11.2026. */
function formatDay(text: string | null | undefined): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(text ?? '')
  return match ? `${match[3]}.${match[2]}.${match[1]}` : undefined
}

type PickupAddress = NonNullable<NonNullable<Tracking['pickup']>['address']>

function formatAddress(name: string | null, address: PickupAddress | null): string | undefined {
  const parts = [
    name,
    address?.street ?? address?.address_line_1,
    [address?.zip_code, address?.city].filter(Boolean).join(' '),
  ]
  return parts.filter(Boolean).join(', ') || undefined
}

function withoutMissing<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const present: { [Name in keyof Fields]?: NonNullable<Fields[Name]> } = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined && value !== null) present[name] = value
  }
  return present
}
