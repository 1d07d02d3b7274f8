import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import type { OrderFields, ReportedOrder } from '../../adapters/shop-systems/shop-system.ts'
import type { OrderWrite, ShippingState } from '../../orders/orders/decide.ts'
import type { GivenOrder, OrderUpsert } from '../../orders/orders/schema.ts'
import { type LockedOrder, lockOrders, type OrderName } from '../../orders/orders/store.ts'
import { writeOrders } from '../../orders/orders/upsert.ts'
import { promiseIn } from '../../orders/promises/order-promise.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { MappingData } from '../../shops/settings/bundle-schema.ts'
import { getSettings } from '../../shops/settings/store.ts'
import { changeNumbers } from './change-numbers.ts'
import { applyMappings, type Mapped } from './mapping.ts'
import { markCancelled } from './mark-cancelled.ts'
import { mergeFields } from './merge-fields.ts'
import { withOrderedAmounts } from './parcel-amounts.ts'
import { recordScans } from './record-scans.ts'
import {
  expectedShipments,
  isOlder,
  isSameSnapshot,
  type OrderSnapshot,
  type ParcelChanges,
  parcelChanges,
  whatIsSaid,
} from './rules.ts'
import { lockOrderSnapshots, updateOrderSnapshots } from './store.ts'
import { erasedFulfilments } from './without-customer.ts'

/** One message: how it changes the order's snapshot, and the order itself if it carries one. */
export interface OrderMessage {
  externalId: string
  order: TimedOrder | undefined
  merge(known: OrderSnapshot): OrderSnapshot
}

type TimedOrder = ReportedOrder & { changedAt: Date }

export interface AppliedMessage {
  orderId?: string
  change: 'created' | 'updated' | 'unchanged'
}

/** A message next to what is known of its order. */
interface Step {
  message: OrderMessage
  /** Our order; undefined if it is new, or unknown so far. */
  order: LockedOrder | undefined
  /** The message's order, if it is the newest state. */
  reported: TimedOrder | undefined
  /** The same, if a newer state is known. */
  late: TimedOrder | undefined
  before: OrderSnapshot
  next: OrderSnapshot
  changes: ParcelChanges
}

export async function applyOrderMessage(
  context: ShopContext,
  system: ShopSystemName,
  message: OrderMessage,
): Promise<AppliedMessage> {
  const [applied] = await applyOrderMessages(context, system, [message])
  if (applied === undefined) throw new Error('a message has a result')
  return applied
}

/**
 * Applies messages to our orders, inside the caller's transaction, and returns a result for each. If one is rejected, it
 * throws, and the caller undoes all of them.
 */
export async function applyOrderMessages(
  context: ShopContext,
  system: ShopSystemName,
  messages: OrderMessage[],
): Promise<AppliedMessage[]> {
  const applied = new Map<OrderMessage, AppliedMessage>()
  let waiting = messages
  while (waiting.length > 0) {
    const { now, later } = onePerOrder(waiting)
    for (const [message, result] of await applySet(context, system, now)) applied.set(message, result)
    waiting = later
  }
  return messages.map((message) => applied.get(message) as AppliedMessage) // the loop ends when each has one
}

/** Of several messages about one order, by any of its names, the first is applied now; the others need its result. */
function onePerOrder(messages: OrderMessage[]): { now: OrderMessage[]; later: OrderMessage[] } {
  const seen = new Set<string>()
  const now: OrderMessage[] = []
  const later: OrderMessage[] = []
  for (const message of messages) {
    const names = [message.externalId, ...(message.order ? [message.order.orderNumber] : [])]
    if (names.some((name) => seen.has(name))) later.push(message)
    else now.push(message)
    for (const name of names) seen.add(name)
  }
  return { now, later }
}

/**
 * Applies messages about different orders. Until an order itself is known, only its snapshot is updated, and it is applied
 * when the order arrives.
 */
async function applySet(
  context: ShopContext,
  system: ShopSystemName,
  messages: OrderMessage[],
): Promise<[OrderMessage, AppliedMessage][]> {
  const snapshots = await lockOrderSnapshots(
    context,
    system,
    messages.map(({ externalId }) => externalId),
  )
  const orders = await findOrders(context, messages)
  const steps = messages.map(
    (message, index) => stepOf(message, snapshots.get(message.externalId) as OrderSnapshot, orders[index]), // each was just created or found
  )
  const isApplicable = ({ order, reported }: Step) => order !== undefined || reported !== undefined
  const applicable = steps.filter(isApplicable)
  for (const { order, changes } of applicable) if (order) await changeNumbers(context, order, changes)
  const written = await writeAll(context, system, applicable)
  await markCancelled(context, written)
  await recordScans(context, system, written)
  await updateOrderSnapshots(
    context,
    system,
    steps.flatMap((step) => {
      const { externalId } = step.message
      const snapshot = isApplicable(step)
        ? { ...step.next, isApplied: true }
        : { ...step.next, expectedShipments: 1, isApplied: false }
      const known = snapshots.get(externalId)
      return known && isSameSnapshot(known, snapshot) ? [] : [{ externalId, snapshot }]
    }),
  )
  const unknown = steps.filter((step) => !isApplicable(step))
  return [
    ...unknown.map(({ message }): [OrderMessage, AppliedMessage] => [message, { change: 'unchanged' }]),
    ...written.map(({ message, orderId, change }): [OrderMessage, AppliedMessage] => [message, { orderId, change }]),
  ]
}

