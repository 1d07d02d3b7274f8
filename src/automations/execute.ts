import { createClaimFor, updateClaimStatus } from '../claims/claims/change.ts'
import { type AddedDelivery, addDeliveries } from '../delivery/queue/enqueue-store.ts'
import { wake } from '../delivery/queue/wake-store.ts'
import { addSegmentsToOrders } from '../orders/orders/segment-store.ts'
import type { Context } from '../platform/foundation/context.ts'
import { newId } from '../platform/foundation/ids.ts'
import { inTransaction } from '../platform/foundation/transaction.ts'
import { normalizeUrl } from './check.ts'
import {
  type ActionOutcome,
  type DueRun,
  findClaimIdsOfShipment,
  finishRuns,
  hasShipment,
  lockDueRuns,
} from './run-store.ts'
import type { Action } from './schema.ts'

/**
 * Executes due runs and records their outcomes in one transaction, so that each action is executed exactly once. Anything
 * to be sent is enqueued as a delivery, which is sent, retried and logged like any other. `onLocked` gets the runs before
 * they are executed.
 */
export async function executeDueRuns(
  context: Context,
  limit: number,
  onLocked: (runs: DueRun[]) => void,
  only?: DueRun,
): Promise<void> {
  await inTransaction(context, async (context) => {
    const runs = await lockDueRuns(context, limit, only)
    onLocked(runs)
    if (runs.length === 0) return
    const active = runs.filter(({ isActive }) => isActive)
    const batch: Batch = { deliveries: [], segments: [] }
    const outcomes = new Map<DueRun, ActionOutcome[]>()
    for (const run of active) {
      const outcomesOfRun: ActionOutcome[] = []
      for (const action of run.actions) outcomesOfRun.push(await executeAction(context, run, action, batch))
      outcomes.set(run, outcomesOfRun)
    }
    await writeBatch(context, batch)
    await finishRuns(
      context,
      runs.map((run) => ({
        shopId: run.shopId,
        id: run.id,
        status: run.isActive ? 'done' : 'cancelled',
        reason: run.isActive ? null : `the automation was ${run.isDeleted ? 'deleted' : 'switched off'}`,
        outcomes: outcomes.get(run) ?? [],
      })),
    )
  })
}

/** The rows that are written for all runs together. */
interface Batch {
  deliveries: AddedDelivery[]
  segments: { shopId: string; orderId: string; segment: string }[]
}

async function writeBatch(context: Context, { deliveries, segments }: Batch): Promise<void> {
  if (segments.length > 0) await addSegmentsToOrders(context, segments)
  if (deliveries.length === 0) return
  await addDeliveries(context, deliveries)
  const receivers = new Map(
    deliveries.map(({ shopId, receiverId }) => [`${shopId} ${receiverId}`, { shopId, receiverId }]),
  )
  await wake(context, [...receivers.values()])
}

async function executeAction(context: Context, run: DueRun, action: Action, batch: Batch): Promise<ActionOutcome> {
  switch (action.type) {
    case 'notify':
      return enqueueDelivery(
        context,
        run,
        { receiverId: action.integration, eventGroup: action.event_group ?? null },
        batch,
      )
    case 'webhook':
      return enqueueDelivery(context, run, { receiverId: normalizeUrl(action.url), eventGroup: null }, batch)
    case 'add_segment':
      return addSegment(run, action.segment, batch)
    case 'update_claim':
      return updateClaimsOfEvent(context, run, action)
    case 'create_claim':
      return createClaimForEvent(context, run, action)
  }
}

function enqueueDelivery(
  context: Context,
  run: DueRun,
  { receiverId, eventGroup }: Pick<AddedDelivery, 'receiverId' | 'eventGroup'>,
  batch: Batch,
): ActionOutcome {
  const id = newId(context.now)
  batch.deliveries.push({ shopId: run.shopId, id, notificationId: run.notificationId, receiverId, eventGroup })
  return { ...done, deliveryId: id }
}

function addSegment(run: DueRun, segment: string, batch: Batch): ActionOutcome {
  if (run.orderId === null) return skipped('the event has no order')
  batch.segments.push({ shopId: run.shopId, orderId: run.orderId, segment })
  return done
}

/** Updates the event's claim or, for an event of a shipment, all claims about that shipment. */
async function updateClaimsOfEvent(
  context: Context,
  run: DueRun,
  { status }: Extract<Action, { type: 'update_claim' }>,
): Promise<ActionOutcome> {
  const ofShipment = run.shipmentId === null ? [] : await findClaimIdsOfShipment(context, run.shopId, run.shipmentId)
  const updated: string[] = []
  for (const id of run.claimId === null ? ofShipment : [run.claimId]) {
    if (await updateClaimStatus(causedBy(context, run), { shopId: run.shopId, id }, status)) updated.push(id)
  }
  return updated.length > 0 ? { ...done, claimIds: updated } : skipped(`there is no claim that can become ${status}`)
}

async function createClaimForEvent(
  context: Context,
  run: DueRun,
  { reason, resolution_preference }: Extract<Action, { type: 'create_claim' }>,
): Promise<ActionOutcome> {
  const { shopId, shipmentId, orderId } = run
  if (shipmentId === null || orderId === null || !(await hasShipment(context, shopId, shipmentId))) {
    return skipped('the shipment no longer exists')
  }
  const id = await createClaimFor(
    causedBy(context, run),
    { shopId, id: shipmentId, orderId },
    { reason, ...(resolution_preference ? { resolution_preference } : {}) },
  )
  return { ...done, claimIds: [id] }
}

/** Records which automations led to the events of an action, to prevent loops. */
function causedBy(context: Context, run: DueRun): Context {
  return { ...context, causedBy: [...run.causedBy, run.automationId] }
}

const done: ActionOutcome = { status: 'done', detail: null, deliveryId: null, claimIds: [] }

function skipped(detail: string): ActionOutcome {
  return { ...done, status: 'skipped', detail }
}
