import { getMeaning, isReturn } from '../../catalogue/catalogue.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { predictorFor } from '../../journey/delivery-windows/predict.ts'
import { recordAndPublish } from '../../journey/events/record.ts'
import type { IncomingEvent } from '../../journey/events/store.ts'
import type { ShippingState } from '../../journey/orders/decide.ts'
import { newFulfilledShipment, type PlannedOrder } from '../../journey/orders/fulfilment.ts'
import { countryCodeOf, shippingMethodOf } from '../../journey/orders/rules.ts'
import type { GivenOrder, OrderUpsert } from '../../journey/orders/schema.ts'
import { findKnownShipments, type LockedOrder, lockOrders } from '../../journey/orders/store.ts'
import { writeOrders } from '../../journey/orders/upsert.ts'
import { promiseIn } from '../../journey/promises/order-promise.ts'
import { carrierHistories } from '../../journey/shipments/carrier-history.ts'
import { clearScans, revertToDrafts } from '../../journey/shipments/renumber-store.ts'
import { fulfilShipments } from '../../journey/shipments/write-store.ts'
import type { OrderFields, ReportedOrder, ReportedParcel, ShopSystemName } from '../../shop-systems/shop-system.ts'
import { getSettings } from '../settings/store.ts'
import { stopFollowing } from '../tracking/stop-store.ts'
import { applyMappings, type Mapped } from './mapping.ts'
import { mergeFields } from './merge-fields.ts'
import { recordScans } from './record-scans.ts'
import { expectedShipments, isOlder, type OrderSnapshot, type ParcelChanges, parcelChanges } from './rules.ts'
import { lockOrderSnapshot, updateOrderSnapshot } from './store.ts'
import { erasedFulfilments } from './without-customer.ts'

/** One message: how it changes the order's snapshot, and the order itself if it carries one. */
export interface OrderMessage {
  externalId: string
  order: (ReportedOrder & { changedAt: Date }) | undefined
  merge(known: OrderSnapshot): OrderSnapshot
}

/**
 * Applies a message to our order, inside the caller's transaction. Until the order itself is known, only the snapshot
 * is updated, and it is applied when the order arrives.
 */
export async function applyOrderMessage(
  context: ShopContext,
  system: ShopSystemName,
  message: OrderMessage,
): Promise<{ orderId?: string; change: 'created' | 'updated' | 'unchanged' }> {
  const known = await lockOrderSnapshot(context, system, message.externalId)
  const isLate = message.order !== undefined && isOlder(message.order, known)
  const snapshot = message.merge(known)
  const order = await findOrder(context, message)
  // Erased data stays erased, even if it is reported again.
  const fulfilments = order?.isErased ? erasedFulfilments(snapshot.fulfilments) : snapshot.fulfilments
  const next = { ...snapshot, fulfilments, expectedShipments: expectedShipments(snapshot) }
  const reported = isLate ? undefined : message.order
  const late = isLate ? message.order : undefined
  if (order === undefined && reported === undefined) {
    await updateOrderSnapshot(context, system, message.externalId, { ...next, expectedShipments: 1, isApplied: false })
    return { change: 'unchanged' }
  }
  // If our order no longer exists, the snapshot has to be applied from the start.
  const before = { ...known, isApplied: known.isApplied && order !== undefined }
  const changes = parcelChanges(before, next)
  if (order) await changeNumbers(context, order, changes)
  const { orderId, change } = await writeOrder(
    context,
    {
      id: order?.externalId === message.externalId || order === undefined ? message.externalId : order.orderNumber,
      id_type: order?.externalId === message.externalId || order === undefined ? 'external_id' : 'order_number',
      trackings: changes.reported,
      ...(await orderPart(context, system, { reported, late }, order, before, next)),
    },
    shippingOf(reported, order, next),
  )
  await markCancelled(context, orderId, before, next)
  await recordScans(context, system, orderId, before, next)
  await updateOrderSnapshot(context, system, message.externalId, { ...next, isApplied: true })
  return { orderId, change }
}

