import { systems } from 'doorstep-client/systems'
import { type NameOfKind, namesOf } from './systems.ts'

/** The integrations by the names that the API has for them. Shopify is a shop system that receives events, too. */
export type IntegrationName = NameOfKind<'marketing'> | 'shopify' | 'smtp'
export const integrationNames: readonly IntegrationName[] = [...namesOf('marketing'), 'shopify', 'smtp']

export function isIntegration(name: string): name is IntegrationName {
  return integrationNames.some((known) => known === name)
}

export function integrationLabel(name: IntegrationName): string {
  return name === 'smtp' ? 'E-mail (SMTP)' : systems[name].label
}

/** A trigger setting that only this integration has; undefined: it has none. */
export type OwnSetting = NonNullable<(typeof systems)[IntegrationName]['setting']>
export function ownSettingOf(name: IntegrationName): OwnSetting | undefined {
  return systems[name].setting ?? undefined
}

/** Whether there are segments to fetch. */
export function hasSegments(name: IntegrationName): boolean {
  const { capabilities }: { capabilities: readonly string[] } = systems[name]
  return capabilities.includes('segments')
}

/** Receivers that a trigger can notify. Shopify is not one: it has no such event. */
export type TriggerReceiver = 'webhook' | NameOfKind<'marketing'> | 'smtp'
export const triggerReceivers: readonly TriggerReceiver[] = ['webhook', ...namesOf('marketing'), 'smtp']

export function isTriggerReceiver(name: string): name is TriggerReceiver {
  return triggerReceivers.some((receiver) => receiver === name)
}
