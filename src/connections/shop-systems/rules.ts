import { isDeepStrictEqual } from 'node:util'
import type {
  ReportedFulfilment,
  ReportedOrder,
  ReportedParcel,
  ReportedProduct,
  ReportedScan,
  Version,
} from '../../adapters/shop-systems/shop-system.ts'
import { earliest } from '../../platform/foundation/clock.ts'
import { mergeParcel } from './merge-fields.ts'
import { type ScanSnapshot, withScans } from './scans.ts'

/**
 * The state of an order merged from all messages so far. The result does not depend on the sequence of the messages.
 */
export interface OrderSnapshot {
  /** The version of the newest state merged; null before the first. */
  changedAt: Date | null
  sentAt: Date | null
  /** The times of its cancellation and deletion. */
  cancelledAt: Date | null
  deletedAt: Date | null
  quantity: number | null
  expectedShipments: number
  isApplied: boolean
  fulfilments: Record<string, FulfilmentSnapshot>
}

/** The snapshot before and after a message that was written to our order. */
export interface WrittenSnapshot {
  orderId: string
  before: OrderSnapshot
  next: OrderSnapshot
}

/** Stored as JSON, so its times are text. */
export interface FulfilmentSnapshot {
  changedAt: string | null
  sentAt: string | null
  isActive: boolean
  quantity: number | null
  parcels: ReportedParcel[]
  scans?: ScanSnapshot[]
}

export interface ProductSnapshot {
  productId: string | null
  changedAt: Date | null
  sentAt: Date | null
  deletedAt: Date | null
}

/** More than any real order has, and within the range of the database column. */
const maxQuantity = 1_000_000_000

/** A message without timestamps counts as the state at the time it arrived. */
export function withTime<Reported extends Version>(reported: Reported, now: Date): Reported & { changedAt: Date } {
  return { ...reported, changedAt: reported.changedAt ?? reported.sentAt ?? now }
}

/** Whether a reported state is older than the known one, by the system's own times. */
export function isOlder(reported: Version, known: { changedAt: Date | null; sentAt: Date | null }): boolean {
  if (known.changedAt === null || reported.changedAt === undefined) return false
  const difference = reported.changedAt.getTime() - known.changedAt.getTime()
  if (difference !== 0) return difference < 0
  return reported.sentAt !== undefined && known.sentAt !== null && reported.sentAt < known.sentAt
}

/**
 * The parts of a message about an order that are current. Its other parts may be outdated: a known order keeps those as
 * they were fetched, until they are fetched again.
 */
export function whatIsSaid<Order extends ReportedOrder>(order: Order, isKnown: boolean): Order {
  const { lacks = [] } = order
  const said = lacks.includes('fulfilments')
    ? { ...order, hasAllFulfilments: false, handedOverWithoutTracking: undefined }
    : order
  if (!isKnown || !lacks.includes('refunded items')) return said
  const fields = Object.entries(said.fields).filter(([name]) => !changedByRefunds.has(name))
  return {
    ...said,
    fields: Object.fromEntries(fields),
    quantity: undefined,
    nothingToSend: said.nothingToSend || undefined,
  }
}

const changedByRefunds = new Set([
  'products',
  'total_order_price',
  'sub_total_price',
  'discount_price',
  'discounts',
  'fees',
])

/**
 * Whether a message has said nothing new. That it was sent later is nothing new: orders are read again every few minutes,
 * and nothing is written for those that stay the same.
 */
export function isSameSnapshot(known: OrderSnapshot, next: OrderSnapshot): boolean {
  return isDeepStrictEqual(withoutSentAt(known), withoutSentAt(next))
}

function withoutSentAt({ sentAt: _sent, fulfilments, ...snapshot }: OrderSnapshot): object {
  const own = Object.entries(fulfilments).map(([id, { sentAt: _own, ...fulfilment }]) => [id, fulfilment])
  return { ...snapshot, fulfilments: Object.fromEntries(own) }
}

