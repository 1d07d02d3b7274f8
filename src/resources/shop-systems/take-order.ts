import { getMeaning, isReturn } from '../../catalogue/catalogue.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { predictorFor } from '../../journey/delivery-windows/predict.ts'
import { recordAndPublish } from '../../journey/events/record.ts'
import type { IncomingEvent } from '../../journey/events/store.ts'
import type { ShippingState } from '../../journey/orders/decide.ts'
import { newFulfilledShipment, type PlannedOrder } from '../../journey/orders/fulfilment.ts'
import { countryCodeOf } from '../../journey/orders/rules.ts'
import type { GivenOrder, OrderUpsert } from '../../journey/orders/schema.ts'
import { findKnownShipments, type LockedOrder, lockOrders } from '../../journey/orders/store.ts'
import { writeOrders } from '../../journey/orders/upsert.ts'
import { carrierHistories } from '../../journey/shipments/carrier-history.ts'
import { clearScans, revertToDrafts } from '../../journey/shipments/renumber-store.ts'
import { fulfilShipments } from '../../journey/shipments/write-store.ts'
import type { OrderFields, ReportedOrder, ReportedParcel, ShopSystemName } from '../../shop-systems/shop-system.ts'
import { getSettings } from '../settings/store.ts'
import { stopFollowing } from '../tracking/stop-store.ts'
import { applyMappings, type Mapped } from './mapping.ts'
import { mergeFields } from './merge-fields.ts'
import { recordScans } from './record-scans.ts'
import { expectedShipments, type HeardOrder, isOlder, type ParcelChanges, parcelChanges } from './rules.ts'
import { lockHeardOrder, updateHeardOrder } from './store.ts'
import { erasedFulfilments } from './without-customer.ts'

/** What one message says: how it changes what was heard, and the order itself where it carries one. */
export interface OrderNews {
  externalId: string
  order: (ReportedOrder & { changedAt: Date }) | undefined
  hear(known: HeardOrder): HeardOrder
}

/**
 * Takes over what a message says of an order, inside the caller's transaction. Until the order itself is known, the
 * rest is kept: it is applied when the order comes.
 */
export async function takeOrder(context: ShopContext, system: ShopSystemName, news: OrderNews): Promise<void> {
  const known = await lockHeardOrder(context, system, news.externalId)
  const isLate = news.order !== undefined && isOlder(news.order, known)
  const heard = news.hear(known)
  const order = await findOrder(context, news)
  // What was erased stays so, whoever tells it again.
  const fulfilments = order?.isErased ? erasedFulfilments(heard.fulfilments) : heard.fulfilments
  const next = { ...heard, fulfilments, expectedShipments: expectedShipments(heard) }
  const told = isLate ? undefined : news.order
  const late = isLate ? news.order : undefined
  if (order === undefined && told === undefined) {
    await updateHeardOrder(context, system, news.externalId, { ...next, expectedShipments: 1, isApplied: false })
    return
  }
  // An order that is there no more was applied once, and has nothing of it.
  const before = { ...known, isApplied: known.isApplied && order !== undefined }
  const changes = parcelChanges(before, next)
  if (order) await changeNumbers(context, order, changes)
  const orderId = await writeOrder(
    context,
    {
      id: order?.externalId === news.externalId || order === undefined ? news.externalId : order.orderNumber,
      id_type: order?.externalId === news.externalId || order === undefined ? 'external_id' : 'order_number',
      trackings: changes.told,
      ...(await orderPart(context, system, { told, late }, order, before, next)),
    },
    shippingOf(told, order, next),
  )
  await markCancelled(context, orderId, before, next)
  await recordScans(context, system, orderId, before, next)
  await updateHeardOrder(context, system, news.externalId, { ...next, isApplied: true })
}

/**
 * By the system's id; else by its number where that order was made without an id of its own, which is then the number:
 * it came from a file or an API before the shop system was connected.
 */
