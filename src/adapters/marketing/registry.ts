import { lazyMethods } from '../lazy.ts'
import { braze } from './braze/description.ts'
import { brevo } from './brevo/description.ts'
import { emarsys } from './emarsys/description.ts'
import { hubspot } from './hubspot/description.ts'
import type { AdapterOptions, IntegrationAdapter, IntegrationDescription } from './integration.ts'
import { inxmail } from './inxmail/description.ts'
import { klaviyo } from './klaviyo/description.ts'
import { shopify } from './shopify/description.ts'

/** The systems that events can be sent to, in the order in which the API lists them. */
export const describedIntegrations = [klaviyo, brevo, braze, hubspot, emarsys, inxmail, shopify] as const

export type IntegrationName = (typeof describedIntegrations)[number]['name']
export const integrationNames = describedIntegrations.map(({ name }) => name) as readonly IntegrationName[] // names of the list

/** Those whose segments shops can switch on, and of them those whose adapters can fetch segments. */
const switched = describedIntegrations.filter(({ hasSegmentSwitch }) => hasSegmentSwitch)
export const segmentSources: readonly IntegrationName[] = switched.map(({ name }) => name)
export const segmentFetchers: readonly IntegrationName[] = switched
  .filter(({ abilities }: IntegrationDescription) => abilities.includes('fetchSegments'))
  .map(({ name }) => name)

/** An integration as the service uses it: its description, and its adapter, which is loaded when it is first called. */
export interface Integration<Name extends string = IntegrationName> extends IntegrationDescription, IntegrationAdapter {
  name: Name
}

declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** The integrations of this process. */
    readonly integrations: Readonly<Record<IntegrationName, Integration>>
  }
}

/** All integrations. Base URLs can be replaced, for tests or a relay. */
export function createIntegrations(
  baseUrls: Partial<Record<IntegrationName, string>> = {},
): Readonly<Record<IntegrationName, Integration>> {
  const entries = describedIntegrations.map((described) => [
    described.name,
    openIntegration(described, { baseUrl: baseUrls[described.name] }),
  ])
  // There is one entry per name, so the record is complete.
  return Object.fromEntries(entries) as Record<IntegrationName, Integration>
}

/** An integration with its adapter, which is loaded when it is first called. */
export function openIntegration<Described extends IntegrationDescription>(
  description: Described,
  options: AdapterOptions = {},
): Integration<Described['name']> {
  const { name, abilities }: IntegrationDescription = description
  const method = lazyMethods(name, () => description.load().then(({ create }) => create(options)))
  return {
    ...description,
    send: async (...input) => (await method('send'))(...input),
    ...(abilities.includes('check') ? { check: async (...input) => (await method('check'))(...input) } : {}),
    ...(abilities.includes('checkAccount')
      ? { checkAccount: async (...input) => (await method('checkAccount'))(...input) }
      : {}),
    ...(abilities.includes('fetchSegments')
      ? { fetchSegments: async (...input) => (await method('fetchSegments'))(...input) }
      : {}),
  }
}