/**
 * By the system's id, else by the order number: an order from a file or the API, created before the shop system was
 * connected, has its number as its external id.
 */
async function findOrder(context: ShopContext, { externalId, order }: OrderMessage): Promise<LockedOrder | undefined> {
  const shopId = context.shop.id
  const [byId, byNumber] = await lockOrders(context, [
    { shopId, idType: 'external_id', id: externalId },
    ...(order ? [{ shopId, idType: 'order_number' as const, id: order.orderNumber }] : []),
  ])
  return byId ?? (byNumber?.externalId === byNumber?.orderNumber ? byNumber : undefined)
}

/** A cancelled order keeps its drafts, which show the cancellation. An order without drafts does not get new ones. */
function shippingOf(
  reported: ReportedOrder | undefined,
  order: LockedOrder | undefined,
  { cancelledAt }: OrderSnapshot,
): ShippingState {
  return {
    hasNothingToSend: cancelledAt ? (order?.hasNothingToSend ?? false) : reported?.nothingToSend,
    isHandedOverWithoutTracking: reported?.handedOverWithoutTracking,
  }
}

async function writeOrder(context: ShopContext, upsert: OrderUpsert, shipping: ShippingState) {
  const shopId = context.shop.id
  const { promise } = promiseIn(context, shopId, upsert.order ?? {})
  const write = { shopId, now: context.now, upsert, promise, isPlacement: false, shipping, loc: ['body'] }
  const [outcome] = await writeOrders(context, [write])
  if (outcome === undefined) throw new Error('a write has an outcome')
  if ('error' in outcome) throw outcome.error
  return outcome
}

/** The order in the form of our own API. Without a whole order, only the number of expected shipments can change. */
async function orderPart(
  context: ShopContext,
  system: ShopSystemName,
  { reported, late }: Record<'reported' | 'late', (ReportedOrder & { changedAt: Date }) | undefined>,
  order: LockedOrder | undefined,
  before: OrderSnapshot,
  next: OrderSnapshot,
): Promise<Pick<OrderUpsert, 'order' | 'order_analytics'>> {
  const known = before.isApplied ? before.expectedShipments : 1
  const expected: GivenOrder =
    next.expectedShipments === known ? {} : { expected_number_of_shipments: next.expectedShipments }
  if (reported === undefined) {
    // From a late message, take only the fields that no newer message has set.
    const others = late && order ? mergeFields(fieldsOf(order), late.fields) : {}
    const fields = { ...others, ...expected }
    return Object.keys(fields).length === 0 ? {} : { order: fields }
  }
  const { mappings } = await getSettings(context, context.shop.id)
  const mapped = applyMappings(system, mappings, reported)
  return {
    order: {
      ...(order ? mergeFields(reported.fields, fieldsOf(order)) : reported.fields),
      ...mapped.fields,
      ...segmentsOf(order, mapped),
      ...expected,
      order_number: reported.orderNumber,
      external_id: reported.id,
    },
    order_analytics: mapped.analytics,
  }
}

/** A stored order in the form of a message. Fields that shop systems do not have are left out. */
function fieldsOf({ orderName, emailId, orderPlacedAt, details, analytics }: LockedOrder): OrderFields {
  const known = details as OrderFields // written from validated orders only
  return {
    ...known,
    ...(orderName === null ? {} : { order_name: orderName }),
    ...(emailId === null ? {} : { email_id: emailId }),
    order_placed_at: orderPlacedAt.toISOString(),
    order_analytics: analytics as OrderFields['order_analytics'] & object, // the same
  }
}

/** Mapped segments are added to those that other systems reported. */
function segmentsOf(order: LockedOrder | undefined, { fields }: Mapped): Pick<GivenOrder, 'segments'> {
  if (!fields.segments) return {}
  const { segments = [] } = (order?.details ?? {}) as { segments?: string[] } // validated when it was stored
  return { segments: [...new Set([...segments, ...fields.segments])].slice(0, 500) }
}

/**
 * A corrected number keeps its shipment, so that no notification about a second one is sent; the scans of the old number are
 * removed. Shipments whose number was withdrawn become drafts again.
 */
