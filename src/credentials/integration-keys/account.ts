import type {
  Account,
  AccountSettings,
  Credentials,
  IntegrationDescription,
} from '../../adapters/marketing/integration.ts'
import { type IntegrationName, integrationNames } from '../../adapters/marketing/registry.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { CredentialHostError, checkCredentialHost } from '../../platform/foundation/credential-hosts.ts'
import { getTriggerSettings, type TriggerExtra } from '../../shops/settings/store.ts'
import { ownSettingIn } from '../../shops/settings/trigger-rules.ts'
import { findAdminUrl } from '../../shops/shops/store.ts'
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
  const description: IntegrationDescription = context.services.integrations[integration]
  const settings = await settingsOf(context, shopId, description, extra)
  const isDirect = description.usesProxy === true && !extra.use_proxy
  const ready: AccountState = {
    state: 'ready',
    // As the description of the integration has them.
    account: { shopId, credentials: stored.credentials as Credentials, settings, isDirect },
  }
  const address = description.addressOf?.(settings)
  // The adapter has a fixed host, or the URL is not set and nothing is sent.
  if (address === undefined) return ready
  const { label, hosts } = description
  try {
    checkCredentialHost(address, { label, hosts }, context.services.credentialHosts)
  } catch (error) {
    if (!(error instanceof CredentialHostError)) throw error
    return { state: 'wrong host', reason: error.message }
  }
  const { host } = new URL(address)
  const boundTo = stored.host ?? (await bindCredentials(context, shopId, integration, host))
  if (boundTo === host) return ready
  const reason = `The credentials for ${label} were set for ${boundTo}, but the URL is now on ${host}. Set them again: PUT /keys/${integration}.`
  return { state: 'set aside', reason }
}

/** The host that new credentials are bound to; null if the shop has not set a URL, or cannot set one. */
export async function hostFor(context: Context, shopId: string, provider: Provider): Promise<string | null> {
  const integration = integrationNames.find((name) => name === provider)
  const description = integration && context.services.integrations[integration]
  if (integration === undefined || description?.addressOf === undefined) return null
  const { extra } = await getTriggerSettings(context, shopId, integration)
  const address = description.addressOf(await settingsOf(context, shopId, description, extra))
  return address === undefined ? null : new URL(address).host
}

async function settingsOf(
  context: Context,
  shopId: string,
  { setting }: IntegrationDescription,
  extra: TriggerExtra,
): Promise<AccountSettings> {
  const own = setting ? { [setting.name]: ownSettingIn(extra, setting) } : {}
  return { ...own, shop_admin_url: await findAdminUrl(context, shopId) }
}