/** Merges a whole order. A late one can only contribute parcels. */
export function mergeOrder(known: OrderSnapshot, given: ReportedOrder & { changedAt: Date }, now: Date): OrderSnapshot {
  const order = whatIsSaid(given, known.isApplied)
  const isLate = isOlder(order, known)
  const isBack = order.isRestored || (known.deletedAt !== null && order.changedAt > known.deletedAt)
  const deletedAt = isBack ? null : known.deletedAt
  const base = order.hasAllFulfilments && !isLate ? {} : known.fulfilments
  const reported =
    order.hasAllFulfilments && isLate ? [] : order.fulfilments.filter((one) => !isKnownElsewhere(order, one, known))
  const fulfilments = reported.reduce(
    (all, fulfilment) => withFulfilment(all, fulfilment, order.changedAt, known.fulfilments),
    base,
  )
  if (isLate) return { ...known, fulfilments }
  return {
    ...known,
    changedAt: order.changedAt,
    sentAt: order.sentAt ?? null,
    deletedAt,
    cancelledAt: cancelledAt(known, order, deletedAt, now),
    quantity: order.quantity === undefined ? known.quantity : Math.min(order.quantity, maxQuantity),
    fulfilments,
  }
}

/** Whether fulfilments that were fetched have its numbers under another id. */
function isKnownElsewhere(
  { lacks }: ReportedOrder,
  { id, parcels }: ReportedFulfilment,
  known: OrderSnapshot,
): boolean {
  if (!lacks?.includes('fulfilments') || parcels.length === 0) return false
  const others = Object.entries(known.fulfilments).flatMap(([other, { isActive, parcels }]) =>
    other === id || !isActive ? [] : parcels,
  )
  return parcels.every((parcel) => others.some((other) => other.tracking_number === parcel.tracking_number))
}

/** The first reported time stays, because some systems only say that it is cancelled. Never in the future. */
function cancelledAt(known: OrderSnapshot, order: ReportedOrder, deletedAt: Date | null, now: Date): Date | null {
  if (order.cancelledAt === undefined) return deletedAt || !known.deletedAt ? known.cancelledAt : null
  if (order.cancelledAt === null) return deletedAt ? known.cancelledAt : null
  return known.cancelledAt ?? earliest([order.cancelledAt, now]) ?? now
}

/** Merges one fulfilment on its own. Only its order knows which of its items were refunded, and no others are ever added. */
export function mergeFulfilment(known: OrderSnapshot, fulfilment: ReportedFulfilment, now: Date): OrderSnapshot {
  const before = fulfilmentOf(known.fulfilments, fulfilment.id)
  const left = before?.quantity ?? undefined
  const merged: ReportedFulfilment = {
    ...fulfilment,
    quantity: left === undefined ? fulfilment.quantity : Math.min(left, fulfilment.quantity ?? left),
    parcels: fulfilment.parcels.map((parcel) => {
      const products = before?.parcels.find(({ products }) => products !== undefined)?.products
      return products ? mergeParcel({ ...parcel, products }, parcel) : parcel
    }),
  }
  return { ...known, fulfilments: withFulfilment(known.fulfilments, merged, now, known.fulfilments) }
}

/** Merges one tracking step on its own. If its fulfilment is unknown, it is stored with an empty, inactive one. */
export function mergeScan(known: OrderSnapshot, fulfilmentId: string, scan: ReportedScan): OrderSnapshot {
  const before = fulfilmentOf(known.fulfilments, fulfilmentId)
  const empty = { changedAt: null, sentAt: null, isActive: false, quantity: null, parcels: [] }
  const snapshot = { ...(before ?? empty), scans: withScans(before?.scans, [scan]) ?? [] }
  return { ...known, fulfilments: { ...known.fulfilments, [fulfilmentId]: snapshot } }
}

/** A deleted order counts as cancelled. It is not deleted: parcels may be in transit, and claims refer to it. */
export function mergeDeletion(known: OrderSnapshot, sentAt: Date | undefined, now: Date): OrderSnapshot {
  const deletedAt = known.deletedAt ?? earliest([sentAt, now]) ?? now
  return { ...known, deletedAt, cancelledAt: known.cancelledAt ?? deletedAt }
}

function withFulfilment(
  known: OrderSnapshot['fulfilments'],
  fulfilment: ReportedFulfilment,
  otherwise: Date,
  earlier: OrderSnapshot['fulfilments'],
): OrderSnapshot['fulfilments'] {
  const earlierSnapshot = fulfilmentOf(earlier, fulfilment.id)
  const before = fulfilmentOf(known, fulfilment.id)
  const reported = withTime(fulfilment, otherwise)
  const scans = withScans(before && hasOtherNumbers(before, reported) ? undefined : before?.scans, reported.scans)
  if (before && isOlder(reported, { changedAt: instantOf(before.changedAt), sentAt: instantOf(before.sentAt) })) {
    return hasOtherNumbers(before, reported)
      ? known
      : { ...known, [fulfilment.id]: { ...before, ...(scans && { scans }) } }
  }
  const snapshot: FulfilmentSnapshot = {
    changedAt: reported.changedAt.toISOString(),
    sentAt: reported.sentAt?.toISOString() ?? null,
    isActive: reported.isActive,
    quantity: reported.quantity ?? null,
    parcels: reported.parcels.map((parcel) =>
      mergeParcel(
        parcel,
        earlierSnapshot?.parcels.find(({ tracking_number }) => tracking_number === parcel.tracking_number),
      ),
    ),
    ...(scans && { scans }),
  }
  return { ...known, [fulfilment.id]: snapshot }
}

