import { isDeepStrictEqual } from 'node:util'
import { earliest } from '../../foundation/clock.ts'
import type {
  ReportedFulfilment,
  ReportedOrder,
  ReportedParcel,
  ReportedProduct,
  ReportedScan,
  Version,
} from '../../shop-systems/shop-system.ts'
import { mergeParcel } from './merge-fields.ts'
import { type HeardScan, withScans } from './scans.ts'

/** What was heard of an order, from all messages together: the same in whatever order they come. */
export interface HeardOrder {
  /** The newest state that was taken over; null while there was none. */
  changedAt: Date | null
  sentAt: Date | null
  /** When it was cancelled, or deleted. */
  cancelledAt: Date | null
  deletedAt: Date | null
  quantity: number | null
  expectedShipments: number
  isApplied: boolean
  fulfilments: Record<string, HeardFulfilment>
}

/** Kept as JSON, so its times are text. */
export interface HeardFulfilment {
  changedAt: string | null
  sentAt: string | null
  isActive: boolean
  quantity: number | null
  parcels: ReportedParcel[]
  scans?: HeardScan[]
}

export interface HeardProduct {
  productId: string | null
  changedAt: Date | null
  sentAt: Date | null
  deletedAt: Date | null
}

/** More than anybody orders, and less than the store's integers end at. */
const maxQuantity = 1_000_000_000

/** A message that says nothing of its time counts as what was so when it came. */
export function withTime<Told extends Version>(told: Told, now: Date): Told & { changedAt: Date } {
  return { ...told, changedAt: told.changedAt ?? told.sentAt ?? now }
}

/** An older state than the one that is known, by the system's own times: it is late, and is left as it is. */
export function isOlder(told: Version, known: { changedAt: Date | null; sentAt: Date | null }): boolean {
  if (known.changedAt === null || told.changedAt === undefined) return false
  const difference = told.changedAt.getTime() - known.changedAt.getTime()
  if (difference !== 0) return difference < 0
  return told.sentAt !== undefined && known.sentAt !== null && told.sentAt < known.sentAt
}

