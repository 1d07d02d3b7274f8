import { isDeepStrictEqual } from 'node:util'
import { isReturn } from '../../catalogue/catalogue.ts'
import { isDuplicate } from '../../database/errors.ts'
import { savepoint } from '../../database/savepoint.ts'
import { coalesced } from '../../foundation/coalesce.ts'
import type { Context } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import { newId } from '../../foundation/ids.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { predictorFor } from '../delivery-windows/predict.ts'
import { recordOwnEvents } from '../events/record.ts'
import { type CarrierHistories, carrierHistories } from '../shipments/carrier-history.ts'
import { deleteShipments, fulfilShipments, insertShipments, updateShipmentDetails } from '../shipments/store.ts'
import { updateShopCurrencies } from './currency-store.ts'
import { type PlannedOrder, planShipments, type ShipmentPlan } from './fulfilment.ts'
import { hasNothingToSend } from './remaining.ts'
import { changedOrder, isSameOrder, newOrder, numbersOf, type OrderRecord, withAnalytics } from './rules.ts'
import type { GivenOrder, OrderPlacement, OrderUpsert } from './schema.ts'
import {
  findKnownShipments,
  insertOrders,
  type KnownShipment,
  type LockedOrder,
  lockOrders,
  type OrderName,
  updateOrders,
} from './store.ts'
import { withoutAddress, withoutCustomer } from './without-customer.ts'

/** One order to write: an upsert, or a placement, which does not change an existing order. */
export interface OrderWrite {
  shopId: string
  now: Date
  upsert: OrderUpsert
  isPlacement: boolean
  /** What a shop system states beyond the fields of the order. */
  shipping?: ShippingState
  /** Where its problems are located: the body, or an item of a bulk. */
  loc: (string | number)[]
}

/** Undefined: the shop system does not state it, and the stored value stays. */
export interface ShippingState {
  hasNothingToSend: boolean | undefined
  isHandedOverWithoutTracking: boolean | undefined
}

export type WriteOutcome = { orderId: string; change: 'created' | 'updated' | 'unchanged' } | { refusal: ApiError }

/** Writes one order. Orders of requests in flight at the same moment share one transaction. */
export const writeOrder = coalesced(writeOrders)

export function placement(body: OrderPlacement): OrderUpsert {
  return { id: body.order_number, id_type: 'order_number', order: body, trackings: [] }
}

/** Writes a set of orders in one transaction and returns an outcome for each; a rejected one writes nothing. */
export async function writeOrders(context: Context, writes: OrderWrite[]): Promise<WriteOutcome[]> {
  const predict = await predictorFor(context, writes)
  const histories = await carrierHistories(context, writes)
  return inTransaction(context, async (context) => {
    const outcomes = new Map<OrderWrite, WriteOutcome>()
    let waiting = writes
    // A write is decided again if another write, of this set or of another node, has just created its order.
    for (let round = 0; waiting.length > 0; round += 1) {
      if (round > writes.length + 3) throw new Error('orders kept changing during this write')
      waiting = await writeRound(context, waiting, outcomes, predict, histories)
    }
    return writes.map((write) => outcomes.get(write) as WriteOutcome) // the loop ends when each has one
  })
}

type Predictor = Awaited<ReturnType<typeof predictorFor>>

interface Decided {
  write: OrderWrite
  order: OrderRecord & { shopId: string; id: string; now: Date }
  isNew: boolean
  isChanged: boolean
  plan: ShipmentPlan
}

/** Reads, decides and writes once; returns the writes that have to be decided again. */
async function writeRound(
  context: Context,
  writes: OrderWrite[],
  outcomes: Map<OrderWrite, WriteOutcome>,
  predictor: Predictor,
  histories: CarrierHistories,
): Promise<OrderWrite[]> {
  const { now: first, later } = onePerOrder(writes)
  const locked = await lockOrders(context, first.map(nameOf))
  const taken = new Set<string>()
  const known = await findKnownShipments(
    context,
    locked.filter((order) => order !== undefined),
  )
  const decided: Decided[] = []
  for (const [index, write] of first.entries()) {
    const order = locked[index]
    // Two names of one order: the second write is decided once the first is written.
    if (order && taken.has(order.id)) {
      later.push(write)
      continue
    }
    if (order) taken.add(order.id)
    try {
      const decision = decide(write, order, known.get(order?.id ?? '') ?? [], predictor, histories)
      if (decision) decided.push(decision)
      else outcomes.set(write, { orderId: order?.id ?? '', change: 'unchanged' })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      outcomes.set(write, { refusal: error })
    }
  }
  return [...later, ...(await keep(context, decided, outcomes))]
}

