import type { ShopContext } from '../../foundation/context.ts'
import type { ReportedOrder, ShopSystemName } from '../../shop-systems/shop-system.ts'
import { getShopSystemSettings } from '../settings/shop-system-store.ts'
import { lockOrderSnapshot, updateOrderSnapshot } from './store.ts'

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
  const known = await lockOrderSnapshot(context, system, order.id)
  const isNewer = known.changedAt === null || order.changedAt > known.changedAt
  if (known.isApplied) return !isNewer && !order.isRestored
  if (isNewer) {
    await updateOrderSnapshot(context, system, order.id, { ...known, changedAt: order.changedAt, sentAt: null })
  }
  return true
}
