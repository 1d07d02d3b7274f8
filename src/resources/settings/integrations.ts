import { type IntegrationName, integrationNames, segmentFetchers } from '../../marketing/integration.ts'

export const integrations = integrationNames
export type Integration = IntegrationName

/** Those whose segments can be switched: all but the shop system. */
export const segmentSources = ['klaviyo', 'brevo', 'braze', 'hubspot', 'emarsys', 'inxmail'] as const

interface Warning {
  loc: string[]
  msg: string
}

/**
 * Names those whose segments are switched on although their API has no call for them: the switch is kept, and nothing is
 * fetched.
 */
export function segmentWarnings(
  switchedOn: readonly string[],
  locOf: (name: string) => string[],
): { warnings?: Warning[] } {
  const warnings = switchedOn
    .filter((name) => segmentSources.some((source) => source === name))
    .filter((name) => !segmentFetchers.some((fetcher) => fetcher === name))
    .map((name) => ({ loc: locOf(name), msg: `has no effect: no call of ${name} names the segments of a customer` }))
  return warnings.length === 0 ? {} : { warnings }
}

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