function fulfilmentOf(known: OrderSnapshot['fulfilments'], id: string): FulfilmentSnapshot | undefined {
  return Object.hasOwn(known, id) ? known[id] : undefined
}

/** Steps belong to a tracking number; a fulfilment whose numbers changed starts without steps. */
function hasOtherNumbers(before: FulfilmentSnapshot, reported: ReportedFulfilment): boolean {
  const numbers = (parcels: ReportedParcel[]) => parcels.map(({ tracking_number }) => tracking_number).join()
  return before.parcels.length > 0 && numbers(before.parcels) !== numbers(reported.parcels)
}

function instantOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/** One shipment per parcel, one for each fulfilment without a number yet, and one for what is still to be sent. */
export function expectedShipments({ quantity, fulfilments }: Pick<OrderSnapshot, 'quantity' | 'fulfilments'>): number {
  const active = Object.values(fulfilments).filter(({ isActive }) => isActive)
  const parcels = active.reduce((sum, fulfilment) => sum + Math.max(1, fulfilment.parcels.length), 0)
  const coversAll = active.some((fulfilment) => fulfilment.quantity === null)
  const sent = active.reduce((sum, fulfilment) => sum + (fulfilment.quantity ?? 0), 0)
  const isPartial = active.length === 0 || (!coversAll && quantity !== null && sent < quantity)
  return Math.min(100, Math.max(1, parcels + (isPartial ? 1 : 0)))
}

export interface ParcelChanges {
  /** Parcels that are new or have changed. */
  reported: (ReportedParcel & { external_shipment_id: string })[]
  /** A number that was replaced, or that moved to another carrier. */
  replaced: { from: string; to: ReportedParcel & { external_shipment_id: string } }[]
  /** Numbers that no fulfilment has any longer. */
  removed: string[]
}

/** The changes of an order's parcels by a message. Unchanged fulfilments are left out. */
export function parcelChanges(known: OrderSnapshot, next: OrderSnapshot): ParcelChanges {
  const changes: ParcelChanges = { reported: [], replaced: [], removed: [] }
  const staying = new Set(
    Object.values(next.fulfilments)
      .flatMap(parcelsOf)
      .map(({ tracking_number }) => tracking_number),
  )
  for (const id of new Set([...Object.keys(known.fulfilments), ...Object.keys(next.fulfilments)])) {
    const before = known.isApplied ? parcelsOf(known.fulfilments[id]) : []
    const now = parcelsOf(next.fulfilments[id])
    if (isDeepStrictEqual(before, now)) continue
    const reported = now.map((parcel) => ({ ...parcel, external_shipment_id: id }))
    const gone = before.filter(({ tracking_number }) => !staying.has(tracking_number))
    const fresh = reported.filter((parcel) => !before.some((other) => other.tracking_number === parcel.tracking_number))
    changes.reported.push(...reported)
    for (const [index, { tracking_number: from }] of gone.entries()) {
      const to = fresh[index]
      if (to) changes.replaced.push({ from, to })
      else changes.removed.push(from)
    }
    for (const to of reported) {
      const same = before.find(({ tracking_number }) => tracking_number === to.tracking_number)
      if (same && same.tracking_company !== to.tracking_company) changes.replaced.push({ from: to.tracking_number, to })
    }
  }
  return changes
}

function parcelsOf(fulfilment: FulfilmentSnapshot | undefined): ReportedParcel[] {
  return fulfilment?.isActive ? fulfilment.parcels : []
}

/** Whether a reported product is older than what is known. */
export function isLateProduct(product: ReportedProduct & { changedAt: Date }, known: ProductSnapshot): boolean {
  const isGone = known.deletedAt !== null && product.changedAt <= known.deletedAt && !product.isRestored
  return isGone || isOlder(product, known)
}
