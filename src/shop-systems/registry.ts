import type { ShopSystem, ShopSystemName } from './shop-system.ts'
import { shopify } from './shopify/adapter.ts'
import { shopware } from './shopware/adapter.ts'
import { woocommerce } from './woocommerce/adapter.ts'

export const shopSystems = { shopify, shopware, woocommerce } satisfies Record<ShopSystemName, ShopSystem>
