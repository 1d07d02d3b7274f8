import { recordAndPublish } from '../../orders/events/record.ts'
import type { IncomingEvent } from '../../orders/events/store.ts'
import { findKnownShipments } from '../../orders/orders/store.ts'
import { getMeaning, isReturn } from '../../platform/catalogue/catalogue.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { OrderSnapshot, WrittenSnapshot } from './rules.ts'

/** Marks unsent drafts as cancelled; or as created again, without a notification, if the cancellation was undone. */
export async function markCancelled(context: ShopContext, written: WrittenSnapshot[]): Promise<void> {
  const marked = written.flatMap(({ orderId, before, next }) => {
    const eventTime = next.cancelledAt ?? reopenedAt(context, before, next)
    return eventTime === undefined ? [] : [{ orderId, eventTime, isCancelled: next.cancelledAt !== null }]
  })
  if (marked.length === 0) return
  const shopId = context.shop.id
  const shipments = await findKnownShipments(
    context,
    marked.map(({ orderId }) => ({ shopId, id: orderId })),
  )
  const events = marked.flatMap(({ orderId, eventTime, isCancelled }) => {
    const eventKey = isCancelled ? 'ORDER_CANCELLED' : 'ORDER_CREATED'
    const { phase, flag, movesPhase } = getMeaning(eventKey)
    const drafts = (shipments.get(orderId) ?? []).filter(
      ({ trackingNumber, direction }) => trackingNumber === null && !isReturn(direction),
    )
    return drafts.map(
      ({ id }): IncomingEvent => ({
        shopId,
        shipmentId: id,
        trackingNumber: null,
        eventKey,
        phase,
        flag,
        movesPhase,
        isAllowedForDrafts: true,
        eventTime: eventTime < context.now ? eventTime : context.now,
        externalId: null,
        timezone: null,
        location: null,
        additionalInfo: null,
        source: 'system',
        isNotified: isCancelled,
        now: context.now,
      }),
    )
  })
  if (events.length > 0) await recordAndPublish(context, events)
}

/**
 * Undefined if it was not cancelled before. The event must not be older than the cancellation, which may have the time
 * at which we received it.
 */
function reopenedAt(context: ShopContext, before: OrderSnapshot, next: OrderSnapshot): Date | undefined {
  if (!before.isApplied || before.cancelledAt === null) return undefined
  return next.changedAt !== null && next.changedAt > before.cancelledAt ? next.changedAt : context.now
}
