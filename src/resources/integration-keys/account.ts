import type { Context } from '../../foundation/context.ts'
import { CredentialHostError, checkCredentialHost } from '../../foundation/credential-hosts.ts'
import { type Account, type IntegrationName, integrationNames } from '../../marketing/integration.ts'
import { createIntegrations } from '../../marketing/registry.ts'
import { getTriggerSettings, type TriggerExtra } from '../settings/store.ts'
import { findAdminUrl } from '../shops/store.ts'
import type { Provider } from './schema.ts'
import { bindCredentials, findCredentialsWithHost } from './store.ts'

/** A shop's account with a marketing or commerce system, or why it cannot be used. */
export type AccountState =
  | { state: 'ready'; account: Account }
  /** No credentials are set. */
  | { state: 'none' }
  /** The URL that the shop has set is not on a host that may receive the credentials. */
  | { state: 'wrong host'; reason: string }
  /** The credentials were set for another host, and are not used until they are set again. */
  | { state: 'set aside'; reason: string }

type Settings = Account['settings']

/** Used for the hosts and URLs of each integration only. */
const integrations = createIntegrations()

/**
 * Returns the account if its credentials may be sent to the URL that the shop has set for the system. Credentials are
 * bound to the host they were set for: otherwise, anyone who can change the URL could have them sent to another host.
 */
export async function findIntegrationAccount(
  context: Context,
  shopId: string,
  integration: IntegrationName,
): Promise<AccountState> {
  const stored = await findCredentialsWithHost(context, shopId, integration)
  if (stored === undefined) return { state: 'none' }
  const { extra } = await getTriggerSettings(context, shopId, integration)
  const settings = await settingsOf(context, shopId, extra)
  // Brevo accepts requests only from IP addresses listed in its account; `use_proxy` says whether the proxy is listed.
  const isDirect = integration === 'brevo' && !extra.use_proxy
  const ready: AccountState = {
    state: 'ready',
    account: { shopId, credentials: stored.credentials, settings, isDirect },
  }
  const address = integrations[integration].addressOf?.(settings)
  // The adapter has a fixed host, or the URL is not set and nothing is sent.
  if (address === undefined) return ready
  const { system, hosts } = integrations[integration]
  try {
    checkCredentialHost(address, { system, hosts }, context.services.credentialHosts)
  } catch (error) {
    if (!(error instanceof CredentialHostError)) throw error
    return { state: 'wrong host', reason: error.message }
  }
  const { host } = new URL(address)
  const boundTo = stored.host ?? (await bindCredentials(context, shopId, integration, host))
  if (boundTo === host) return ready
  const reason = `The credentials for ${system} were set for ${boundTo}, but the URL is now on ${host}. Set them again: PUT /keys/${integration}.`
  return { state: 'set aside', reason }
}

/** The host that new credentials are bound to; null if the shop has not set a URL, or cannot set one. */
export async function hostFor(context: Context, shopId: string, provider: Provider): Promise<string | null> {
  const integration = integrationNames.find((name) => name === provider)
  const addressOf = integration && integrations[integration].addressOf
  if (integration === undefined || addressOf === undefined) return null
  const { extra } = await getTriggerSettings(context, shopId, integration)
  const address = addressOf(await settingsOf(context, shopId, extra))
  return address === undefined ? null : new URL(address).host
}

async function settingsOf(context: Context, shopId: string, extra: TriggerExtra): Promise<Settings> {
  const { instance_id, rest_endpoint, portal_id } = extra
  return { instance_id, rest_endpoint, portal_id, shop_admin_url: await findAdminUrl(context, shopId) }
}
