import { enqueue } from '../../delivery/queue/enqueue.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { samplePayload } from './sample.ts'

/** Enqueues a sample event for one endpoint, whatever its filters are; returns the id of the delivery. */
export async function publishTest(context: ShopContext, endpointId: string): Promise<string> {
  const { event, payload } = samplePayload(context)
  const deliveryId = newId(context.now)
  await enqueue(context, [
    {
      shopId: context.shop.id,
      id: newId(context.now),
      source: event.source,
      ref: event.ref,
      eventName: event.eventName,
      eventGroup: event.eventGroup,
      shipmentId: null,
      orderId: null,
      body: JSON.stringify(payload),
      triggeredAt: context.now,
      causedBy: [],
      receivers: [{ deliveryId, receiverId: endpointId, onceKey: null, eventGroup: event.eventGroup }],
      isInFeed: false,
    },
  ])
  return deliveryId
}
