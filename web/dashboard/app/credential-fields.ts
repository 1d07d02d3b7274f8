import { integrationForms } from './integration-words.ts'

export type CredentialName = 'api_key' | 'webhook_secret' | 'client_id' | 'client_secret' | 'username' | 'password'

const key = ['api_key'] as const
const pushing = ['api_key', 'webhook_secret'] as const
const client = ['client_id', 'client_secret'] as const

/** The fields of PUT /keys/{system}, for every system whose credentials are entered as they are. */
export const credentialFields = {
  klaviyo: integrationForms.klaviyo.credentials,
  brevo: integrationForms.brevo.credentials,
  braze: integrationForms.braze.credentials,
  hubspot: integrationForms.hubspot.credentials,
  emarsys: integrationForms.emarsys.credentials,
  inxmail: integrationForms.inxmail.credentials,
  shopify: integrationForms.shopify.credentials,
  aftership: pushing,
  dhl: key,
  ups: client,
  fedex: client,
  easypost: pushing,
} as const satisfies Record<string, readonly CredentialName[]>

export type CredentialSystem = keyof typeof credentialFields

export function isSecret(field: CredentialName): boolean {
  return field !== 'client_id' && field !== 'username'
}

/** Without the secret of its webhooks a provider is only polled. */
export function isOptional(field: CredentialName): boolean {
  return field === 'webhook_secret'
}

/** What says whether there are credentials. */
export const credentialDependents = [
  '/v1/shops/{slug}/keys',
  '/v1/shops/{slug}/integrations',
  '/v1/shops/{slug}/connections',
  '/v1/shops/{slug}/settings/carriers/providers',
  '/v1/shops/{slug}/settings/mail',
]
