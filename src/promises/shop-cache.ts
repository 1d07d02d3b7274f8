import { promiseSettingsOf } from '../orders/promises/settings-cache.ts'
import { defineCache } from '../platform/foundation/caches.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { readShopDays } from '../shops/calendar/settings-store.ts'
import { type PromiseShop, prepareShop } from './shop-rules.ts'

const shopCache = defineCache<PromiseShop>({
  name: 'shops with promises',
  maxEntries: 500,
  invalidatedBy: {
    'promise settings': ({ shopId }, _shop, key) => key === shopId,
    calendar: ({ shopId }, _shop, key) => key === shopId,
  },
})

/** From memory, until its settings or its calendar change. */
export async function promiseShopOf(context: ShopContext): Promise<PromiseShop> {
  const { id } = context.shop
  const cache = context.services.caches.open(shopCache)
  return (
    cache.get(id) ??
    cache.load(context, id, async () =>
      prepareShop(await promiseSettingsOf(context, id), await readShopDays(context, id)),
    )
  )
}
