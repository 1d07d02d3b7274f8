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
  /** The shop's address for the system is not one that its credentials may go to. */
  | { state: 'wrong host'; reason: string }
  /** The credentials were given for another host, and wait until they are given again. */
  | { state: 'set aside'; reason: string }

type Settings = Account['settings']

/** Every integration, for what it says of its addresses. */
const known = createIntegrations()

/**
 * The account, where its credentials may be sent to the address that the shop has set for the system now. They belong
 * to the host they were given for: whoever may change the address could otherwise have them sent to another one.
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
  // Brevo lets in only addresses that its account lists: a shop says whether that is the proxy's.
  const isDirect = integration === 'brevo' && !extra.use_proxy
  const ready: AccountState = {
    state: 'ready',
    account: { shopId, credentials: given.credentials, settings, isDirect },
  }
  const address = known[integration].addressOf?.(settings)
  // Fixed by the adapter, or not set: there it sends nothing.
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

/** The host that credentials which are given now are for; null where the shop has set no address yet, or cannot. */
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
