import type { RecordedEvent } from '../delivery/receivers/recorded-event.ts'
import { toRecordedEvent } from '../orders/events/recorded-event.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import type { PublishedEvent } from './event-queue-store.ts'
import { findPayloads, listClaimEvents, listShipmentEvents, type StoredEvent } from './past-event-store.ts'

/** An event of a shipment or a claim that automations could have been evaluated for. */
export interface PastEvent {
  ref: string
  orderId: string
  shipmentId: string
  happenedAt: Date
  /** The notification of a claim's event; that of a shipment's is found by its ref. */
  notificationId: string | null
  /** Of a shipment: what its payload can be made of. */
  recorded: RecordedEvent | undefined
}

export interface PastEvents {
  /** Newest first. */
  events: PastEvent[]
  /** From when on all of them are there. */
  from: Date
  isComplete: boolean
}

/** The newest events since a time that automations could have been evaluated for, up to a limit. */
export async function listPastEvents(context: ShopContext, since: Date, limit: number): Promise<PastEvents> {
  const stored = await listShipmentEvents(context, since, limit + 1)
  const ofClaims = (await listClaimEvents(context, since, limit)).map((event) => ({ ...event, recorded: undefined }))
  const ofShipments = stored.flatMap((event) => toPastEvents(context, event))
  const events = [...ofShipments, ...ofClaims]
    .toSorted((left, right) => right.happenedAt.getTime() - left.happenedAt.getTime())
    .slice(0, limit)
  const isCut = stored.length > limit || ofShipments.length + ofClaims.length > limit
  const readFrom = stored[0]?.isCut ? stored[0].readFrom : since
  return {
    events,
    from: isCut ? (events.at(-1)?.happenedAt ?? readFrom) : readFrom,
    isComplete: !isCut && !stored[0]?.isCut,
  }
}

/** Events without a group are published to nobody. */
function toPastEvents(context: ShopContext, event: StoredEvent): PastEvent[] {
  const { orderId, shipmentId, direction, happenedAt, eventName } = event
  const of = { shopId: context.shop.id, orderId, shipmentId, direction, eventName }
  const recorded = toRecordedEvent({ ...of, eventTime: happenedAt, now: happenedAt })
  return recorded.map((each) => ({
    orderId,
    shipmentId,
    happenedAt,
    notificationId: null,
    ref: each.ref,
    recorded: each,
  }))
}

export interface ReplayedEvent extends Omit<PublishedEvent, 'notificationId'> {
  notificationId: string | null
  /** The payload was not stored, because nobody received it: this one is of the order as it is now. */
  isRebuilt: boolean
}

/** Events with their payloads: as they were published, or else made from the order as it is now. */
export async function withPayloads(context: ShopContext, events: readonly PastEvent[]): Promise<ReplayedEvent[]> {
  const published = new Map((await findPayloads(context, events)).map((found) => [found.position, found]))
  const missing = events.flatMap(({ recorded }, position) => (published.has(position) ? [] : (recorded ?? [])))
  const built = await context.services.payloads.build(context, missing)
  const bodies = new Map(missing.map((recorded, index) => [recorded, built[index]?.body]))
  return events.flatMap((event, position) => {
    const { ref, orderId, shipmentId, happenedAt: triggeredAt } = event
    const found = published.get(position)
    const body = found?.body ?? (event.recorded && bodies.get(event.recorded))
    if (body === undefined) return [] // its order is gone
    const causedBy = found?.causedBy ?? []
    const notificationId = found?.notificationId ?? null
    return [{ ref, orderId, shipmentId, triggeredAt, body, causedBy, notificationId, isRebuilt: found === undefined }]
  })
}
