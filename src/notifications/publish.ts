import { getMeaning, groupOf } from '../catalogue/catalogue.ts'
import type { Context } from '../foundation/context.ts'
import { shipmentEventData } from './event-data.ts'
import { filtersOf } from './filters.ts'
import { chooseTargets, type News, queueDeliveries } from './queue.ts'
import type { Candidate, Target } from './store.ts'

/** An event of a shipment that was recorded in this transaction and may have to be told. */
export interface RecordedEvent {
  shopId: string
  shipmentId: string
  orderId: string
  direction: string
  eventName: string
  eventTime: Date
  now: Date
}

/** The group that is told for every event of the phase delivered, where a shop asks for all of them. */
const everyDelivery = 'shipment_delivered_all_events'

/**
 * Decides who is told of events, builds each payload once from what the transaction has just made of the order, and
 * queues a delivery for each receiver: all in the transaction of the events themselves, so that nothing is told of what
 * is rolled back, and nothing that is committed goes untold.
 */
export async function publishEvents(context: Context, events: RecordedEvent[]): Promise<void> {
  const told = events.filter((event) => groupOf(getMeaning(event.eventName), event.direction) !== undefined)
  const chosen = await chooseTargets(context, told, candidateOf)
  await tell(
    context,
    chosen.map(({ event, targets }) => ({ event, targets, eventGroup: groupOfEvent(event) })),
  )
}

/** An event with those who are told of it. */
export interface Telling {
  event: RecordedEvent
  eventGroup: string
  /** The internal trigger that fired. */
  triggerName?: string
  targets: Omit<Target, 'n'>[]
}

/** Builds the payloads and queues the deliveries. */
export async function tell(context: Context, tellings: Telling[]): Promise<void> {
  await queueDeliveries(context, tellings.map(newsOf))
}

function groupOfEvent(event: RecordedEvent): string {
  return groupOf(getMeaning(event.eventName), event.direction) ?? ''
}

function candidateOf(event: RecordedEvent): Candidate {
  const meaning = getMeaning(event.eventName)
  return {
    shopId: event.shopId,
    filters: filtersOf(refOf(event)),
    eventGroup: groupOfEvent(event),
    deliveredGroup: meaning.phase === 'delivered' ? everyDelivery : null,
    shipmentId: event.shipmentId,
    eventTime: event.eventTime,
    now: event.now,
  }
}

export function refOf(event: Pick<RecordedEvent, 'eventName'>): string {
  return `shipments/${getMeaning(event.eventName).phase}/${event.eventName}`
}

function newsOf({ event, eventGroup, triggerName, targets }: Telling): News {
  const { shopId, orderId, shipmentId, eventName, now } = event
  return {
    source: 'shipments',
    ref: refOf(event),
    eventName,
    eventGroup,
    shopId,
    orderId,
    shipmentId,
    now,
    targets,
    isToldOnce: true,
    eventData({ order }) {
      const shipment = order.trackings.find(({ id }) => id === shipmentId)
      if (shipment === undefined) throw new Error(`the order of shipment ${shipmentId} does not have it`)
      return shipmentEventData({ eventName, eventGroup, triggerName }, order, shipment, shipment.updated_at)
    },
  }
}
