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

/** All tracking providers. Base URLs can be replaced, for tests or a relay. */
export function createProviders(
  baseUrls: Partial<Record<ProviderName, string>> = {},
): Record<ProviderName, TrackingProvider> {
  const entries = providerNames.map((name) => [name, creators[name]({ baseUrl: baseUrls[name] })])
  // There is one entry per name, so the record is complete.
  return Object.fromEntries(entries) as Record<ProviderName, TrackingProvider>
}