async function findOrder(context: ShopContext, { externalId, order }: OrderNews): Promise<LockedOrder | undefined> {
  const shopId = context.shop.id
  const [byId, byNumber] = await lockOrders(context, [
    { shopId, idType: 'external_id', id: externalId },
    ...(order ? [{ shopId, idType: 'order_number' as const, id: order.orderNumber }] : []),
  ])
  return byId ?? (byNumber?.externalId === byNumber?.orderNumber ? byNumber : undefined)
}

/** A cancelled order keeps its drafts, which say so; one that had none any more is not given new ones for that. */
function shippingOf(
  told: ReportedOrder | undefined,
  order: LockedOrder | undefined,
  { cancelledAt }: HeardOrder,
): ShippingState {
  return {
    hasNothingToSend: cancelledAt ? (order?.hasNothingToSend ?? false) : told?.nothingToSend,
    isHandedOverWithoutTracking: told?.handedOverWithoutTracking,
  }
}

async function writeOrder(context: ShopContext, upsert: OrderUpsert, shipping: ShippingState): Promise<string> {
  const write = { shopId: context.shop.id, now: context.now, upsert, isPlacement: false, shipping, loc: ['body'] }
  const [outcome] = await writeOrders(context, [write])
  if (outcome === undefined) throw new Error('a write has an outcome')
  if ('error' in outcome) throw outcome.error
  return outcome.orderId
}

/** The order as our own operation takes it; without a whole order only the number of its shipments may be new. */
async function orderPart(
  context: ShopContext,
  system: ShopSystemName,
  { told, late }: Record<'told' | 'late', (ReportedOrder & { changedAt: Date }) | undefined>,
  order: LockedOrder | undefined,
  before: HeardOrder,
  next: HeardOrder,
): Promise<Pick<OrderUpsert, 'order' | 'order_analytics'>> {
  const known = before.isApplied ? before.expectedShipments : 1
  const expected: GivenOrder =
    next.expectedShipments === known ? {} : { expected_number_of_shipments: next.expectedShipments }
  if (told === undefined) {
    // Of a late message only what nobody has said since is news.
    const others = late && order ? mergeFields(fieldsOf(order), late.fields) : {}
    const fields = { ...others, ...expected }
    return Object.keys(fields).length === 0 ? {} : { order: fields }
  }
  const { mappings } = await getSettings(context, context.shop.id)
  const mapped = applyMappings(system, mappings, told)
  return {
    order: {
      ...(order ? mergeFields(told.fields, fieldsOf(order)) : told.fields),
      ...mapped.fields,
      ...segmentsOf(order, mapped),
      ...expected,
      order_number: told.orderNumber,
      external_id: told.id,
    },
    order_analytics: mapped.analytics,
  }
}

/** What is known of an order, in the words of a message; what the systems have no word for is left as it is. */
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

/** Segments that other systems know of the customer stay beside those that are mapped. */
function segmentsOf(order: LockedOrder | undefined, { fields }: Mapped): Pick<GivenOrder, 'segments'> {
  if (!fields.segments) return {}
  const { segments = [] } = (order?.details ?? {}) as { segments?: string[] } // as our schema let it in
  return { segments: [...new Set([...segments, ...fields.segments])].slice(0, 500) }
}

/**
 * A corrected number stays with its shipment, so that nobody is told of a second one; what was said of the other number
 * goes with it. Numbers that were taken back leave a draft.
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
      newFulfilledShipment(planned, withPlacedAt(to, shipment.currentEventAt), shipment.id, undefined, predict, [
        'body',
      ]),
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

/** It was sent when it was sent; where that is not said, what is known stands. */
function withPlacedAt<Parcel extends ReportedParcel>(parcel: Parcel, currentEventAt: Date): Parcel {
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
    now: context.now,
  }
}

/** What has not left will not be sent; or it will after all, which nobody is told again. */
async function markCancelled(
  context: ShopContext,
  orderId: string,
  before: HeardOrder,
  next: HeardOrder,
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

/** Undefined where it was not cancelled. A deletion is of the moment it was heard, which taking it back follows. */
function reopenedAt(context: ShopContext, before: HeardOrder, next: HeardOrder): Date | undefined {
  if (!before.isApplied || before.cancelledAt === null) return undefined
  return next.changedAt !== null && next.changedAt > before.cancelledAt ? next.changedAt : context.now
}
