import { t } from '../../texts/texts.ts'
import type { ShopSystem } from './data.ts'

/** Whether its API was called successfully, and nothing is wrong since. */
export function isReachable({ has_credentials, checked_at, problem, state }: ShopSystem): boolean {
  // Webhooks that are switched off are found by its API, which works.
  const isFailing = state === 'failing' && problem?.key !== 'webhooks_disabled'
  return has_credentials && checked_at !== null && !isFailing
}

/** The connected store; undefined if there is none. */
export function storeWords(system: ShopSystem): string | undefined {
  const { store } = system
  if (store === null || !isReachable(system)) return undefined
  const name = store.name ?? store.url
  if (name === null) return undefined
  return store.currency === null
    ? t('connect.connected_to', { store: name })
    : t('connect.connected_to_currency', { store: name, currency: store.currency })
}
