import { isDeepStrictEqual } from 'node:util'
import { isReturn } from '../../platform/catalogue/catalogue.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import type { Predictor } from '../delivery-windows/predict.ts'
import type { OrderPromise } from '../promises/order-promise.ts'
import type { PromiseWrite } from '../promises/store.ts'
import type { CarrierHistories } from '../shipments/carrier-history.ts'
import { type PlannedOrder, planShipments, type ShipmentPlan } from './fulfilment.ts'
import { hasNothingToSend } from './remaining.ts'
import {
  changedOrder,
  countryCodeOf,
  isSameOrder,
  newOrder,
  numbersOf,
  type OrderRecord,
  shippingMethodOf,
  withAnalytics,
} from './rules.ts'
import type { GivenOrder, OrderUpsert } from './schema.ts'
import type { KnownShipment, LockedOrder } from './store.ts'
import { withoutAddress, withoutCustomer } from './without-customer.ts'

/** One order to write: an upsert, or a placement, which does not change an existing order. */
export interface OrderWrite {
  shopId: string
  now: Date
  upsert: OrderUpsert
  isPlacement: boolean
  /** Statements of a shop system beyond the fields of the order. */
  shipping?: ShippingState
  /** The promise to the customer; undefined: none, or unchanged. */
  promise?: OrderPromise | undefined
  /** Location of its problems: the body, or an item of a bulk. */
  loc: (string | number)[]
}

/** Undefined: the shop system does not state it, and the stored value stays. */
export interface ShippingState {
  hasNothingToSend: boolean | undefined
  isHandedOverWithoutTracking: boolean | undefined
}

/** The changes of a write. */
export interface Decision {
  write: OrderWrite
  order: OrderRecord & { shopId: string; id: string; now: Date }
  isNew: boolean
  isChanged: boolean
  plan: ShipmentPlan
  promise: PromiseWrite | undefined
}

/** The knowledge from the parcels that the shops have sent. */
export interface PastParcels {
  predictor: Predictor
  histories: CarrierHistories
}

/** Decides what a write changes; undefined if nothing. */
export function decide(
  write: OrderWrite,
  known: LockedOrder | undefined,
  shipments: KnownShipment[],
  { predictor, histories }: PastParcels,
): Decision | undefined {
  const { upsert, now, shopId, loc } = write
  if (known && write.isPlacement) return undefined
  if (!known && !upsert.order) throw orderNotFound(upsert)
  if (!known && upsert.id_type === 'uuid') throw orderNotFound(upsert)
  const given = known ? updatedOrder(known, upsert) : createdOrder(upsert, upsert.order as GivenOrder, now, loc) // given, or rejected above
  const order = withShippingState(given, known, write, shipments)
  const id = known?.id ?? newId(now)
  const planned: PlannedOrder = {
    shopId,
    id,
    orderPlacedAt: order.orderPlacedAt,
    expectedShipments: expectedDrafts(order),
    zipCode: order.zipCode,
    countryCode: countryCodeOf(order),
    shippingMethod: shippingMethodOf(order),
    carrierHistory: histories.get(shopId),
    now,
  }
  const trackings = known?.isErased ? upsert.trackings.map(withoutAddress) : upsert.trackings
  const plan = planShipments(planned, shipments, trackings, {
    formerMethod: known ? shippingMethodOf(known) : null,
    adjustDrafts: !known || expectedDrafts(known) !== expectedDrafts(order),
    predict: predictor(planned),
    loc,
  })
  const isChanged = known !== undefined && !isSameOrder(known, order)
  const promise = write.promise && { shopId, orderId: id, country: planned.countryCode, promise: write.promise, now }
  if (known && !isChanged && isEmpty(plan) && promise === undefined) return undefined
  return { write, order: { shopId, id, now, ...order }, isNew: !known, isChanged, plan, promise }
}

/** An order with nothing to send has no drafts. It gets them again when a product to send is added. */
function expectedDrafts(order: OrderRecord): number {
  return order.hasNothingToSend ? 0 : order.expectedShipments
}

/**
 * Statements of the shop system take precedence. Otherwise `hasNothingToSend` is computed only when the products
 * change, so that an earlier statement about them stays. An order with a tracking number is not handed over without
 * one.
 */
function withShippingState(
  order: OrderRecord,
  known: LockedOrder | undefined,
  { shipping, upsert }: OrderWrite,
  shipments: KnownShipment[],
): OrderRecord {
  const isUnchanged = known !== undefined && hasSameProducts(known, order)
  const hasNumber =
    upsert.trackings.length > 0 ||
    shipments.some(({ trackingNumber, direction }) => trackingNumber !== null && !isReturn(direction))
  const isHandedOver = shipping?.isHandedOverWithoutTracking ?? known?.isHandedOverWithoutTracking ?? false
  return {
    ...order,
    hasNothingToSend:
      shipping?.hasNothingToSend ?? (isUnchanged ? known.hasNothingToSend : hasNothingToSend(order.details)),
    isHandedOverWithoutTracking: isHandedOver && !hasNumber,
  }
}

function hasSameProducts({ details: { products } }: OrderRecord, { details }: OrderRecord): boolean {
  return products === details.products || isDeepStrictEqual(products, details.products)
}

function createdOrder(upsert: OrderUpsert, order: GivenOrder, now: Date, loc: (string | number)[]): OrderRecord {
  return withAnalytics(newOrder(withName(order, upsert), numbersOf(upsert, order, loc), now), upsert.order_analytics)
}

/** An order that is looked up by its name has that name, even if the payload omits it. */
function withName(order: GivenOrder, { id, id_type }: OrderUpsert): GivenOrder {
  return id_type === 'order_name' ? { ...order, order_name: id } : order
}

function updatedOrder(known: LockedOrder, upsert: OrderUpsert): OrderRecord {
  const next = upsert.order ? (changedOrder(known, upsert.order) ?? known) : known
  const order = withAnalytics(next, upsert.order_analytics)
  return known.isErased ? withoutCustomer(order) : order // erased data stays erased, even if it is sent again
}

function orderNotFound(upsert: OrderUpsert): ApiError {
  const idType = upsert.id_type ?? 'order_number'
  return new ApiError(
    'order_not_found',
    `There is no order with the ${idType} ${JSON.stringify(upsert.id)}. Send \`order\` to create it.`,
  )
}

function isEmpty(plan: ShipmentPlan): boolean {
  return plan.inserts.length + plan.fulfils.length + plan.updates.length + plan.removes.length === 0
}