function nameOf({ shopId, upsert }: OrderWrite): OrderName {
  return { shopId, idType: upsert.id_type ?? 'order_number', id: upsert.id }
}

/** Of several writes to one order, the first is decided now; the others have to see its result. */
function onePerOrder(writes: OrderWrite[]): { now: OrderWrite[]; later: OrderWrite[] } {
  const seen = new Set<string>()
  const now: OrderWrite[] = []
  const later: OrderWrite[] = []
  for (const write of writes) {
    const { shopId, idType, id } = nameOf(write)
    const name = `${shopId} ${idType} ${id}`
    if (seen.has(name)) later.push(write)
    else now.push(write)
    seen.add(name)
  }
  return { now, later }
}

/** What a write changes; undefined if nothing. */
function decide(
  write: OrderWrite,
  known: LockedOrder | undefined,
  shipments: KnownShipment[],
  predictor: Predictor,
  histories: CarrierHistories,
): Decided | undefined {
  const { upsert, now, shopId, loc } = write
  if (known && write.isPlacement) return undefined
  if (!known && !upsert.order) throw orderNotFound(upsert)
  if (!known && upsert.id_type === 'uuid') throw orderNotFound(upsert)
  const given = known ? after(known, upsert) : before(upsert, upsert.order as GivenOrder, now, loc) // given, or rejected above
  const order = withShippingState(given, known, write, shipments)
  const id = known?.id ?? newId(now)
  const planned: PlannedOrder = {
    shopId,
    id,
    orderPlacedAt: order.orderPlacedAt,
    expectedShipments: draftsWanted(order),
    zipCode: order.zipCode,
    countryCode: countryOf(order),
    carrierHistory: histories.get(shopId),
    now,
  }
  const trackings = known?.isErased ? upsert.trackings.map(withoutAddress) : upsert.trackings
  const plan = planShipments(planned, shipments, trackings, {
    adjustDrafts: !known || draftsWanted(known) !== draftsWanted(order),
    predict: predictor(planned),
    loc,
  })
  const isChanged = known !== undefined && !isSameOrder(known, order)
  if (known && !isChanged && isNothing(plan)) return undefined
  return { write, order: { ...order, shopId, id, now }, isNew: !known, isChanged, plan }
}

/** An order with nothing to send has no drafts. It gets them again when a product to send is added. */
function draftsWanted(order: OrderRecord): number {
  return order.hasNothingToSend ? 0 : order.expectedShipments
}

/**
 * What the shop system states takes precedence. Otherwise `hasNothingToSend` is computed only when the products change,
 * so that an earlier statement about them stays. An order with a tracking number is not handed over without one.
 */
function withShippingState(
  order: OrderRecord,
  known: LockedOrder | undefined,
  { shipping, upsert }: OrderWrite,
  shipments: KnownShipment[],
): OrderRecord {
  const isAsBefore = known !== undefined && isOfSameProducts(known, order)
  const hasNumber =
    upsert.trackings.length > 0 ||
    shipments.some(({ trackingNumber, direction }) => trackingNumber !== null && !isReturn(direction))
  const isHandedOver = shipping?.isHandedOverWithoutTracking ?? known?.isHandedOverWithoutTracking ?? false
  return {
    ...order,
    hasNothingToSend:
      shipping?.hasNothingToSend ?? (isAsBefore ? known.hasNothingToSend : hasNothingToSend(order.details)),
    isHandedOverWithoutTracking: isHandedOver && !hasNumber,
  }
}

function isOfSameProducts({ details: { products } }: OrderRecord, { details }: OrderRecord): boolean {
  return products === details.products || isDeepStrictEqual(products, details.products)
}

function before(upsert: OrderUpsert, order: GivenOrder, now: Date, loc: (string | number)[]): OrderRecord {
  return withAnalytics(newOrder(named(order, upsert), numbersOf(upsert, order, loc), now), upsert.order_analytics)
}

/** An order that is looked up by its name has that name, even if the payload omits it. */
function named(order: GivenOrder, { id, id_type }: OrderUpsert): GivenOrder {
  return id_type === 'order_name' ? { ...order, order_name: id } : order
}

