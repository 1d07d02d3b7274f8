import type { ReportedParcel } from '../../adapters/shop-systems/shop-system.ts'
import { predictorFor } from '../../orders/delivery-windows/predict.ts'
import { newFulfilledShipment, toPlannedOrder } from '../../orders/orders/fulfilment.ts'
import { findKnownShipments, type LockedOrder } from '../../orders/orders/store.ts'
import { carrierHistories } from '../../orders/shipments/carrier-history.ts'
import { clearScans, revertToDrafts } from '../../orders/shipments/renumber-store.ts'
import { fulfilShipments } from '../../orders/shipments/write-store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { stopFollowing } from '../../tracking/scans/stop-store.ts'
import type { ParcelChanges } from './rules.ts'

/**
 * A corrected number keeps its shipment, so that no notification about a second one is sent; the scans of the old number are
 * removed. Shipments whose number was withdrawn become drafts again.
 */
export async function changeNumbers(context: ShopContext, order: LockedOrder, changes: ParcelChanges): Promise<void> {
  await stopFollowing(context, order.shopId, await revertToDrafts(context, order, changes.removed))
  if (changes.replaced.length === 0) return
  const shipments = (await findKnownShipments(context, [order])).get(order.id) ?? []
  const writes = [{ shopId: order.shopId, upsert: { trackings: changes.replaced.map(({ to }) => to) } }]
  const histories = await carrierHistories(context, writes)
  const planned = { ...toPlannedOrder(order, context.now), carrierHistory: histories.get(order.shopId) }
  const predict = (await predictorFor(context, writes))(planned)
  const taken = new Set(shipments.map(({ trackingNumber }) => trackingNumber))
  const corrected = changes.replaced.flatMap(({ from, to }) => {
    const shipment = shipments.find(({ trackingNumber }) => trackingNumber === from)
    if (shipment === undefined || (from !== to.tracking_number && taken.has(to.tracking_number))) return []
    return [
      newFulfilledShipment(
        planned,
        { ...withPlacedAt(to, shipment.currentEventAt), service: shipment.service },
        { id: shipment.id, predict, loc: ['body'] },
      ),
    ]
  })
  const ids = corrected.map(({ id }) => id)
  const others = corrected.filter((one) =>
    shipments.every(({ trackingNumber }) => trackingNumber !== one.trackingNumber),
  )
  await clearScans(
    context,
    order.shopId,
    others.map(({ id }) => id),
  )
  await stopFollowing(context, order.shopId, ids)
  await fulfilShipments(context, corrected)
}

/** The known ship time stays if the message has none. */
function withPlacedAt<Reported extends ReportedParcel>(parcel: Reported, currentEventAt: Date): Reported {
  return { ...parcel, tracking_placed_at: parcel.tracking_placed_at ?? currentEventAt.toISOString() }
}
