import { defineCache } from '../../platform/foundation/caches.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { PromiseSettings } from './settings.ts'
import { readPromiseSettings } from './settings-store.ts'

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    'promise settings': { shopId: string }
  }
}

const cache = defineCache<PromiseSettings>({
  name: 'promise settings',
  maxEntries: 1_000,
  invalidatedBy: { 'promise settings': ({ shopId }, _, key) => key === shopId },
})

/** From memory if it can be. */
export async function promiseSettingsOf(context: Context, shopId: string): Promise<PromiseSettings> {
  const opened = context.services.caches.open(cache)
  return opened.get(shopId) ?? opened.load(context, shopId, () => readPromiseSettings(context, shopId))
}