/** With a whole order heard. Of one that is late, only what it says of parcels may be news. */
export function hearOrder(known: HeardOrder, order: ReportedOrder & { changedAt: Date }, now: Date): HeardOrder {
  const isLate = isOlder(order, known)
  const isBack = order.isRestored || (known.deletedAt !== null && order.changedAt > known.deletedAt)
  const deletedAt = isBack ? null : known.deletedAt
  const base = order.hasAllFulfilments && !isLate ? {} : known.fulfilments
  const told = order.hasAllFulfilments && isLate ? [] : order.fulfilments
  const fulfilments = told.reduce(
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

/** The first time that is heard stays: some systems say no more than that it is so. Never in the future. */
function cancelledAt(known: HeardOrder, order: ReportedOrder, deletedAt: Date | null, now: Date): Date | null {
  if (order.cancelledAt === undefined) return deletedAt || !known.deletedAt ? known.cancelledAt : null
  if (order.cancelledAt === null) return deletedAt ? known.cancelledAt : null
  return known.cancelledAt ?? earliest([order.cancelledAt, now]) ?? now
}

/** With one fulfilment heard by itself. */
export function hearFulfilment(known: HeardOrder, fulfilment: ReportedFulfilment, now: Date): HeardOrder {
  return { ...known, fulfilments: withFulfilment(known.fulfilments, fulfilment, now, known.fulfilments) }
}

/** With one step of a parcel heard by itself. Before its fulfilment it is kept, with one that holds nothing. */
export function hearScan(known: HeardOrder, fulfilmentId: string, scan: ReportedScan): HeardOrder {
  const before = fulfilmentOf(known.fulfilments, fulfilmentId)
  const empty = { changedAt: null, sentAt: null, isActive: false, quantity: null, parcels: [] }
  const heard = { ...(before ?? empty), scans: withScans(before?.scans, [scan]) ?? [] }
  return { ...known, fulfilments: { ...known.fulfilments, [fulfilmentId]: heard } }
}

/** A deleted order is one that will not be sent. It stays: parcels may be on their way, and claims refer to it. */
export function hearDeletion(known: HeardOrder, sentAt: Date | undefined, now: Date): HeardOrder {
  const deletedAt = known.deletedAt ?? earliest([sentAt, now]) ?? now
  return { ...known, deletedAt, cancelledAt: known.cancelledAt ?? deletedAt }
}

function withFulfilment(
  known: HeardOrder['fulfilments'],
  fulfilment: ReportedFulfilment,
  otherwise: Date,
  earlier: HeardOrder['fulfilments'],
): HeardOrder['fulfilments'] {
  const heardBefore = fulfilmentOf(earlier, fulfilment.id)
  const before = fulfilmentOf(known, fulfilment.id)
  const told = withTime(fulfilment, otherwise)
  const scans = withScans(before && hasOtherNumbers(before, told) ? undefined : before?.scans, told.scans)
  if (before && isOlder(told, { changedAt: instantOf(before.changedAt), sentAt: instantOf(before.sentAt) })) {
    return hasOtherNumbers(before, told) ? known : { ...known, [fulfilment.id]: { ...before, ...(scans && { scans }) } }
  }
  const heard: HeardFulfilment = {
    changedAt: told.changedAt.toISOString(),
    sentAt: told.sentAt?.toISOString() ?? null,
    isActive: told.isActive,
    quantity: told.quantity ?? null,
    parcels: told.parcels.map((parcel) =>
      mergeParcel(
        parcel,
        heardBefore?.parcels.find(({ tracking_number }) => tracking_number === parcel.tracking_number),
      ),
    ),
    ...(scans && { scans }),
  }
  return { ...known, [fulfilment.id]: heard }
}

function fulfilmentOf(known: HeardOrder['fulfilments'], id: string): HeardFulfilment | undefined {
  return Object.hasOwn(known, id) ? known[id] : undefined
}

/** Steps belong to a number: one that stands for another parcel now begins anew. */
function hasOtherNumbers(before: HeardFulfilment, told: ReportedFulfilment): boolean {
  const numbers = (parcels: ReportedParcel[]) => parcels.map(({ tracking_number }) => tracking_number).join()
  return before.parcels.length > 0 && numbers(before.parcels) !== numbers(told.parcels)
}

function instantOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/** One shipment for each parcel, one for what was sent without a number yet, and one for what is still to be sent. */
export function expectedShipments({ quantity, fulfilments }: Pick<HeardOrder, 'quantity' | 'fulfilments'>): number {
  const active = Object.values(fulfilments).filter(({ isActive }) => isActive)
  const parcels = active.reduce((sum, fulfilment) => sum + Math.max(1, fulfilment.parcels.length), 0)
  const coversAll = active.some((fulfilment) => fulfilment.quantity === null)
  const sent = active.reduce((sum, fulfilment) => sum + (fulfilment.quantity ?? 0), 0)
  const isPartial = active.length === 0 || (!coversAll && quantity !== null && sent < quantity)
  return Math.min(100, Math.max(1, parcels + (isPartial ? 1 : 0)))
}

export interface ParcelChanges {
  /** Parcels that are new or of which something else is said now. */
  told: (ReportedParcel & { external_shipment_id: string })[]
  /** A number that stands for another one now, or for another carrier's. */
  replaced: { from: string; to: ReportedParcel & { external_shipment_id: string } }[]
  /** Numbers that no fulfilment has any more. */
  removed: string[]
}

/** What a message changes of an order's parcels. What it leaves as it is, is not told again. */
export function parcelChanges(known: HeardOrder, next: HeardOrder): ParcelChanges {
  const changes: ParcelChanges = { told: [], replaced: [], removed: [] }
  const staying = new Set(
    Object.values(next.fulfilments)
      .flatMap(parcelsOf)
      .map(({ tracking_number }) => tracking_number),
  )
  for (const id of new Set([...Object.keys(known.fulfilments), ...Object.keys(next.fulfilments)])) {
    const before = known.isApplied ? parcelsOf(known.fulfilments[id]) : []
    const now = parcelsOf(next.fulfilments[id])
    if (isDeepStrictEqual(before, now)) continue
    const told = now.map((parcel) => ({ ...parcel, external_shipment_id: id }))
    const gone = before.filter(({ tracking_number }) => !staying.has(tracking_number))
    const fresh = told.filter((parcel) => !before.some((other) => other.tracking_number === parcel.tracking_number))
    changes.told.push(...told)
    for (const [index, { tracking_number: from }] of gone.entries()) {
      const to = fresh[index]
      if (to) changes.replaced.push({ from, to })
      else changes.removed.push(from)
    }
    for (const to of told) {
      const same = before.find(({ tracking_number }) => tracking_number === to.tracking_number)
      if (same && same.tracking_company !== to.tracking_company) changes.replaced.push({ from: to.tracking_number, to })
    }
  }
  return changes
}

function parcelsOf(fulfilment: HeardFulfilment | undefined): ReportedParcel[] {
  return fulfilment?.isActive ? fulfilment.parcels : []
}

/** Whether what is told of a product comes too late to count. */
export function isLateProduct(product: ReportedProduct & { changedAt: Date }, known: HeardProduct): boolean {
  const isGone = known.deletedAt !== null && product.changedAt <= known.deletedAt && !product.isRestored
  return isGone || isOlder(product, known)
}
