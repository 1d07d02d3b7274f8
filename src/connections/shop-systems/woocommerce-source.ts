import { idOf } from '../../adapters/shop-systems/read-fields.ts'
import { fetchOrders } from '../../adapters/shop-systems/woocommerce/details.ts'
import { readOrder } from '../../adapters/shop-systems/woocommerce/order.ts'
import { isDraft } from '../../adapters/shop-systems/woocommerce/status.ts'
import type { Call } from '../../platform/foundation/call.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { FetchedOrder, OrderSource } from '../order-fetches/source.ts'
import { applyReportedChange } from './receive.ts'
import { findWooCommerceAccount, wooCommerceCall } from './woocommerce-account.ts'

/** Orders whose messages leave out which items were refunded, or their fulfilments: each takes several calls. */
export function createWooCommerceSource(call: Call): OrderSource {
  return {
    system: 'woocommerce',
    name: 'WooCommerce',
    batchSize: 5,
    leaseMs: 3 * minuteMs,
    async connect(context) {
      const account = await findWooCommerceAccount(context)
      if (account === undefined) return undefined
      const guarded = wooCommerceCall(context, account, call)
      return async (ids) => {
        const found = await fetchOrders(guarded, account, ids)
        if (!Array.isArray(found)) return found
        const orders = found.map((order): [string, FetchedOrder] => [
          idOf(order.id) ?? '',
          () => (isDraft(order) ? undefined : readOrder(order, false)),
        ])
        return { result: 'found', orders: new Map(orders) }
      }
    },
    apply: (context, change) => applyReportedChange(context, 'woocommerce', change),
  }
}
