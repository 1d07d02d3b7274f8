import { systems } from 'doorstep-client/systems'
import type { NameOfKind } from './systems.ts'

/** The systems whose credentials are entered as they are; the others have forms of their own. */
export type CredentialSystem = NameOfKind<'carrier' | 'aggregator' | 'marketing'> | 'shopify'
export type CredentialName = (typeof systems)[CredentialSystem]['fields'][number]

export function hasCredentialForm(name: string): name is CredentialSystem {
  const known = new Map(Object.entries(systems)).get(name)
  return name === 'shopify' || known?.kind === 'carrier' || known?.kind === 'aggregator' || known?.kind === 'marketing'
}

/** The fields of PUT /keys/{system}. */
export function credentialFields(system: CredentialSystem): readonly CredentialName[] {
  return systems[system].fields
}

const secrets = new Set<string>(Object.values(systems).flatMap((system) => system.secrets))

export function isSecret(field: CredentialName): boolean {
  return secrets.has(field)
}

/** Without the secret of its webhooks a provider is only polled. */
export function isOptional(field: CredentialName): boolean {
  return field === 'webhook_secret'
}

/** Paths whose responses say whether credentials are stored. */
export const credentialDependents = [
  '/v1/shops/{slug}/keys',
  '/v1/shops/{slug}/integrations',
  '/v1/shops/{slug}/connections',
  '/v1/shops/{slug}/settings/carriers/providers',
  '/v1/shops/{slug}/settings/mail',
]
