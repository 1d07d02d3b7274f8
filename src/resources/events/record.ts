import { type Context, inTransaction } from '../../foundation/operation.ts'
import { publishEvents, type RecordedEvent } from '../../notifications/publish.ts'
import { type EventOutcome, type IncomingEvent, recordEvents, recordSystemEvents, type SystemEvent } from './store.ts'

/** Records events and queues what has to be told of them, in one transaction. */
export async function recordAndPublish(context: Context, events: IncomingEvent[]): Promise<EventOutcome[]> {
  // Without anybody to tell, one statement is the whole transaction.
  if (!events.some(({ isNotified }) => isNotified)) return recordEvents(context, events)
  return inTransaction(context, async (context) => {
    const outcomes = await recordEvents(context, events)
    await publishEvents(
      context,
      events.flatMap((event, index) => toPublish(event, outcomes[index])),
    )
    return outcomes
  })
}

/** Records events of ours, such as ORDER_CREATED, in the transaction that causes them. */
export async function recordOwnEvents(context: Context, events: SystemEvent[]): Promise<void> {
  await recordSystemEvents(context, events)
  await publishEvents(
    context,
    events.map(({ eventKey, ...event }) => ({ ...event, eventName: eventKey })),
  )
}

function toPublish(event: IncomingEvent, outcome: EventOutcome | undefined): RecordedEvent[] {
  if (!event.isNotified || outcome?.result !== 'recorded') return []
  return [
    {
      shopId: event.shopId,
      shipmentId: outcome.shipmentId,
      orderId: outcome.orderId,
      direction: outcome.direction,
      eventName: event.eventKey,
      eventTime: event.eventTime,
      now: event.now,
    },
  ]
}
