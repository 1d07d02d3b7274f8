import { after } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { onceCommitted } from '../../platform/foundation/transaction.ts'
import { insertNotices } from './enqueue-store.ts'
import { releaseDeliveries } from './fetch-store.ts'
import type { Notice } from './notice.ts'
import { deliveryLeaseMs } from './retry.ts'

/**
 * Writes notices and a delivery for each receiver, in the caller's transaction. Deliveries that the workers of this
 * process have capacity for are leased for them in the same statement and handed over in memory at commit, so that they
 * need not be read from the queue. The rest waits in the queue, and the workers of all nodes are woken.
 */
export async function enqueue(context: Context, notices: Notice[]): Promise<void> {
  if (notices.length === 0) return
  const { clock, deliveries, eventFeed } = context.services
  const leasedAt = clock.now()
  const { leased, waiting } = await insertNotices(context, notices, {
    offered: offerDeliveries(context, notices),
    leaseUntil: after(leasedAt, deliveryLeaseMs),
  })
  const held = leased.filter(({ endpoint }) => endpoint?.circuitOpenedAt)
  const sent = held.length === 0 ? leased : leased.filter((delivery) => !held.includes(delivery))
  // They wait in the queue like the others, and one of them may be the next probe.
  await releaseDeliveries(context, held, context.now)
  if (sent.length > 0) onceCommitted(context, () => deliveries.dispatch(sent, leasedAt, context.span))
  const queued = [...waiting, ...held]
  if (queued.length > 0) onceCommitted(context, () => deliveries.wake(queued))
  const fed = notices.filter(({ isInFeed }) => isInFeed).map(({ shopId }) => shopId)
  if (fed.length > 0) onceCommitted(context, () => eventFeed.published(fed))
}

/** The deliveries that this process can start at once: up to the capacity of each receiver's queue, one per shipment. */
function offerDeliveries(context: Context, notices: Notice[]): Set<string> {
  const { deliveries } = context.services
  const offered = new Set<string>()
  const queues = new Map<string, { capacity: number; shipments: Set<string | null> }>()
  for (const { shopId, shipmentId, receivers } of notices) {
    for (const { deliveryId, receiverId } of receivers) {
      const key = `${shopId} ${receiverId}`
      const queue = queues.get(key) ?? {
        capacity: deliveries.capacityFor({ shopId, receiverId }),
        shipments: new Set(),
      }
      queues.set(key, queue)
      if (queue.capacity <= 0 || (shipmentId !== null && queue.shipments.has(shipmentId))) continue
      queue.capacity -= 1
      queue.shipments.add(shipmentId)
      offered.add(deliveryId)
    }
  }
  return offered
}
