import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import type { ReportedOrder } from '../../adapters/shop-systems/shop-system.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { getShopSystemSettings } from '../../shops/settings/shop-system-store.ts'
import { lockOrderSnapshots, updateOrderSnapshots } from './store.ts'

/**
 * True if the order is skipped because it has not been placed yet. Its version is stored, so that a late older message
 * does not create it. An order that was stored before is still updated: a payment may fail later.
 */
export async function skipUnplaced(
  context: ShopContext,
  system: ShopSystemName,
  order: ReportedOrder & { changedAt: Date },
): Promise<boolean> {
  if (order.stage === undefined || order.stage === 'placed') return false
  if (order.stage === 'on hold') {
    const { woocommerce } = await getShopSystemSettings(context, context.shop.id)
    if (woocommerce.on_hold_is_order) return false
  }
  const known = (await lockOrderSnapshots(context, system, [order.id])).get(order.id)
  if (known === undefined) throw new Error('a snapshot is created where there is none')
  const isNewer = known.changedAt === null || order.changedAt > known.changedAt
  if (known.isApplied) return !isNewer && !order.isRestored
  if (isNewer) {
    const snapshot = { ...known, changedAt: order.changedAt, sentAt: null }
    await updateOrderSnapshots(context, system, [{ externalId: order.id, snapshot }])
  }
  return true
}