function after(known: LockedOrder, upsert: OrderUpsert): OrderRecord {
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

function isNothing(plan: ShipmentPlan): boolean {
  return plan.inserts.length + plan.fulfils.length + plan.updates.length + plan.removes.length === 0
}

export function countryOf(order: Pick<OrderRecord, 'details'>): string | null {
  const { address } = order.details as { address?: { country_code?: string } }
  return /^\s*([A-Za-z]{2})\b/.exec(address?.country_code ?? '')?.[1]?.toUpperCase() ?? null
}

/** Writes the decisions; returns the writes whose order another transaction has created in the meantime. */
async function keep(
  context: Context,
  decided: Decided[],
  outcomes: Map<OrderWrite, WriteOutcome>,
): Promise<OrderWrite[]> {
  const inserted = await insertOrders(
    context,
    decided.filter(({ isNew }) => isNew).map(({ order }) => order),
  )
  if (inserted.foreignShopIds.length > 0) await updateShopCurrencies(context, inserted.foreignShopIds)
  const lost = decided.filter(({ isNew, order }) => isNew && !inserted.ids.has(order.id))
  const again = await sortOut(context, lost, outcomes)
  const kept = decided.filter((decision) => !lost.includes(decision))
  await updateChanged(context, kept, outcomes)
  const alive = kept.filter(({ write }) => !outcomes.has(write))
  const plans = alive.map(({ plan }) => plan)
  await insertShipments(
    context,
    plans.flatMap(({ inserts }) => inserts),
  )
  await fulfilShipments(
    context,
    plans.flatMap(({ fulfils }) => fulfils),
  )
  await updateShipmentDetails(
    context,
    plans.flatMap(({ updates }) => updates),
  )
  for (const { order, plan } of alive) await deleteShipments(context, order.shopId, plan.removes)
  await recordOwnEvents(
    context,
    plans.flatMap(({ events }) => events),
  )
  for (const { write, order, isNew } of alive) {
    outcomes.set(write, { orderId: order.id, change: isNew ? 'created' : 'updated' })
  }
  return again
}

/**
 * New orders that could not be inserted. If the order exists by now, its write is decided again. Otherwise another
 * order has its number or external id, and the write is rejected.
 */
async function sortOut(
  context: Context,
  lost: Decided[],
  outcomes: Map<OrderWrite, WriteOutcome>,
): Promise<OrderWrite[]> {
  if (lost.length === 0) return []
  const named = await lockOrders(
    context,
    lost.map(({ write }) => nameOf(write)),
  )
  const again = lost.filter((_, index) => named[index] !== undefined).map(({ write }) => write)
  const refused = lost.filter((_, index) => named[index] === undefined)
  const byNumber = await lockOrders(
    context,
    refused.map(({ order }) => ({ shopId: order.shopId, idType: 'order_number', id: order.orderNumber })),
  )
  for (const [index, { write, order }] of refused.entries()) {
    const isExternal = byNumber[index] === undefined
    outcomes.set(write, { refusal: orderExists(isExternal ? order.externalId : order.orderNumber, isExternal) })
  }
  return again
}

function orderExists(id: string, isExternal: boolean): ApiError {
  const name = isExternal ? 'external_id' : 'order_number'
  return new ApiError('order_exists', `Another order of this shop has the ${name} ${JSON.stringify(id)}.`)
}

/** Only an order whose numbers change can collide with another one, so it is written in a savepoint of its own. */
async function updateChanged(
  context: Context,
  decided: Decided[],
  outcomes: Map<OrderWrite, WriteOutcome>,
): Promise<void> {
  const changed = decided.filter(({ isChanged }) => isChanged)
  const isRenamed = ({ write, order }: Decided) => {
    const { order_number, external_id } = write.upsert.order ?? {}
    const given = [order_number, external_id].filter((value) => value !== undefined && value !== null)
    return given.length > 0 && given.some((value) => value !== write.upsert.id) && order !== undefined
  }
  await updateOrders(
    context,
    changed.filter((decision) => !isRenamed(decision)).map(({ order }) => order),
  )
  for (const decision of changed.filter(isRenamed)) {
    try {
      await savepoint(context, () => updateOrders(context, [decision.order]))
    } catch (error) {
      if (!isDuplicate(error)) throw error
      const isExternal = isDuplicate(error, 'orders_external_id')
      const { orderNumber, externalId } = decision.order
      outcomes.set(decision.write, { refusal: orderExists(isExternal ? externalId : orderNumber, isExternal) })
    }
  }
}
