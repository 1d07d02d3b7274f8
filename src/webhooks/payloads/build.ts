import { imageExpiryInPayload } from '../../claims/claims/images.ts'
import { toClaim } from '../../claims/claims/present.ts'
import type { Claim } from '../../claims/claims/schema.ts'
import type { BuiltPayload, PayloadBuilder } from '../../delivery/receivers/payload-builder.ts'
import type { RecordedEvent } from '../../delivery/receivers/recorded-event.ts'
import { toOrder } from '../../orders/orders/present.ts'
import type { Order } from '../../orders/orders/schema.ts'
import { pageAddress } from '../../orders/page-addresses/page-token.ts'
import type { Context, ShopIdentity } from '../../platform/foundation/context.ts'
import { isSameAddress } from '../../platform/foundation/mail-address.ts'
import { claimEventData, shipmentEventData } from './event-data.ts'
import { findOrdersOfShops, type OrderOfShop } from './orders-store.ts'
import { type Payload, toPayload } from './payload.ts'

/** Builds each payload from the order as the current transaction has written it. */
export const payloadBuilder: PayloadBuilder = {
  async build(context, events) {
    const stored = await findOrdersOfShops(context, events)
    const orders = new Map([...stored].map(([id, order]) => [id, presentOrder(context, order)]))
    return events.map((event) => {
      const order = orders.get(event.orderId)
      return order && buildPayload(event, order)
    })
  },
}

/** An order in the form that receivers get. */
interface PresentedOrder {
  shop: ShopIdentity
  order: Order
  claims: Claim[]
  stored: OrderOfShop
}

function presentOrder(context: Context, stored: OrderOfShop): PresentedOrder {
  const { shop } = stored
  const viewing = { services: context.services, shop, imagesUntil: imageExpiryInPayload(context.now) }
  const order = toOrder({ shop, acceptLanguage: undefined }, stored)
  // If the shop has no page of its own for the order, the payload links to ours.
  order.order_status_url ??= pageAddress(context, shop, { orderId: stored.id, nonce: stored.page_nonce })
  return { shop, order, claims: stored.claims.map((claim) => toClaim(viewing, claim)), stored }
}

function buildPayload(event: RecordedEvent, presented: PresentedOrder): BuiltPayload {
  const { shop, order, claims, stored } = presented
  const payload = toPayload(event, eventDataOf(event, presented), shop, { order, claims })
  if (event.eventGroup === 'withdrawal_received' && !event.isCopyToCustomer) addressToSender(payload, event, claims)
  const shipment = stored.shipments.find(({ id }) => id === event.shipmentId)
  return {
    body: JSON.stringify(payload),
    shipmentNumbers: {
      tracking_number: shipment?.tracking_number ?? null,
      external_shipment_id: shipment?.external_shipment_id ?? null,
    },
  }
}

/**
 * The receipt of a withdrawal goes to the address that was given with it. Unless that is the order's, it does not greet
 * with the customer's name: a link does not prove who follows it.
 */
function addressToSender({ context: { customer } }: Payload, { claimId }: RecordedEvent, claims: Claim[]): void {
  const statement = claims.find(({ uuid }) => uuid === claimId)?.withdrawal
  const { contact_email: email, name } = statement ?? {}
  if (!email) return
  const isCustomer = customer.email !== null && isSameAddress(email, customer.email)
  const known = isCustomer ? {} : { external_id: null, first_name: null, last_name: null, phone: null }
  Object.assign(customer, { email, full_name: name ?? customer.full_name, ...known })
}

function eventDataOf(event: RecordedEvent, { order, claims }: PresentedOrder): Record<string, unknown> {
  if (event.source === 'claims') {
    const claim = claims.find(({ uuid }) => uuid === event.claimId)
    if (claim === undefined) throw new Error(`claim ${event.claimId} is missing from its order`)
    return claimEventData(event, claim)
  }
  const shipment = order.trackings.find(({ id }) => id === event.shipmentId)
  if (shipment === undefined) throw new Error(`shipment ${event.shipmentId} is missing from its order`)
  return shipmentEventData(event, order, shipment, shipment.updated_at)
}
