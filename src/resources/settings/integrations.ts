import { type IntegrationName, integrationNames } from '../../marketing/integration.ts'

export const integrations = integrationNames
export type Integration = IntegrationName

/** Those that segments can be fetched from: all but the shop system. */
export const segmentSources = ['klaviyo', 'brevo', 'braze', 'hubspot', 'emarsys', 'inxmail'] as const

/** The same and the merchant's own endpoints. */
export const notifiedParties = [...integrations, 'webhook'] as const
export type NotifiedParty = (typeof notifiedParties)[number]

/** Hours after which an event is too old to be told: what a setting shows until it is changed. */
export function defaultStaleThreshold(party: NotifiedParty): number {
  if (party === 'webhook') return 24
  return party === 'shopify' ? 48 : 4
}

/** One value for each name. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value> // every name has an entry
}
