import { type PastOrder, type PastPosition, positionAfter } from '../../adapters/shop-systems/past-orders.ts'
import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import { pollingPeriodMs } from '../../orders/shipments/rules.ts'
import { after } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { stopFollowing } from '../../tracking/scans/stop-store.ts'
import { applyPastOrders } from '../past-orders/apply-orders.ts'
import { listSettledShipments } from './shipment-store.ts'
import type { Progress } from './store.ts'

/** Applies some past orders inside the caller's transaction, and announces nothing. */
export async function applySilently(
  context: ShopContext,
  system: ShopSystemName,
  orders: PastOrder[],
  position: PastPosition | undefined,
): Promise<Progress & { position: PastPosition | undefined }> {
  const { orderIds, ...progress } = await applyPastOrders({ ...context, isSilent: true }, system, orders)
  await stopFollowingSettled(context, orderIds)
  return { ...progress, position: orders.reduce(positionAfter, position) }
}

/** Carriers are not queried about parcels that have arrived or that they no longer know: accounts have few requests. */
async function stopFollowingSettled(context: ShopContext, orderIds: string[]): Promise<void> {
  const settled = await listSettledShipments(context, orderIds, after(context.now, -pollingPeriodMs))
  await stopFollowing(context, context.shop.id, settled)
}
