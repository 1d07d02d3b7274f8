import { onTestFinished } from 'vitest'
import type { Postponement, SendResult } from '../../src/delivery/queue/attempt.ts'
import type { Delivery } from '../../src/delivery/queue/delivery.ts'
import { enqueue } from '../../src/delivery/queue/enqueue.ts'
import { DeliveryDispatcher } from '../../src/delivery/sending/dispatcher.ts'
import { secondMs } from '../../src/platform/foundation/clock.ts'
import { newId } from '../../src/platform/foundation/ids.ts'
import { inTransaction } from '../../src/platform/foundation/transaction.ts'
import type { Service } from '../../src/service.ts'
import { clock } from './service.ts'

/** A delivery to `smtp` without an event: other tests check who is notified, and of what. */
export interface MailNotice {
  shopId: string
  orderId: string
  shipmentId: string | null
  eventGroup: string
  body: unknown
}

/** Queues a delivery; returns its id. */
export async function queueMail(service: Service, notice: MailNotice): Promise<string> {
  const now = clock.now()
  const deliveryId = newId(now)
  await inTransaction({ ...service.context(), now }, (context) =>
    enqueue(context, [
      {
        ...notice,
        id: newId(now),
        source: 'shipments',
        ref: 'shipments/in_transit/TEST',
        eventName: 'TEST',
        body: JSON.stringify(notice.body),
        triggeredAt: now,
        causedBy: [],
        receivers: [{ deliveryId, receiverId: 'smtp', eventGroup: notice.eventGroup, onceKey: null }],
        isInFeed: false,
      },
    ]),
  )
  return deliveryId
}

/** A worker of this service that sends everything by this function. */
export function startDispatcher(
  service: Service,
  send: (delivery: Delivery) => Promise<SendResult | Postponement>,
): DeliveryDispatcher {
  const worker = new DeliveryDispatcher({
    context: service.context,
    retryBaseMs: 5 * secondMs,
    automations: { evaluate() {}, isBusy: false },
    senderFor: () => ({ send: (_context, delivery) => send(delivery) }),
  })
  onTestFinished(() => worker.stop())
  return worker
}
