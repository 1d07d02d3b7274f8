import { createAftership } from './aftership/adapter.ts'
import { createDhl } from './dhl/adapter.ts'
import { createEasypost } from './easypost/adapter.ts'
import { createFedex } from './fedex/adapter.ts'
import { type ProviderName, providerNames, type TrackingProvider } from './provider.ts'
import { createSandbox } from './sandbox/adapter.ts'
import { createUps } from './ups/adapter.ts'

type Create = (options: { baseUrl?: string | undefined }) => TrackingProvider

const creators: Record<ProviderName, Create> = {
  aftership: createAftership,
  dhl: createDhl,
  ups: createUps,
  fedex: createFedex,
  easypost: createEasypost,
  sandbox: createSandbox,
}

/** All tracking providers, each with an address of its own where given: in tests, or behind a relay. */
export function createProviders(
  baseUrls: Partial<Record<ProviderName, string>> = {},
): Record<ProviderName, TrackingProvider> {
  const entries = providerNames.map((name) => [name, creators[name]({ baseUrl: baseUrls[name] })])
  // One entry for each of the names, so that the record is whole.
  return Object.fromEntries(entries) as Record<ProviderName, TrackingProvider>
}
