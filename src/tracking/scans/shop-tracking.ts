import type { ProviderAccount } from '../../adapters/carriers/provider.ts'
import type { ProviderName } from '../../adapters/carriers/registry.ts'
import { findCredentials, listMasked } from '../../credentials/integration-keys/store.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { withDefaults } from '../../shops/settings/bundle.ts'
import { findCarrierSettings } from '../../shops/settings/store.ts'
import { providerSettings, providerStates } from './providers.ts'
import type { ProviderState, ProviderStatus } from './rules.ts'

/** Whether a shop's parcels are tracked, and by which providers. */
export interface ShopTracking {
  shopId: string
  isOn: boolean
  providers: ProviderState[]
}

export async function readShopTracking(context: Context, shopId: string): Promise<ShopTracking> {
  const settings = (await findCarrierSettings(context, [shopId], { isLocked: false })).get(shopId)
  const carriers = withDefaults(settings?.carriers ?? {}, context.services.isProduction)
  return {
    shopId,
    isOn: settings?.isOn ?? false,
    providers: providerStates(carriers, await listMasked(context, shopId)),
  }
}

/** The shop's account with a provider; undefined if it has none. */
export async function findAccount(
  context: Context,
  shopId: string,
  provider: ProviderName,
): Promise<ProviderAccount | undefined> {
  if (provider === 'sandbox') return { shopId, credentials: {} }
  const credentials = await findCredentials(context, shopId, provider)
  return credentials && { shopId, credentials }
}

/**
 * The status that each shop has set for a provider: 'live', 'testing' or 'disabled'. It is locked until the transaction
 * ends.
 */
export async function lockProviderStatuses(
  context: Context,
  sources: { shopId: string; provider: ProviderName }[],
): Promise<ProviderStatus[]> {
  const shopIds = [...new Set(sources.map(({ shopId }) => shopId))]
  const settings = await findCarrierSettings(context, shopIds, { isLocked: true })
  return sources.map(({ shopId, provider }) => {
    const known = settings.get(shopId)
    if (!known?.isOn) return 'disabled'
    return providerSettings(withDefaults(known.carriers, context.services.isProduction), provider).status
  })
}
