import { mailTarget } from '../../deliveries/delivery.ts'
import { type IntegrationName, integrationNames, segmentFetchers } from '../../marketing/integration.ts'

export const integrations = integrationNames
export type Integration = IntegrationName

/** Integrations with a switch for segments: all except the shop system. */
export const segmentSources = ['klaviyo', 'brevo', 'braze', 'hubspot', 'emarsys', 'inxmail'] as const

interface Warning {
  loc: string[]
  msg: string
}

/**
 * Warns about integrations whose segments are switched on although their API cannot return them: the switch is stored,
 * but nothing is fetched.
 */
export function segmentWarnings(
  switchedOn: readonly string[],
  locOf: (name: string) => string[],
): { warnings?: Warning[] } {
  const warnings = switchedOn
    .filter((name) => segmentSources.some((source) => source === name))
    .filter((name) => !segmentFetchers.some((fetcher) => fetcher === name))
    .map((name) => ({
      loc: locOf(name),
      msg: `has no effect: the API of ${name} does not return the segments of a customer`,
    }))
  return warnings.length === 0 ? {} : { warnings }
}

/** The integrations and the merchant's own endpoints. */
export const notifiedParties = [...integrations, 'webhook'] as const
export type NotifiedParty = (typeof notifiedParties)[number]

/** Everyone with trigger settings. E-mail of our own has them, and is listed, only once it was set. */
export const triggerParties = [...notifiedParties, mailTarget] as const
export type TriggerParty = (typeof triggerParties)[number]

/** What the notified parties have, and e-mail if it was set. */
export type OfTriggerParties<Value> = Record<NotifiedParty, Value> & { smtp?: Value }

/** The default of the hours after which an event is too old to be sent. */
export function defaultStaleThreshold(party: TriggerParty): number {
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
