import type { PushedReport } from '../../adapters/carriers/provider.ts'
import type { ProviderName } from '../../adapters/carriers/registry.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { updateParcels } from './parcel-store.ts'
import { toParcel } from './poll-result.ts'
import { recordReports, type ShipmentReport } from './record.ts'
import { nextPoll } from './rules.ts'
import { findParcelsByNumber, findShipmentStates } from './shipment-store.ts'
import { lockProviderStatuses } from './shop-tracking.ts'

/**
 * Records what a provider has pushed, read with our parcel like the reply to a poll: times and days without a zone are in
 * that of its destination. Of several shipments with the number, the newest is used. Unknown numbers are ignored,
 * and so is a provider that the shop has switched off.
 */
export async function recordPush(context: ShopContext, provider: ProviderName, reports: PushedReport[]): Promise<void> {
  if (reports.length === 0) return
  await inTransaction(context, async (context) => {
    const shopId = context.shop.id
    const [status] = await lockProviderStatuses(context, [{ shopId, provider }])
    if (status === 'disabled') return
    const parcels = await findParcelsByNumber(context, shopId, [...new Set(reports.map((each) => each.trackingNumber))])
    const byNumber = new Map(parcels.map((parcel) => [parcel.trackingNumber, parcel]))
    const named = reports.flatMap((report): ShipmentReport[] => {
      const parcel = byNumber.get(report.trackingNumber)
      if (parcel === undefined) return []
      const { shipmentId, fulfilledAt } = parcel
      const read = report.read(toParcel(parcel, context.now))
      return [
        { shopId, shipmentId, provider, fulfilledAt, report: read, isNotified: status === 'live', now: context.now },
      ]
    })
    if (named.length === 0) return
    await recordReports(context, named)
    const tracked = parcels.filter(({ isTracked }) => isTracked)
    const states = await findShipmentStates(context, tracked)
    await updateParcels(
      context,
      tracked.map((parcel) => ({
        shopId,
        shipmentId: parcel.shipmentId,
        polls: undefined,
        failures: 0,
        now: context.now,
        ...nextPoll({
          phase: states.get(parcel.shipmentId)?.phase ?? '',
          fulfilledAt: parcel.fulfilledAt,
          endedAt: parcel.endedAt,
          isPushed: parcel.isPushed,
          now: context.now,
          jitter: Math.random(),
        }),
      })),
    )
  })
}
