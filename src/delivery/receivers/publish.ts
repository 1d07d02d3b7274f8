import type { Context } from '../../platform/foundation/context.ts'
import { idFromName, newId } from '../../platform/foundation/ids.ts'
import { enqueue } from '../queue/enqueue.ts'
import { feedReceiver } from '../queue/feed.ts'
import type { Notice } from '../queue/notice.ts'
import { ConditionSet, type Evaluation, type Facts } from './condition-set.ts'
import type { BuiltPayload } from './payload-builder.ts'
import { type ChosenReceiver, findReceivers } from './receivers-store.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** An event with the receivers that were chosen for it. */
export interface AddressedEvent {
  event: RecordedEvent
  receivers: ChosenReceiver[]
}

/**
 * Decides who receives which event, and enqueues a delivery for each receiver. This runs in the transaction of the events
 * themselves, so that nothing is sent about what is rolled back, and nothing that is committed goes unsent.
 */
export async function publish(context: Context, events: RecordedEvent[]): Promise<void> {
  if (events.length === 0 || context.isSilent) return
  const receivers = await findReceivers(context, events)
  await publishTo(
    context,
    events.flatMap((event, n) => {
      const chosen = receivers.get(n)?.filter(({ receiverId }) => receiverId !== event.notTo)
      return chosen?.length ? [{ event, receivers: chosen }] : []
    }),
  )
}

/** The same for receivers that the caller has chosen. */
export async function publishTo(context: Context, addressed: AddressedEvent[]): Promise<void> {
  if (addressed.length === 0) return
  await enqueue(context, await buildNotices(context, addressed))
}

/** Builds the notices for the receivers whose conditions match. */
export async function buildNotices(context: Context, addressed: AddressedEvent[]): Promise<Notice[]> {
  const payloads = await context.services.payloads.build(
    context,
    addressed.map(({ event }) => event),
  )
  const conditions = new ReceiverConditions(addressed)
  return addressed.flatMap(({ event, receivers }, n) => {
    const payload = payloads[n]
    const matching = payload ? conditions.findMatching(receivers, payload) : []
    return payload && matching.length > 0 ? [toNotice(context, event, matching, payload)] : []
  })
}

/** The conditions of all receivers, compiled once for all events that are published together. */
class ReceiverConditions {
  readonly #set = new ConditionSet()
  readonly #byTarget = new Map<string, number[]>()

  constructor(addressed: AddressedEvent[]) {
    for (const { receivers } of addressed) {
      for (const { receiverId, conditions } of receivers) {
        if (conditions && !this.#byTarget.has(receiverId)) this.#byTarget.set(receiverId, this.#set.add(conditions))
      }
    }
  }

  /** The receivers whose conditions the payload meets. It is parsed only if there are any. */
  findMatching(receivers: ChosenReceiver[], { body }: BuiltPayload): ChosenReceiver[] {
    let evaluation: Evaluation | undefined
    return receivers.filter(({ receiverId }) => {
      const conditions = this.#byTarget.get(receiverId)
      if (conditions === undefined) return true
      evaluation ??= this.#set.evaluate(JSON.parse(body) as Facts) // written by us
      return evaluation.meetsAll(conditions)
    })
  }
}

function toNotice(context: Context, event: RecordedEvent, receivers: ChosenReceiver[], payload: BuiltPayload): Notice {
  return {
    shopId: event.shopId,
    id: newId(event.now),
    source: event.source,
    ref: event.ref,
    eventName: event.eventName,
    eventGroup: event.eventGroup,
    shipmentId: event.shipmentId,
    orderId: event.orderId,
    body: payload.body,
    triggeredAt: event.now,
    causedBy: context.causedBy ?? [],
    receivers: receivers
      .filter(({ receiverId }) => receiverId !== feedReceiver)
      .map(({ receiverId, eventGroup, oncePer }) => ({
        deliveryId: newId(event.now),
        receiverId,
        eventGroup,
        onceKey: event.isOncePerGroup && oncePer !== null ? onceKeyOf(oncePer, event, payload) : null,
      })),
    isInFeed: receivers.some(({ receiverId }) => receiverId === feedReceiver),
  }
}

/** The shipment itself, or a name-based UUID of its number: all shipments with that number count as one. */
function onceKeyOf(
  oncePer: NonNullable<ChosenReceiver['oncePer']>,
  { shipmentId }: RecordedEvent,
  { shipmentNumbers }: BuiltPayload,
): string {
  const number = oncePer === 'shipment_id' ? null : shipmentNumbers[oncePer]
  return number ? idFromName(`${oncePer} ${number}`) : shipmentId
}
