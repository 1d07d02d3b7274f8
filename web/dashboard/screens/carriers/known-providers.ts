import type { Schemas } from 'doorstep-client'

export const providersPath = '/v1/shops/{slug}/settings/carriers/providers'

/** In the order in which they are shown. */
export const providerNames = [
  'dhl',
  'ups',
  'fedex',
  'aftership',
  'easypost',
  'sandbox',
] as const satisfies readonly (keyof Schemas['TrackingProviders'])[]

export type ProviderName = (typeof providerNames)[number]
export type Provider = Schemas['ProviderSettings']

export function isProvider(name: string): name is ProviderName {
  return providerNames.some((each) => each === name)
}
