import { enqueue } from '../deliveries/enqueue.ts'
import type { Notice } from '../deliveries/notice.ts'
import type { Context } from '../foundation/context.ts'
import { idFromName, newId } from '../foundation/ids.ts'
import type { BuiltPayload } from './payload-builder.ts'
import { type ChosenRecipient, findRecipients } from './recipients-store.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** An event with the receivers that were chosen for it. */
export interface AddressedEvent {
  event: RecordedEvent
  recipients: ChosenRecipient[]
}

/**
 * Decides who receives which event, and enqueues a delivery for each receiver. This runs in the transaction of the events
 * themselves, so that nothing is sent about what is rolled back, and nothing that is committed goes unsent.
 */
export async function publish(context: Context, events: RecordedEvent[]): Promise<void> {
  if (events.length === 0) return
  const recipients = await findRecipients(context, events)
  await publishTo(
    context,
    events.flatMap((event, n) => {
      const chosen = recipients.get(n)
      return chosen ? [{ event, recipients: chosen }] : []
    }),
  )
}

/** The same for receivers that the caller has chosen. */
export async function publishTo(context: Context, addressed: AddressedEvent[]): Promise<void> {
  if (addressed.length === 0) return
  await enqueue(context, await buildNotices(context, addressed))
}

/** What the receivers will get. */
export async function buildNotices(context: Context, addressed: AddressedEvent[]): Promise<Notice[]> {
  const payloads = await context.services.payloads.build(
    context,
    addressed.map(({ event }) => event),
  )
  return addressed.flatMap(({ event, recipients }, n) => {
    const payload = payloads[n]
    return payload ? [toNotice(context, event, recipients, payload)] : []
  })
}

function toNotice(
  context: Context,
  event: RecordedEvent,
  recipients: ChosenRecipient[],
  payload: BuiltPayload,
): Notice {
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
    recipients: recipients.map(({ target, eventGroup, oncePer }) => ({
      deliveryId: newId(event.now),
      target,
      eventGroup,
      onceKey: event.isOncePerGroup && oncePer !== null ? onceKeyOf(oncePer, event, payload) : null,
    })),
  }
}

/** The shipment itself, or a name-based UUID of its number: all shipments with that number count as one. */
function onceKeyOf(
  oncePer: NonNullable<ChosenRecipient['oncePer']>,
  { shipmentId }: RecordedEvent,
  { shipmentNumbers }: BuiltPayload,
): string {
  const number = oncePer === 'shipment_id' ? null : shipmentNumbers[oncePer]
  return number ? idFromName(`${oncePer} ${number}`) : shipmentId
}
