import type { IntegrationDescription } from '../../adapters/marketing/integration.ts'
import {
  describedIntegrations,
  type IntegrationName,
  integrationNames,
  segmentFetchers,
  segmentSources,
} from '../../adapters/marketing/registry.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'

export const integrations = integrationNames
export type Integration = IntegrationName

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

type Described = (typeof describedIntegrations)[number]

/** `Listed`: every shop has settings of these. `Later`: a shop has, and lists, their settings once they were set. */
export type ListedIntegration = Extract<Described, { isListedUnset: true }>['name']
export type LaterIntegration = Exclude<IntegrationName, ListedIntegration>
const listed = describedIntegrations.filter(({ isListedUnset }) => isListedUnset)
export const listedIntegrations = listed.map(({ name }) => name) as readonly ListedIntegration[] // filtered alike
export const laterIntegrations = integrationNames.filter(
  (name) => !isOf(listedIntegrations, name),
) as LaterIntegration[] // the others

/** Of the later ones, those whose segments shops can switch on. */
export const laterSegmentSources = laterIntegrations.filter((name) => isOf(segmentSources, name))

/** The listed integrations and the merchant's own endpoints. */
export const notifiedReceivers = [...listedIntegrations, 'webhook'] as const
export type NotifiedReceiver = (typeof notifiedReceivers)[number]

/** Receivers whose settings a shop has once they were set: e-mail of our own is one of them. */
export const laterReceivers = [...laterIntegrations, mailReceiver] as const
export type LaterReceiver = (typeof laterReceivers)[number]

/** Everyone with trigger settings. */
export const triggerReceivers = [...notifiedReceivers, ...laterReceivers] as const
export type TriggerReceiver = (typeof triggerReceivers)[number]

/** A value for each of the notified receivers, and for the others if they were set. */
export type OfTriggerReceivers<Value> = Record<NotifiedReceiver, Value> & Partial<Record<LaterReceiver, Value>>

export function isLater(receiver: string): receiver is LaterReceiver {
  return isOf(laterReceivers, receiver)
}

function isOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.some((known) => known === name)
}

const descriptions = new Map<string, IntegrationDescription>(describedIntegrations.map((each) => [each.name, each]))

/** The integration that has these settings; undefined for the merchant's endpoints and e-mail of our own. */
export function descriptionOf(receiver: TriggerReceiver): IntegrationDescription | undefined {
  return descriptions.get(receiver)
}

/** The default of the hours after which an event is too old to be sent. */
export function defaultStaleThreshold(receiver: TriggerReceiver): number {
  if (receiver === 'webhook') return 24
  return isShopSystem(receiver) ? 48 : 4
}

/** It shows parcels on its own orders, and has fewer settings. */
export function isShopSystem(receiver: TriggerReceiver): boolean {
  return descriptionOf(receiver)?.kind === 'shop_system'
}

/** One value for each name. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value> // every name has an entry
}

interface Switched {
  segments_enabled: boolean
}

/** Whether segments are fetched, of every integration that is listed or was set. */
export function segmentsOf(triggers: Record<ListedIntegration, Switched> & Partial<Record<string, Switched>>) {
  const isSet = laterSegmentSources.filter((name) => triggers[name] !== undefined)
  return {
    ...recordOf(listedIntegrations, (name) => triggers[name].segments_enabled),
    ...recordOf(isSet, (name) => triggers[name]?.segments_enabled === true),
  }
}

/** A list as a part of an English sentence. */
export function inWords(items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`
}
