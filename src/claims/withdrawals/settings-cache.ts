import { defineCache } from '../../platform/foundation/caches.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { WithdrawalSettings } from './schema.ts'
import { readSettings } from './settings-store.ts'

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    withdrawal_settings: { shopId: string }
  }
}

const settingsCache = defineCache<WithdrawalSettings>({
  name: 'withdrawal settings',
  maxEntries: 10_000,
  invalidatedBy: { withdrawal_settings: (change, _settings, shopId) => shopId === change.shopId },
})

/** Every page view needs to know whether the shop offers the function. */
export async function cachedSettings(context: ShopContext): Promise<WithdrawalSettings> {
  const { id } = context.shop
  const cache = context.services.caches.open(settingsCache)
  return cache.get(id) ?? cache.load(context, id, () => readSettings(context, id))
}
