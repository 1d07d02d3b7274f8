import { describedProviders, type ProviderName, providerNames } from '../../adapters/carriers/registry.ts'
import type { CarrierProviders } from '../../shops/settings/bundle-schema.ts'
import type { ProviderState, ProviderStatus } from './rules.ts'

/** A shop's settings for a provider, with the defaults if it has set nothing. */
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
  return describedProviders.map(({ name, kind, carriers: supported, credentials }) => ({
    name,
    kind,
    carriers: supported,
    ...providerSettings(carriers, name),
    hasCredentials: credentials === undefined || masked.has(name),
    hasWebhookSecret: typeof masked.get(name)?.webhook_secret === 'string',
  }))
}

export function findProvider(name: string): ProviderName | undefined {
  return providerNames.find((known) => known === name)
}
