import { type AddedDelivery, addDeliveries } from '../../deliveries/enqueue-store.ts'
import { wake } from '../../deliveries/wake-store.ts'
import type { Context } from '../../foundation/context.ts'
import { newId } from '../../foundation/ids.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { addSegmentsToOrders } from '../../journey/orders/segment-store.ts'
import { createClaimFor, updateClaimStatus } from '../claims/change.ts'
import { addressOf } from './check.ts'
import { type ActionOutcome, claimsAbout, type DueRun, finishRuns, hasShipment, lockDueRuns } from './run-store.ts'
import type { Action } from './schema.ts'

/**
 * Executes runs that are due, in one transaction with their outcomes: each action is done once. What is sent to others is
 * queued as a delivery, which is sent, retried and logged like any other. `onClaimed` is called with the runs before they
 * are executed.
 */
export async function executeDueRuns(
  context: Context,
  limit: number,
  onClaimed: (runs: DueRun[]) => void,
  only?: DueRun,
): Promise<void> {
  await inTransaction(context, async (context) => {
    const runs = await lockDueRuns(context, limit, only)
    onClaimed(runs)
    if (runs.length === 0) return
    const wanted = runs.filter(({ isWanted }) => isWanted)
    const gathered: Gathered = { deliveries: [], segments: [] }
    const outcomes = new Map<DueRun, ActionOutcome[]>()
    for (const run of wanted) {
      const done: ActionOutcome[] = []
      for (const action of run.actions) done.push(await act(context, run, action, gathered))
      outcomes.set(run, done)
    }
    await flush(context, gathered)
    await finishRuns(
      context,
      runs.map((run) => ({
        shopId: run.shopId,
        id: run.id,
        status: run.isWanted ? 'done' : 'cancelled',
        reason: run.isWanted ? null : `the automation was ${run.isDeleted ? 'deleted' : 'switched off'}`,
        outcomes: outcomes.get(run) ?? [],
      })),
    )
  })
}

/** What is written for all runs at once. */
interface Gathered {
  deliveries: AddedDelivery[]
  segments: { shopId: string; orderId: string; segment: string }[]
}

async function flush(context: Context, { deliveries, segments }: Gathered): Promise<void> {
  if (segments.length > 0) await addSegmentsToOrders(context, segments)
  if (deliveries.length === 0) return
  await addDeliveries(context, deliveries)
  const woken = new Map(deliveries.map(({ shopId, target }) => [`${shopId} ${target}`, { shopId, target }]))
  await wake(context, [...woken.values()])
}

async function act(context: Context, run: DueRun, action: Action, gathered: Gathered): Promise<ActionOutcome> {
  switch (action.type) {
    case 'notify':
      return send(context, run, action.integration, action.event_group ?? null, gathered)
    case 'webhook':
      return send(context, run, addressOf(action.url), null, gathered)
    case 'add_segment':
      return addSegment(run, action.segment, gathered)
    case 'update_claim':
      return changeClaims(context, run, action)
    case 'create_claim':
      return makeClaim(context, run, action)
  }
}

function send(
  context: Context,
  run: DueRun,
  target: string,
  eventGroup: string | null,
  gathered: Gathered,
): ActionOutcome {
  const id = newId(context.now)
  gathered.deliveries.push({ shopId: run.shopId, id, notificationId: run.notificationId, target, eventGroup })
  return { ...done, deliveryId: id }
}

function addSegment(run: DueRun, segment: string, gathered: Gathered): ActionOutcome {
  if (run.orderId === null) return skipped('the event has no order')
  gathered.segments.push({ shopId: run.shopId, orderId: run.orderId, segment })
  return done
}

/** The event's claim; for a shipment's event, all claims about the shipment. */
async function changeClaims(
  context: Context,
  run: DueRun,
  { status }: Extract<Action, { type: 'update_claim' }>,
): Promise<ActionOutcome> {
  const about = run.shipmentId === null ? [] : await claimsAbout(context, run.shopId, run.shipmentId)
  const claimIds: string[] = []
  for (const id of run.claimId === null ? about : [run.claimId]) {
    if (await updateClaimStatus(causedBy(context, run), { shopId: run.shopId, id }, status)) claimIds.push(id)
  }
  return claimIds.length > 0 ? { ...done, claimIds } : skipped(`there is no claim that can become ${status}`)
}

async function makeClaim(
  context: Context,
  run: DueRun,
  { reason, resolution_preference }: Extract<Action, { type: 'create_claim' }>,
): Promise<ActionOutcome> {
  const { shopId, shipmentId, orderId } = run
  if (shipmentId === null || orderId === null || !(await hasShipment(context, shopId, shipmentId))) {
    return skipped('the shipment is not there any more')
  }
  const id = await createClaimFor(
    causedBy(context, run),
    { shopId, id: shipmentId, orderId },
    { reason, ...(resolution_preference ? { resolution_preference } : {}) },
  )
  return { ...done, claimIds: [id] }
}

/** Effects of an action carry the chain of automations that led to them. */
function causedBy(context: Context, run: DueRun): Context {
  return { ...context, causedBy: [...run.causedBy, run.automationId] }
}

const done: ActionOutcome = { status: 'done', detail: null, deliveryId: null, claimIds: [] }

function skipped(detail: string): ActionOutcome {
  return { ...done, status: 'skipped', detail }
}
