import type { ShopContext } from '../../platform/foundation/context.ts'
import { findApp } from './store.ts'

/** The connection to Shopware in the audit log. */
export const auditedApp = {
  kind: 'shopware_app',
  id: () => 'shopware',
  async read(context: ShopContext): Promise<object | undefined> {
    const app = await findApp(context, context.shop.id)
    if (app === undefined) return undefined
    const { name, shop_url, shopware_version, connected_at, connection } = app
    return { name, shop_url, shopware_version, connected_at, is_connected: connection !== null }
  },
}
