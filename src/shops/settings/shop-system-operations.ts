import { operation } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { ShopSystemSettings, ShopSystemSettingsUpdate } from './shop-system-schema.ts'
import { getShopSystemSettings, mergeWooCommerceSettings } from './shop-system-store.ts'

export const readShopSystemSettings = operation({
  name: 'getShopSystemSettings',
  summary: 'Get how orders of shop systems are imported',
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings/shop-systems',
  needs: 'viewer',
  reply: ShopSystemSettings,
  handle: (context) => getShopSystemSettings(context, context.shop.id),
})

export const updateShopSystemSettings = operation({
  name: 'updateShopSystemSettings',
  summary: 'Change how orders of shop systems are imported',
  description: 'Applies to messages from now on. Fields that are absent or null stay as they are.',
  area: 'Settings',
  route: 'PATCH /v1/shops/{slug}/settings/shop-systems',
  needs: 'admin',
  body: ShopSystemSettingsUpdate,
  reply: ShopSystemSettings,
  audit: {
    kind: 'settings',
    id: () => 'shop-systems',
    read: (context) => getShopSystemSettings(context, context.shop.id),
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const isOnHoldAnOrder = body.woocommerce?.on_hold_is_order
      if (typeof isOnHoldAnOrder === 'boolean') {
        await mergeWooCommerceSettings(context, context.shop.id, { on_hold_is_order: isOnHoldAnOrder })
      }
      return getShopSystemSettings(context, context.shop.id)
    }),
})