function stepOf(message: OrderMessage, known: OrderSnapshot, order: LockedOrder | undefined): Step {
  const isLate = message.order !== undefined && isOlder(message.order, known)
  const snapshot = message.merge(known)
  // Erased data stays erased, even if it is reported again.
  const fulfilments = order?.isErased ? erasedFulfilments(snapshot.fulfilments) : snapshot.fulfilments
  const next = { ...snapshot, fulfilments, expectedShipments: expectedShipments(snapshot) }
  // If our order no longer exists, the snapshot has to be applied from the start.
  const before = { ...known, isApplied: known.isApplied && order !== undefined }
  return {
    message,
    order,
    reported: isLate ? undefined : message.order && whatIsSaid(message.order, order !== undefined),
    late: isLate ? message.order : undefined,
    before,
    next,
    changes: parcelChanges(before, next),
  }
}

/**
 * By the system's id, else by the order number: an order from a file or the API, created before the shop system was
 * connected, has its number as its external id.
 */
async function findOrders(context: ShopContext, messages: OrderMessage[]): Promise<(LockedOrder | undefined)[]> {
  const shopId = context.shop.id
  const names = messages.flatMap(({ externalId, order }): OrderName[] => [
    { shopId, idType: 'external_id', id: externalId },
    ...(order ? [{ shopId, idType: 'order_number' as const, id: order.orderNumber }] : []),
  ])
  const locked = await lockOrders(context, names)
  let position = 0
  return messages.map(({ order }) => {
    const byId = locked[position]
    const byNumber = order ? locked[position + 1] : undefined
    position += order ? 2 : 1
    return byId ?? (byNumber?.externalId === byNumber?.orderNumber ? byNumber : undefined)
  })
}

async function writeAll(context: ShopContext, system: ShopSystemName, steps: Step[]) {
  if (steps.length === 0) return []
  const isMapped = steps.some(({ reported }) => reported !== undefined)
  const mappings = isMapped ? (await getSettings(context, context.shop.id)).mappings : {}
  const outcomes = await writeOrders(
    context,
    steps.map((step) => writeOf(context, system, mappings, step)),
  )
  return steps.map((step, index) => {
    const outcome = outcomes[index]
    if (outcome === undefined) throw new Error('a write has an outcome')
    if ('error' in outcome) throw outcome.error
    return { ...step, ...outcome }
  })
}

function writeOf(context: ShopContext, system: ShopSystemName, mappings: MappingData, step: Step): OrderWrite {
  const { message, order, changes } = step
  const shopId = context.shop.id
  const hasItsId = order === undefined || order.externalId === message.externalId
  const part = orderPart(system, mappings, step)
  const upsert: OrderUpsert = {
    id: hasItsId ? message.externalId : order.orderNumber,
    id_type: hasItsId ? 'external_id' : 'order_number',
    trackings: withOrderedAmounts(changes.reported, { ...order?.details, ...part.order }),
    ...part,
  }
  const { promise } = promiseIn(context, shopId, upsert.order ?? {})
  return { shopId, now: context.now, upsert, promise, isPlacement: false, shipping: shippingOf(step), loc: ['body'] }
}

/** A cancelled order keeps its drafts, which show the cancellation. An order without drafts does not get new ones. */
function shippingOf({ reported, order, next: { cancelledAt } }: Step): ShippingState {
  return {
    hasNothingToSend: cancelledAt ? (order?.hasNothingToSend ?? false) : reported?.nothingToSend,
    isHandedOverWithoutTracking: reported?.handedOverWithoutTracking,
  }
}

/** The order in the form of our own API. Without a whole order, only the number of expected shipments can change. */
function orderPart(
  system: ShopSystemName,
  mappings: MappingData,
  { reported, late, order, before, next }: Step,
): Pick<OrderUpsert, 'order' | 'order_analytics'> {
  const known = before.isApplied ? before.expectedShipments : 1
  const expected: GivenOrder =
    next.expectedShipments === known ? {} : { expected_number_of_shipments: next.expectedShipments }
  if (reported === undefined) {
    // From a late message, take only the fields that no newer message has set.
    const others = late && order ? mergeFields(fieldsOf(order), late.fields) : {}
    const fields = { ...others, ...expected }
    return Object.keys(fields).length === 0 ? {} : { order: fields }
  }
  const mapped = applyMappings(system, mappings, reported)
  return {
    order: {
      ...(order ? mergeFields(reported.fields, fieldsOf(order)) : reported.fields),
      ...mapped.fields,
      ...segmentsOf(order, mapped),
      ...withoutOldFees(order, reported.fields),
      ...expected,
      order_number: reported.orderNumber,
      external_id: reported.id,
    },
    order_analytics: mapped.analytics,
  }
}

/** An absent list leaves the stored one, so a fee that is no longer charged is removed by an empty one. */
function withoutOldFees(order: LockedOrder | undefined, { products, fees }: OrderFields): Pick<GivenOrder, 'fees'> {
  const isGone = products !== undefined && fees === undefined && order?.details.fees !== undefined
  return isGone ? { fees: [] } : {}
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
