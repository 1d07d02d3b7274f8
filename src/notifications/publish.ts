import type { Context } from '../foundation/operation.ts'
import { getMeaning, groupOf } from '../resources/events/catalogue.ts'
import { shipmentEventData } from './event-data.ts'
import { type Announcement, chooseTargets, queueDeliveries, type ToldOrder } from './queue.ts'
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
  targets: Pick<Target, 'target' | 'eventGroup'>[]
}

/** Builds the payloads and queues the deliveries. */
export async function tell(context: Context, tellings: Telling[]): Promise<void> {
  const orders = await findOrdersOf(
    context,
    tellings.map(({ event }) => ({ shopId: event.shopId, id: event.orderId })),
  )
  const notifications = tellings.flatMap((telling) => {
    const order = orders.get(telling.event.orderId)
    return order ? [notificationOf(telling, order)] : []
  })
  await wake(context, await insertNotifications(context, notifications))
}

function groupOfEvent(event: RecordedEvent): string {
  return groupOf(getMeaning(event.eventName), event.direction) ?? ''
}

function candidateOf(event: RecordedEvent) {
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

function refOf(event: RecordedEvent): string {
  return `shipments/${getMeaning(event.eventName).phase}/${event.eventName}`
}

function notificationOf({ event, eventGroup, triggerName, targets }: Telling, stored: OrderOfShop): NewNotification {
  const { shop } = stored
  const order: Order = toOrder({ shop, acceptLanguage: undefined }, stored)
  const shipment = order.trackings.find(({ id }) => id === event.shipmentId)
  if (shipment === undefined) throw new Error(`the order of shipment ${event.shipmentId} does not have it`)
  const payload = buildPayload(
    {
      source: 'shipments',
      ref: refOf(event),
      event_group: eventGroup,
      event_data: shipmentEventData(
        { eventName: event.eventName, eventGroup, triggerName },
        order,
        shipment,
        shipment.updated_at,
      ),
      triggeredAt: event.now,
    },
    shop,
    order,
    [],
  )
  return {
    shopId: event.shopId,
    id: newId(event.now),
    source: 'shipments',
    ref: payload.ref,
    eventName: event.eventName,
    eventGroup,
    shipmentId: event.shipmentId,
    orderId: event.orderId,
    body: JSON.stringify(payload),
    triggeredAt: event.now,
    targets: targets.map(({ target, eventGroup }) => ({
      deliveryId: newId(event.now),
      target,
      isIntegration: (integrationNames as readonly string[]).includes(target),
      eventGroup,
    })),
  }
}

/** Workers of this process are woken at commit, those of other nodes by notification. */
export async function wake(context: Context, woken: WokenTarget[]): Promise<void> {
  if (woken.length === 0) return
  await notifyWorkers(context, woken)
  onceCommitted(context, () => context.services.wakeDeliveries(woken))
}
