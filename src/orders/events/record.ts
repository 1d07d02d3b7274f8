import { publish } from '../../delivery/receivers/publish.ts'
import type { RecordedEvent } from '../../delivery/receivers/recorded-event.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { recomputeShipments } from './recompute.ts'
import { lockShipments } from './recompute-store.ts'
import { type EventOutcome, type IncomingEvent, insertSystemEvents, recordEvents, type SystemEvent } from './store.ts'
import { toRecordedEvent } from './to-recorded-event.ts'

/** Records events and enqueues the deliveries about them, in one transaction. */
export async function recordAndPublish(context: Context, events: IncomingEvent[]): Promise<EventOutcome[]> {
  // Without anyone to notify, a single statement is enough.
  if (!events.some(({ isNotified }) => isNotified)) return recordAndRecompute(context, events)
  return inTransaction(context, async (context) => {
    const outcomes = await recordAndRecompute(context, events)
    await publish(
      context,
      events.flatMap((event, index) => toPublish(event, outcomes[index])),
    )
    return outcomes
  })
}

/** Records events. If a cancellation may count again, which is rare, the shipment is recomputed from all its events. */
async function recordAndRecompute(context: Context, events: IncomingEvent[]): Promise<EventOutcome[]> {
  const outcomes = await recordEvents(context, events)
  const affected = events.flatMap(({ shopId }, index) => {
    const outcome = outcomes[index]
    if (outcome?.result !== 'recorded' || !outcome.followsCancellation) return []
    return [{ shopId, shipmentId: outcome.shipmentId }]
  })
  if (affected.length > 0) {
    await inTransaction(context, async (context) => {
      await lockShipments(context, affected)
      await recomputeShipments(context, affected)
    })
  }
  return outcomes
}

/** Records and publishes events of ours, such as ORDER_CREATED, in the transaction that causes them. */
export async function recordSystemEvents(context: Context, events: SystemEvent[]): Promise<void> {
  await insertSystemEvents(context, events)
  await publish(
    context,
    events.flatMap((event) => toRecordedEvent({ eventName: event.eventKey, ...event })),
  )
}

function toPublish(event: IncomingEvent, outcome: EventOutcome | undefined): RecordedEvent[] {
  if (!event.isNotified || outcome?.result !== 'recorded' || outcome.isQuiet) return []
  return toRecordedEvent({
    shopId: event.shopId,
    shipmentId: outcome.shipmentId,
    orderId: outcome.orderId,
    direction: outcome.direction,
    eventName: event.eventKey,
    eventTime: event.eventTime,
    now: event.now,
  })
}
