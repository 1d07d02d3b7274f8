import { after } from '../../foundation/clock.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { pollingPeriodMs } from '../../journey/shipments/rules.ts'
import { type PastOrder, type PastPosition, positionAfter } from '../../shop-systems/past-orders.ts'
import type { ShopSystemName } from '../../shop-systems/shop-system.ts'
import { applyPastOrders } from '../past-orders/apply-orders.ts'
import { stopFollowing } from '../tracking/stop-store.ts'
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
