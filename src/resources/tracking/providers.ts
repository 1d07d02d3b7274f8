import { type ProviderName, providerNames } from '../../carriers/provider.ts'
import { createProviders } from '../../carriers/providers.ts'
import type { CarrierProviders } from '../settings/bundle-schema.ts'
import type { ProviderState, ProviderStatus } from './rules.ts'

/** Every provider at its usual address: what it can do, and how its pushes are read. */
export const knownProviders = createProviders()

/** What a shop has set for a provider, with the defaults where it has set nothing. */
export function providerSettings(carriers: CarrierProviders, name: ProviderName) {
  return {
    status: carriers[`${name}_status`] as ProviderStatus, // its schema has these three
    enabledCarriers: carriers[`${name}_enabled_carriers`],
    disabledCarriers: carriers[`${name}_disabled_carriers`],
  }
}

/** All providers of a shop, from its settings and its stored credentials. */
export function providerStates(
  carriers: CarrierProviders,
  masked: ReadonlyMap<string, Record<string, string | null>>,
): ProviderState[] {
  return providerNames.map((name) => ({
    name,
    carriers: knownProviders[name].carriers,
    ...providerSettings(carriers, name),
    hasCredentials: name === 'sandbox' || masked.has(name),
    hasWebhookSecret: typeof masked.get(name)?.webhook_secret === 'string',
  }))
}

export function findProvider(name: string): ProviderName | undefined {
  return providerNames.find((known) => known === name)
}