async function changeNumbers(context: ShopContext, order: LockedOrder, changes: ParcelChanges): Promise<void> {
  await stopFollowing(context, order.shopId, await revertToDrafts(context, order, changes.removed))
  if (changes.replaced.length === 0) return
  const shipments = (await findKnownShipments(context, [order])).get(order.id) ?? []
  const writes = [{ shopId: order.shopId, upsert: { trackings: changes.replaced.map(({ to }) => to) } }]
  const histories = await carrierHistories(context, writes)
  const planned = { ...plannedOf(context, order), carrierHistory: histories.get(order.shopId) }
  const predict = (await predictorFor(context, writes))(planned)
  const taken = new Set(shipments.map(({ trackingNumber }) => trackingNumber))
  const corrected = changes.replaced.flatMap(({ from, to }) => {
    const shipment = shipments.find(({ trackingNumber }) => trackingNumber === from)
    if (shipment === undefined || (from !== to.tracking_number && taken.has(to.tracking_number))) return []
    return [
      newFulfilledShipment(
        planned,
        { ...withPlacedAt(to, shipment.currentEventAt), service: shipment.service },
        shipment.id,
        undefined,
        predict,
        ['body'],
      ),
    ]
  })
  const ids = corrected.map(({ id }) => id)
  const others = corrected.filter((one) =>
    shipments.every(({ trackingNumber }) => trackingNumber !== one.trackingNumber),
  )
  await clearScans(
    context,
    order.shopId,
    others.map(({ id }) => id),
  )
  await stopFollowing(context, order.shopId, ids)
  await fulfilShipments(context, corrected)
}

/** The known ship time stays if the message has none. */
function withPlacedAt<Reported extends ReportedParcel>(parcel: Reported, currentEventAt: Date): Reported {
  return { ...parcel, tracking_placed_at: parcel.tracking_placed_at ?? currentEventAt.toISOString() }
}

function plannedOf(context: ShopContext, order: LockedOrder): PlannedOrder {
  return {
    shopId: order.shopId,
    id: order.id,
    orderPlacedAt: order.orderPlacedAt,
    expectedShipments: order.expectedShipments,
    zipCode: order.zipCode,
    countryCode: countryCodeOf(order),
    shippingMethod: shippingMethodOf(order),
    now: context.now,
  }
}

/** Marks unsent drafts as cancelled; or as created again, without a notification, if the cancellation was undone. */
async function markCancelled(
  context: ShopContext,
  orderId: string,
  before: OrderSnapshot,
  next: OrderSnapshot,
): Promise<void> {
  const eventTime = next.cancelledAt ?? reopenedAt(context, before, next)
  if (eventTime === undefined) return
  const shipments = (await findKnownShipments(context, [{ shopId: context.shop.id, id: orderId }])).get(orderId) ?? []
  const drafts = shipments.filter(({ trackingNumber, direction }) => trackingNumber === null && !isReturn(direction))
  const eventKey = next.cancelledAt ? 'ORDER_CANCELLED' : 'ORDER_CREATED'
  const { phase, flag, movesPhase } = getMeaning(eventKey)
  await recordAndPublish(
    context,
    drafts.map(
      ({ id }): IncomingEvent => ({
        shopId: context.shop.id,
        shipmentId: id,
        trackingNumber: null,
        eventKey,
        phase,
        flag,
        movesPhase,
        isAllowedForDrafts: true,
        eventTime: eventTime < context.now ? eventTime : context.now,
        externalId: null,
        timezone: null,
        location: null,
        additionalInfo: null,
        source: 'system',
        isNotified: next.cancelledAt !== null,
        now: context.now,
      }),
    ),
  )
}

/**
 * Undefined if it was not cancelled before. The event must not be older than the cancellation, which may have the time
 * at which we received it.
 */
function reopenedAt(context: ShopContext, before: OrderSnapshot, next: OrderSnapshot): Date | undefined {
  if (!before.isApplied || before.cancelledAt === null) return undefined
  return next.changedAt !== null && next.changedAt > before.cancelledAt ? next.changedAt : context.now
}
