import type { PastOrders } from '../../adapters/shop-systems/past-orders.ts'
import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import { createPastOrders as fromShopify } from '../../adapters/shop-systems/shopify/past-orders.ts'
import type { AdminApi } from '../../adapters/shop-systems/shopware/admin-api.ts'
import { createPastOrders as fromShopware } from '../../adapters/shop-systems/shopware/past-orders.ts'
import { createPastOrders as fromWooCommerce } from '../../adapters/shop-systems/woocommerce/past-orders.ts'
import type { Call } from '../../platform/foundation/call.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { getShopifyAccount, shopifyCall } from '../shop-systems/shopify-account.ts'
import { getWooCommerceAccount, wooCommerceCall } from '../shop-systems/woocommerce-account.ts'
import { findAccount as findShopwareAccount } from '../shopware/store.ts'

/** Creates the reader of a shop's orders from the calls of a worker. */
export type PastOrdersAccount = (call: Call, shopware: AdminApi) => PastOrders

/** Throws if the shop system is not connected, or its credentials must not be used. */
export async function getPastOrdersAccount(context: ShopContext, system: ShopSystemName): Promise<PastOrdersAccount> {
  switch (system) {
    case 'shopify': {
      const account = await getShopifyAccount(context)
      return (call) => fromShopify(shopifyCall(context, call), account)
    }
    case 'woocommerce': {
      const account = await getWooCommerceAccount(context)
      return (call) => fromWooCommerce(wooCommerceCall(context, account, call), account)
    }
    case 'shopware': {
      const account = await findShopwareAccount(context, context.shop.id)
      if (account === undefined) {
        throw new ApiError('partner_key_not_found', 'Install the app in Shopware first: GET /shopware/app.zip.')
      }
      // Shopware proved this address when it registered.
      return (call, api) => fromShopware(call, api, account)
    }
  }
}
