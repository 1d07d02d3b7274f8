import { createShipmentEvent } from '../../orders/events/operations.ts'
import type { OrderWrite } from '../../orders/orders/decide.ts'
import type { OrderUpsert } from '../../orders/orders/schema.ts'
import { writeOrders } from '../../orders/orders/upsert.ts'
import { after, dayMs, hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { writeProofs } from '../../tracking/scans/proof-store.ts'
import { atTime, workingDay } from './calendar.ts'
import { addressOf, customers, emailOf } from './customers.ts'
import { everydayOrders } from './everyday.ts'
import { history } from './history.ts'
import { journeys, routes } from './journeys.ts'
import { moving } from './moving.ts'
import type { DemoOrder, DemoParcel } from './order.ts'
import type { DemoParts } from './parts.ts'
import { perform } from './perform.ts'
import type { Pictures } from './pictures.ts'
import { countries, warehouse } from './places.ts'
import { pricedProducts, totalsOf } from './products.ts'
import { type PromisedOrder, promisesFor } from './promised-orders.ts'
import { recent } from './recent.ts'
import { type RecordedScan, recordScans, type ScannedParcel, unevennessMs } from './scans.ts'
import { shopUrl } from './shop.ts'

export interface NumberedOrder extends DemoOrder {
  number: string
}

/** The orders with a story of their own, with their numbers, oldest first. */
export const numberedOrders: readonly NumberedOrder[] = [...history, ...recent, ...moving].map((order, index) => ({
  ...order,
  number: `RP-${10_001 + index}`,
}))

/** The orders of every day, with the numbers before. */
export function numberedEverydayOrders(now: Date): NumberedOrder[] {
  const orders = everydayOrders(now)
  return orders.map((order, index) => ({ ...order, number: `RP-${10_001 - orders.length + index}` }))
}

/** Creates the orders as a shop system would send them, each at its own time, and the carriers' scans. */
export async function sendOrders(context: ShopContext, { pictures, scans }: DemoParts): Promise<void> {
  const { now } = context
  for (const chapter of chaptersOf(now)) {
    const promised = await promisesFor(
      beginningOf(context, chapter),
      chapter.flatMap((order) => toPromised(order, now)),
    )
    const writes = chapter.map((order): OrderWrite => {
      const { upsert, sentAt } = toUpsert(order, now, pictures)
      const promise = promised.get(order.number)
      const shipping = { hasNothingToSend: undefined, isHandedOverWithoutTracking: order.isHandedOver }
      return { shopId: context.shop.id, now: sentAt, upsert, promise, isPlacement: false, shipping, loc: ['body'] }
    })
    // Delivery windows are learnt from the earlier chapters and cached for minutes. Each chapter is written at its own
    // time, so that it does not use the cache from before the others.
    const latest = new Date(Math.max(...writes.map((write) => write.now.getTime())))
    for (const outcome of await writeOrders({ ...context, now: latest }, writes)) {
      if ('error' in outcome) throw outcome.error
    }
    const parcels = chapter.flatMap((order) => scannedParcels(order, now))
    const recorded = await recordScans(context, parcels)
    await recordDemoProofs(context, parcels, recorded)
    scans.push(...recorded)
  }
  await recordOrderEvents(context)
}

/** As it was when the first of these orders was placed: what came later is not known yet. */
function beginningOf(context: ShopContext, orders: readonly NumberedOrder[]): ShopContext {
  const first = Math.min(...orders.map((order) => placedTime(order, context.now).getTime()))
  return { ...context, now: new Date(first) }
}

/** The order as a promise is made for it; none if nothing is sent. */
function toPromised(order: NumberedOrder, now: Date): PromisedOrder[] {
  const [first] = order.parcels
  const { country, zipCode } = customers[order.customer]
  if (first === undefined) return []
  return [
    {
      number: order.number,
      carrier: first.carrier,
      country,
      zip: zipCode,
      placedAt: placedTime(order, now),
      handedOverAt: handedOverAt(first, now),
    },
  ]
}

/** The orders by time: what was delivered in one chapter says when parcels of the next are expected. */
function chaptersOf(now: Date): NumberedOrder[][] {
  const everyday = numberedEverydayOrders(now)
  const sentBetween = (oldest: number, newest: number) =>
    everyday.filter(({ parcels: [first] }) => first && first.sentDaysAgo <= oldest && first.sentDaysAgo > newest)
  return [
    sentBetween(Number.POSITIVE_INFINITY, 100),
    sentBetween(100, 60),
    [...sentBetween(60, 0), ...numberedOrders.slice(0, history.length)],
    numberedOrders.slice(history.length),
  ]
}

/** An order as the shop system sends it, and when. */
export function toUpsert(order: NumberedOrder, now: Date, pictures?: Pictures): { upsert: OrderUpsert; sentAt: Date } {
  const customer = customers[order.customer]
  const { currency } = countries[customer.country]
  const totals = totalsOf(order.lines, currency, order.discount?.percent ?? 0)
  const priced = pricedProducts(order.lines, currency, order.discount?.percent ?? 0)
  const products = order.lines.map(({ product }, index) => ({
    ...priced[index],
    ...(pictures ? { images: [{ src: pictures.urlOf(product) }] } : {}),
  }))
  const placedAt = placedTime(order, now)
  const trackings = order.parcels.map((parcel) => ({
    tracking_number: parcel.trackingNumber,
    carrier_reference: parcel.carrier,
    ...(parcel.journey === 'intoLetterbox' ? { service: 'Letterbox parcel' } : {}),
    tracking_placed_at: handedOverAt(parcel, now).toISOString(),
    external_shipment_id: `parcel-${parcel.trackingNumber}`,
    ...(parcel.lines ? { products: products.filter((_product, index) => parcel.lines?.includes(index)) } : {}),
  }))
  const upsert: OrderUpsert = {
    id: order.number,
    id_type: 'order_number',
    order: {
      order_number: order.number,
      external_id: order.number.replace('RP-', '55500'),
      order_name: `#${order.number}`,
      order_placed_at: placedAt.toISOString(),
      sub_total_price: totals.subTotal,
      discount_price: totals.discount,
      shipping_price: totals.shipping,
      shipping_method: totals.shipping > 0 ? 'Standard' : 'Free shipping',
      total_order_price: totals.total,
      currency,
      weight: totals.weightGrams,
      products,
      discounts: order.discount
        ? [{ code: order.discount.code, amount: totals.discount.toFixed(2), type: 'percentage' }]
        : [],
      email_id: emailOf(customer),
      external_customer_id: `customer-${order.customer}`,
      address: addressOf(customer),
      segments: order.segments ?? [],
      order_status_url: `${shopUrl}/orders/${order.number}`,
      expected_number_of_shipments: order.expectedParcels ?? Math.max(1, order.parcels.length),
      financial_status: order.priorEvent?.event === 'ORDER_CANCELLED' ? 'refunded' : 'paid',
    },
    trackings,
    ...(order.analytics
      ? { order_analytics: { ...order.analytics, landing_url: `${shopUrl}${order.analytics.landing_path ?? ''}` } }
      : {}),
  }
  return { upsert, sentAt: new Date(Math.max(placedAt.getTime(), ...order.parcels.map((each) => sentTime(each, now)))) }
}

export function scannedParcels(order: DemoOrder, now: Date): ScannedParcel[] {
  const customer = customers[order.customer]
  const usual = routes[countries[customer.country].way]
  return order.parcels.map((parcel) => ({
    trackingNumber: parcel.trackingNumber,
    customer,
    sentOn: workingDay(now, parcel.sentDaysAgo),
    scans: journeys[parcel.journey]({ ...usual, arrival: parcel.arrival ?? usual.arrival }),
    pickup: parcel.pickup,
  }))
}

/** The hand-over of a parcel: in the afternoon of its working day. */
export function handedOverAt(
  { sentDaysAgo, trackingNumber, isSentNow }: Pick<DemoParcel, 'sentDaysAgo' | 'trackingNumber' | 'isSentNow'>,
  now: Date,
) {
  if (isSentNow) return now
  const { utcOffsetHours } = countries[warehouse.country]
  return after(atTime(workingDay(now, sentDaysAgo), '14:10', utcOffsetHours), unevennessMs(trackingNumber))
}

function sentTime(parcel: DemoParcel, now: Date): number {
  return handedOverAt(parcel, now).getTime()
}

/** Customers order the evening before, on Sundays too. */
function placedTime(order: DemoOrder, now: Date): Date {
  const [first] = order.parcels
  if (order.placedHoursAgo !== undefined || first === undefined)
    return after(now, -(order.placedHoursAgo ?? 0) * hourMs)
  const eveningBefore = after(atTime(workingDay(now, first.sentDaysAgo), '19:05', 0), -dayMs)
  return after(eveningBefore, 3 * unevennessMs(first.trackingNumber))
}

/** Events of orders without parcels. Their shipment has no number, so the order identifies it. */
async function recordOrderEvents(context: ShopContext): Promise<void> {
  for (const { priorEvent, number } of numberedOrders) {
    if (priorEvent === undefined) continue
    const happenedAt = after(context.now, -priorEvent.hoursAgo * hourMs)
    await perform({ ...context, now: happenedAt }, createShipmentEvent, {
      id: number,
      id_type: 'order_number',
      event_name: priorEvent.event,
    })
  }
}

/** Writes proofs of delivery for two of three parcels that were handed over or left at the door, as carriers differ. */
async function recordDemoProofs(
  context: ShopContext,
  parcels: readonly ScannedParcel[],
  scans: readonly RecordedScan[],
): Promise<void> {
  const byNumber = new Map(parcels.map((parcel) => [parcel.trackingNumber, parcel]))
  const proofs = scans.flatMap(({ shopId, shipmentId, trackingNumber, eventName, eventTime, now }) => {
    const customer = byNumber.get(trackingNumber)?.customer
    const isLeft = eventName === 'SUCCESSFULLY_DELIVERED_AND_LEFT_AT_DOOR'
    if (customer === undefined || (eventName !== 'SUCCESSFULLY_DELIVERED' && !isLeft)) return []
    if (Math.floor(unevennessMs(trackingNumber) / 1_000) % 3 === 0) return []
    const proof = {
      received_by: isLeft ? null : signatureOf(customer.name),
      time: eventTime.toISOString(),
      place: isLeft ? 'Front door' : customer.city.name,
      source: 'sandbox',
      picture_url: null,
      signature_url: null,
    }
    return [{ shopId, shipmentId, proof, now }]
  })
  await writeProofs(context, proofs)
}

/** "A. Brandt", as drivers enter it. */
function signatureOf(name: string): string {
  const [first = '', ...rest] = name.split(' ')
  return [`${first.charAt(0)}.`, ...rest].join(' ')
}
