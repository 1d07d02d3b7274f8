import type { AdminApi } from '../../adapters/shop-systems/shopware/admin-api.ts'
import { readOrder } from '../../adapters/shop-systems/shopware/order.ts'
import type { Call } from '../../platform/foundation/call.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { FetchedOrder, OrderSource } from '../order-fetches/source.ts'
import { applyReportedChange } from '../shop-systems/receive.ts'
import { findAccount } from './store.ts'

/** Orders that Shopware named by their ids only. */
export function createShopwareSource(call: Call, api: AdminApi): OrderSource {
  return {
    system: 'shopware',
    name: 'Shopware',
    batchSize: 20,
    leaseMs: minuteMs,
    async connect(context) {
      const account = await findAccount(context, context.shop.id)
      if (account === undefined) return undefined
      return async (ids) => {
        const response = await api.fetchOrders(call, account, ids)
        if (response.result === 'failed') return response
        const { sentAt } = response
        const orders = response.orders.map((order): [string, FetchedOrder] => [
          String(order.id),
          (now) => readOrder(order, 'order.written', sentAt ?? now),
        ])
        return { result: 'found', orders: new Map(orders) }
      }
    },
    apply: (context, change) => applyReportedChange(context, 'shopware', change),
  }
}
