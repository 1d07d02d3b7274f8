import type { Context } from '../../foundation/context.ts'
import { CredentialHostError, checkCredentialHost } from '../../foundation/credential-hosts.ts'
import { type Account, type IntegrationName, integrationNames } from '../../marketing/integration.ts'
import { createIntegrations } from '../../marketing/registry.ts'
import { getTriggerSettings, type TriggerExtra } from '../settings/store.ts'
import { findAdminUrl } from '../shops/store.ts'
import type { Provider } from './schema.ts'
import { bindCredentials, findGivenCredentials } from './store.ts'

/** A shop's account at a marketing or commerce system, or why it cannot be used. */
export type AccountState =
  | { state: 'ready'; account: Account }
  /** No credentials are set. */
  | { state: 'none' }
  /** The configured URL is not one that the credentials may be sent to. */
  | { state: 'wrong host'; reason: string }
  /** The credentials were entered for another host, and must be entered again. */
  | { state: 'set aside'; reason: string }

type Settings = Account['settings']

/** All integrations, for their hosts. */
const known = createIntegrations()

/**
 * The account, if its credentials may be sent to the URL that the shop has configured. Credentials are bound to the
 * host they were entered for: otherwise anyone who may change the URL could redirect them.
 */
export async function findAccountAt(
  context: Context,
  shopId: string,
  integration: IntegrationName,
): Promise<AccountState> {
  const given = await findGivenCredentials(context, shopId, integration)
  if (given === undefined) return { state: 'none' }
  const { extra } = await getTriggerSettings(context, shopId, integration)
  const settings = await settingsOf(context, shopId, extra)
  // Brevo accepts only IP addresses that its account lists; the shop says whether that is the proxy's.
  const isDirect = integration === 'brevo' && !extra.use_proxy
  const ready: AccountState = {
    state: 'ready',
    account: { shopId, credentials: given.credentials, settings, isDirect },
  }
  const address = known[integration].addressOf?.(settings)
  // The URL is fixed by the adapter, or not set, and then nothing is sent.
  if (address === undefined) return ready
  const { system, hosts } = known[integration]
  try {
    checkCredentialHost(address, { system, hosts }, context.services.credentialHosts)
  } catch (error) {
    if (!(error instanceof CredentialHostError)) throw error
    return { state: 'wrong host', reason: error.message }
  }
  const { host } = new URL(address)
  const boundTo = given.host ?? (await bindCredentials(context, shopId, integration, host))
  if (boundTo === host) return ready
  const reason = `The credentials for ${system} were given for ${boundTo}, and the address is now at ${host}. Give them again: PUT /keys/${integration}.`
  return { state: 'set aside', reason }
}

/** The host that newly entered credentials are for; null if the shop has configured no URL yet, or cannot. */
export async function hostFor(context: Context, shopId: string, provider: Provider): Promise<string | null> {
  const integration = integrationNames.find((name) => name === provider)
  const addressOf = integration && known[integration].addressOf
  if (integration === undefined || addressOf === undefined) return null
  const { extra } = await getTriggerSettings(context, shopId, integration)
  const address = addressOf(await settingsOf(context, shopId, extra))
  return address === undefined ? null : new URL(address).host
}

async function settingsOf(context: Context, shopId: string, extra: TriggerExtra): Promise<Settings> {
  const { instance_id, rest_endpoint, portal_id } = extra
  return { instance_id, rest_endpoint, portal_id, shop_admin_url: await findAdminUrl(context, shopId) }
}
