import type { ProviderDescription } from './carriers/provider.ts'
import { describedProviders } from './carriers/registry.ts'
import type { CredentialForm } from './credentials.ts'
import type { SystemDescription } from './description.ts'
import { smtp } from './mail/smtp.ts'
import type { IntegrationDescription } from './marketing/integration.ts'
import { describedIntegrations } from './marketing/registry.ts'
import { describedShopSystems } from './shop-systems/registry.ts'
import type { ShopSystemDescription } from './shop-systems/shop-system.ts'

/** Every description of the registries. A shop system that also receives events has two, of one name. */
export const describedSystems = [
  ...describedIntegrations,
  ...describedShopSystems,
  ...describedProviders,
  smtp,
] as const

type Described = (typeof describedSystems)[number]

/** The systems with credentials, and the form of each. */
type Keyed = Extract<Described, { credentials: CredentialForm }>
export type KeyedSystemName = Keyed['name']
export type FormOf<Name extends KeyedSystemName> = Extract<Keyed, { name: Name }>['credentials']

/** Each system once, by its name; of two descriptions, the first. */
const first = new Map<string, SystemDescription>(
  describedSystems.toReversed().map((described): [string, SystemDescription] => [described.name, described]),
)

/** As its makers write it; the name itself if there is no such system. */
export function labelOf(name: string): string {
  return first.get(name)?.label ?? name
}

/** A system whose credentials a shop sets. */
export interface KeyedSystem {
  name: KeyedSystemName
  label: string
  isListedUnset: boolean
  form: CredentialForm
}

export const keyedSystems: readonly KeyedSystem[] = [...new Set(describedSystems.map(({ name }) => name))].flatMap(
  (name) => {
    const { label, isListedUnset, credentials: form }: Partial<SystemDescription> = first.get(name) ?? {}
    // A name of the list, with a form.
    return form
      ? [{ name: name as KeyedSystemName, label: label ?? name, isListedUnset: isListedUnset === true, form }]
      : []
  },
)

/** The form of a system's credentials. */
export function formOf<Name extends KeyedSystemName>(name: Name): FormOf<Name> {
  return first.get(name)?.credentials as FormOf<Name> // systems of that type have one
}

/** Kinds of system in the API. A system with two descriptions is a shop system. */
export const systemKinds = ['carrier', 'aggregator', 'sandbox', 'marketing', 'shop_system', 'mail'] as const
export type SystemKind = (typeof systemKinds)[number]

/** Abilities of a system in the API. */
export const capabilities = ['tracking', 'registration', 'orders', 'webhooks', 'events', 'segments', 'check'] as const
export type Capability = (typeof capabilities)[number]

/** A system with all that its descriptions say. */
export interface System {
  name: string
  label: string
  kind: SystemKind
  capabilities: Capability[]
  /** References of the carriers that it tracks. */
  carriers: readonly string[]
  form: CredentialForm | undefined
}

/** Every system once: carriers and aggregators, marketing systems, shop systems, and e-mail of our own. */
export const systems: readonly System[] = [
  ...describedProviders.map(ofProvider),
  ...describedIntegrations.filter(({ kind }) => kind === 'marketing').map(ofIntegration),
  ...describedShopSystems.map(ofShopSystem),
  ofMail(),
]

function ofProvider({ name, label, kind, abilities, sample, carriers, credentials }: ProviderDescription): System {
  const found: Capability[] = [
    'tracking',
    ...(abilities.includes('register') ? (['registration'] as const) : []),
    ...(abilities.includes('readWebhook') ? (['webhooks'] as const) : []),
    ...(sample ? (['check'] as const) : []),
  ]
  return { name, label, kind, capabilities: found, carriers, form: credentials }
}

function ofIntegration({ name, label, kind, credentials, ...described }: IntegrationDescription): System {
  const { abilities, hasSegmentSwitch } = described
  const found: Capability[] = [
    'events',
    ...(hasSegmentSwitch && abilities.includes('fetchSegments') ? (['segments'] as const) : []),
    ...(abilities.includes('check') || abilities.includes('checkAccount') ? (['check'] as const) : []),
  ]
  return { name, label, kind, capabilities: found, carriers: [], form: credentials }
}

/** One that also receives events has the description of an integration, too. */
function ofShopSystem({ name, label, credentials }: ShopSystemDescription): System {
  const integration = describedIntegrations.find((described) => described.name === name)
  const others = integration ? ofIntegration(integration).capabilities : []
  const found: Capability[] = [...new Set<Capability>(['orders', 'webhooks', ...others, 'check'])]
  return { name, label, kind: 'shop_system', capabilities: found, carriers: [], form: credentials }
}

function ofMail(): System {
  const { name, label, kind, credentials } = smtp
  return { name, label, kind, capabilities: ['events', 'check'], carriers: [], form: credentials }
}
