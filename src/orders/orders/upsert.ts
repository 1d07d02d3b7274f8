import { coalesced } from '../../platform/foundation/coalesce.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { isDuplicate } from '../../platform/store/errors.ts'
import { savepoint } from '../../platform/store/savepoint.ts'
import { predictorFor } from '../delivery-windows/predict.ts'
import { recordSystemEvents } from '../events/record.ts'
import { writePromises } from '../promises/store.ts'
import { carrierHistories } from '../shipments/carrier-history.ts'
import { deleteShipments, fulfilShipments, insertShipments, updateShipmentDetails } from '../shipments/write-store.ts'
import { updateShopCurrencies } from './currency-store.ts'
import { type Decision, decide, type OrderWrite, type PastParcels } from './decide.ts'
import type { OrderPlacement, OrderUpsert } from './schema.ts'
import { findKnownShipments, insertOrders, lockOrders, type OrderName, updateOrders } from './store.ts'

export type WriteOutcome = { orderId: string; change: 'created' | 'updated' | 'unchanged' } | { error: ApiError }

/** Writes one order. Orders of requests in flight at the same moment share one transaction. */
export const writeOrder = coalesced(writeOrders)

export function placementUpsert(body: OrderPlacement): OrderUpsert {
  return { id: body.order_number, id_type: 'order_number', order: body, trackings: [] }
}

/** Writes a set of orders in one transaction and returns an outcome for each; a rejected one writes nothing. */
export async function writeOrders(context: Context, writes: OrderWrite[]): Promise<WriteOutcome[]> {
  const predictor = await predictorFor(context, writes)
  const histories = await carrierHistories(context, writes)
  return inTransaction(context, async (context) => {
    const outcomes = new Map<OrderWrite, WriteOutcome>()
    let waiting = writes
    // A write is decided again if another write, of this set or of another node, has just created its order.
    for (let round = 0; waiting.length > 0; round += 1) {
      if (round > writes.length + 3) throw new Error('orders uncontested changing during this write')
      waiting = await writeRound(context, waiting, outcomes, { predictor, histories })
    }
    return writes.map((write) => outcomes.get(write) as WriteOutcome) // the loop ends when each has one
  })
}

/** Reads, decides and writes once; returns the writes that have to be decided again. */
async function writeRound(
  context: Context,
  writes: OrderWrite[],
  outcomes: Map<OrderWrite, WriteOutcome>,
  past: PastParcels,
): Promise<OrderWrite[]> {
  const { now: first, later } = onePerOrder(writes)
  const locked = await lockOrders(context, first.map(orderNameOf))
  const decidedIds = new Set<string>()
  const known = await findKnownShipments(
    context,
    locked.filter((order) => order !== undefined),
  )
  const decided: Decision[] = []
  for (const [index, write] of first.entries()) {
    const order = locked[index]
    // Two names of one order: the second write is decided once the first is written.
    if (order && decidedIds.has(order.id)) {
      later.push(write)
      continue
    }
    if (order) decidedIds.add(order.id)
    try {
      const decision = decide(write, order, known.get(order?.id ?? '') ?? [], past)
      if (decision) decided.push(decision)
      else outcomes.set(write, { orderId: order?.id ?? '', change: 'unchanged' })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      outcomes.set(write, { error })
    }
  }
  return [...later, ...(await writeDecisions(context, decided, outcomes))]
}

function orderNameOf({ shopId, upsert }: OrderWrite): OrderName {
  return { shopId, idType: upsert.id_type ?? 'order_number', id: upsert.id }
}

/** Of several writes to one order, the first is decided now; the others have to see its result. */
function onePerOrder(writes: OrderWrite[]): { now: OrderWrite[]; later: OrderWrite[] } {
  const seen = new Set<string>()
  const now: OrderWrite[] = []
  const later: OrderWrite[] = []
  for (const write of writes) {
    const { shopId, idType, id } = orderNameOf(write)
    const name = `${shopId} ${idType} ${id}`
    if (seen.has(name)) later.push(write)
    else now.push(write)
    seen.add(name)
  }
  return { now, later }
}

/** Writes the decisions; returns the writes whose order another transaction has created in the meantime. */
async function writeDecisions(
  context: Context,
  decided: Decision[],
  outcomes: Map<OrderWrite, WriteOutcome>,
): Promise<OrderWrite[]> {
  const inserted = await insertOrders(
    context,
    decided.filter(({ isNew }) => isNew).map(({ order }) => order),
  )
  if (inserted.foreignShopIds.length > 0) await updateShopCurrencies(context, inserted.foreignShopIds)
  const conflicting = decided.filter(({ isNew, order }) => isNew && !inserted.ids.has(order.id))
  const retries = await resolveConflicts(context, conflicting, outcomes)
  const uncontested = decided.filter((decision) => !conflicting.includes(decision))
  await updateChanged(context, uncontested, outcomes)
  const accepted = uncontested.filter(({ write }) => !outcomes.has(write))
  const plans = accepted.map(({ plan }) => plan)
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
  for (const { order, plan } of accepted) await deleteShipments(context, order.shopId, plan.removes)
  await writePromises(
    context,
    accepted.flatMap(({ promise }) => promise ?? []),
  )
  await recordSystemEvents(
    context,
    plans.flatMap(({ events }) => events),
  )
  for (const { write, order, isNew } of accepted) {
    outcomes.set(write, { orderId: order.id, change: isNew ? 'created' : 'updated' })
  }
  return retries
}

/**
 * New orders that could not be inserted. If the order exists by now, its write is decided again. Otherwise another
 * order has its number or external id, and the write is rejected.
 */
async function resolveConflicts(
  context: Context,
  conflicting: Decision[],
  outcomes: Map<OrderWrite, WriteOutcome>,
): Promise<OrderWrite[]> {
  if (conflicting.length === 0) return []
  const byName = await lockOrders(
    context,
    conflicting.map(({ write }) => orderNameOf(write)),
  )
  const retries = conflicting.filter((_, index) => byName[index] !== undefined).map(({ write }) => write)
  const rejected = conflicting.filter((_, index) => byName[index] === undefined)
  const byNumber = await lockOrders(
    context,
    rejected.map(({ order }) => ({ shopId: order.shopId, idType: 'order_number', id: order.orderNumber })),
  )
  for (const [index, { write, order }] of rejected.entries()) {
    const isExternal = byNumber[index] === undefined
    outcomes.set(write, { error: orderExists(isExternal ? order.externalId : order.orderNumber, isExternal) })
  }
  return retries
}

function orderExists(id: string, isExternal: boolean): ApiError {
  const name = isExternal ? 'external_id' : 'order_number'
  return new ApiError('order_exists', `Another order of this shop has the ${name} ${JSON.stringify(id)}.`)
}

/** Only an order whose numbers change can collide with another one, so it is written in a savepoint of its own. */
async function updateChanged(
  context: Context,
  decided: Decision[],
  outcomes: Map<OrderWrite, WriteOutcome>,
): Promise<void> {
  const changed = decided.filter(({ isChanged }) => isChanged)
  const isRenamed = ({ write, order }: Decision) => {
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
      outcomes.set(decision.write, { error: orderExists(isExternal ? externalId : orderNumber, isExternal) })
    }
  }
}
