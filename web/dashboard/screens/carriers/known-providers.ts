import type { Schemas } from 'doorstep-client'
import { type NameOfKind, namesOf } from '../../app/systems.ts'

export const providersPath = '/v1/shops/{slug}/settings/carriers/providers'

/** In the order in which they are shown. */
export const providerNames = [...namesOf('carrier'), ...namesOf('aggregator'), ...namesOf('sandbox')]

export type ProviderName = NameOfKind<'carrier' | 'aggregator' | 'sandbox'>
export type Provider = Schemas['ProviderSettings']

export function isProvider(name: string): name is ProviderName {
  return providerNames.some((each) => each === name)
}
