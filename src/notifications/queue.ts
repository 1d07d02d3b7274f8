import type { WokenTarget } from '../deliveries/delivery.ts'
import { leaseMs } from '../deliveries/retry.ts'
import { after } from '../foundation/clock.ts'
import type { Context, ShopIdentity } from '../foundation/context.ts'
import { idFromName, newId } from '../foundation/ids.ts'
import { onceCommitted } from '../foundation/transaction.ts'
import { toOrder } from '../journey/orders/present.ts'
import type { Order } from '../journey/orders/schema.ts'
import { findOrdersOf, type OrderOfShop } from '../journey/orders/store.ts'
import type { StoredShipment } from '../journey/shipments/store.ts'
import { toldUntil } from '../resources/claims/images.ts'
import { toClaim } from '../resources/claims/present.ts'
import type { Claim } from '../resources/claims/schema.ts'
import { pageAddress } from '../resources/page-addresses/page-token.ts'
import { buildPayload, type Payload } from './payload.ts'
import {
  type Candidate,
  findTargets,
  insertNotifications,
  type NewNotification,
  notifyWorkers,
  type ShipmentGroupKey,
  type Target,
} from './store.ts'

/** The events that somebody is to be told of, each with whom. */
export async function chooseTargets<Event>(
  context: Context,
  events: Event[],
  candidateOf: (event: Event) => Candidate,
): Promise<{ event: Event; targets: Target[] }[]> {
  if (events.length === 0) return []
  const targets = await findTargets(context, events.map(candidateOf))
  const byEvent = new Map<number, Target[]>()
  for (const target of targets) byEvent.set(target.n, [...(byEvent.get(target.n) ?? []), target])
  return events.flatMap((event, n) => (byEvent.has(n) ? [{ event, targets: byEvent.get(n) ?? [] }] : []))
}

/** The order of an event as receivers are shown it. */
export interface ToldOrder {
  shop: ShopIdentity
  order: Order
  claims: Claim[]
  shipments: Pick<StoredShipment, 'id' | 'tracking_number' | 'external_shipment_id'>[]
}

/** An event with those who are told of it, whatever it is about. */
export interface News {
  source: Payload['source']
  ref: string
  eventName: string
  eventGroup: string
  shopId: string
  orderId: string
  /** Of one shipment, deliveries keep their order. */
  shipmentId: string
  now: Date
  targets: Omit<Target, 'n'>[]
  /** Whether an integration is told of a group once for a shipment, or of every event. */
  isToldOnce: boolean
  eventData(told: ToldOrder): Record<string, unknown>
}

/** Builds the payloads from what the transaction has made of the orders, and queues a delivery for each receiver. */
export async function queueDeliveries(context: Context, news: News[]): Promise<void> {
  if (news.length === 0) return
  const stored = await findOrdersOf(
    context,
    news.map(({ shopId, orderId }) => ({ shopId, id: orderId })),
  )
  const orders = new Map([...stored].map(([id, order]) => [id, toToldOrder(context, order)]))
  const notifications = news.flatMap((item) => {
    const told = orders.get(item.orderId)
    return told ? [notificationOf(context, item, told)] : []
  })
  await queueNotifications(context, notifications)
}

/** Queues them; the workers of this process begin what they were given, and hear of the rest, at commit. */
export async function queueNotifications(context: Context, notifications: NewNotification[]): Promise<void> {
  const { clock, deliveries } = context.services
  const takenAt = clock.now()
  const { woken, taken } = await insertNotifications(context, notifications, after(takenAt, leaseMs))
  if (taken.length > 0) onceCommitted(context, () => deliveries.carryOut(taken, takenAt, context.span))
  if (woken.length > 0) onceCommitted(context, () => deliveries.wake(woken))
}

function toToldOrder(context: Context, { claims, ...stored }: OrderOfShop): ToldOrder {
  const { shop } = stored
  const viewing = { services: context.services, shop, imagesUntil: toldUntil(context.now) }
  const order = toOrder({ shop, acceptLanguage: undefined }, stored)
  // Where the shop has no page of its own for the order, the customer is sent to ours.
  order.order_status_url ??= pageAddress(context, shop, { orderId: stored.id, nonce: stored.page_nonce })
  return {
    shop,
    order,
    claims: claims.map((claim) => toClaim(viewing, claim)),
    shipments: stored.shipments,
  }
}

function notificationOf(context: Context, news: News, told: ToldOrder): NewNotification {
  const payload = buildPayload(
    {
      source: news.source,
      ref: news.ref,
      event_group: news.eventGroup,
      event_data: news.eventData(told),
      triggeredAt: news.now,
    },
    told.shop,
    told.order,
    told.claims,
  )
  return {
    shopId: news.shopId,
    id: newId(news.now),
    source: news.source,
    ref: news.ref,
    eventName: news.eventName,
    eventGroup: news.eventGroup,
    shipmentId: news.shipmentId,
    orderId: news.orderId,
    body: JSON.stringify(payload),
    triggeredAt: news.now,
    causedBy: context.causedBy ?? [],
    targets: news.targets.map(({ target, eventGroup, oncePer }) => ({
      deliveryId: newId(news.now),
      target,
      eventGroup,
      onceKey: news.isToldOnce && oncePer !== null ? onceKeyOf(oncePer, news.shipmentId, told) : null,
    })),
  }
}

/** The shipment itself, or a name-based UUID of its number: all shipments with that number count as one. */
function onceKeyOf(oncePer: ShipmentGroupKey, shipmentId: string, { shipments }: ToldOrder): string {
  if (oncePer === 'shipment_id') return shipmentId
  const number = shipments.find(({ id }) => id === shipmentId)?.[oncePer]
  return number ? idFromName(`${oncePer} ${number}`) : shipmentId
}

/** Workers of this process are woken at commit, those of other nodes by notification. */
export async function wake(context: Context, woken: WokenTarget[]): Promise<void> {
  if (woken.length === 0) return
  await notifyWorkers(context, woken)
  onceCommitted(context, () => context.services.deliveries.wake(woken))
}
