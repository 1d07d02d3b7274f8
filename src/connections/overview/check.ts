import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import { checkShopify } from '../../adapters/shop-systems/shopify/check.ts'
import { createAdminApi } from '../../adapters/shop-systems/shopware/admin-api.ts'
import { checkShopware } from '../../adapters/shop-systems/shopware/check.ts'
import { httpsFailure } from '../../adapters/shop-systems/store-address.ts'
import { checkWooCommerce } from '../../adapters/shop-systems/woocommerce/check.ts'
import { findIntegrationAccount } from '../../credentials/integration-keys/account.ts'
import { findCredentials } from '../../credentials/integration-keys/store.ts'
import { findWebhookVersion } from '../../credentials/integration-keys/webhook-version-store.ts'
import { findMailAccount } from '../../credentials/mail-account/account.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'
import {
  addressFailure,
  type CheckOutcome,
  type CheckResult,
  checkFailure,
  checkSuccess,
  missingCredentials,
} from '../../platform/foundation/connection-check.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { CredentialHostError, guardCredentials } from '../../platform/foundation/credential-hosts.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import type { MailProblem } from '../../platform/mail/mailer.ts'
import { OutgoingError } from '../../platform/outgoing/errors.ts'
import { getShopifyAccount, shopifyCall } from '../shop-systems/shopify-account.ts'
import { findHttpsUrl, getWooCommerceAccount, wooCommerceCall } from '../shop-systems/woocommerce-account.ts'
import { findAccount as findShopwareAccount } from '../shopware/store.ts'
import { type ConnectionName, connectedMarketing, connectedProviders } from './schema.ts'

type ProviderConnection = (typeof connectedProviders)[number]
type MarketingConnection = (typeof connectedMarketing)[number]

/** Makes a harmless call with the stored credentials. A failure is not an error: the outcome says why. */
export async function checkConnection(context: ShopContext, name: ConnectionName): Promise<CheckOutcome> {
  try {
    const provider = connectedProviders.find((known) => known === name)
    if (provider) return await checkProvider(context, provider)
    const integration = connectedMarketing.find((known) => known === name)
    if (integration) return await checkMarketing(context, integration)
    if (name === mailReceiver) return await checkMail(context)
    return await checkShopSystem(context, name as ShopSystemName) // the other names are these
  } catch (error) {
    if (error instanceof OutgoingError) return checkFailure('unreachable', error.message)
    // Nothing was sent: the credentials must not go to this host, or belong to another one.
    if (error instanceof CredentialHostError) {
      const { httpsAddress, message } = error
      return httpsAddress === undefined
        ? checkFailure('unexpected', message)
        : addressFailure('not_found', 'https_needed', message, { useAddress: httpsAddress })
    }
    // An account whose address cannot be right, or that has no credentials.
    if (error instanceof ApiError) {
      return error.key === 'invalid_payload'
        ? addressFailure('not_found', 'wrong_address', error.message)
        : checkFailure('missing_credentials', error.message)
    }
    throw error
  }
}

async function checkShopSystem(context: ShopContext, name: ShopSystemName): Promise<CheckOutcome> {
  switch (name) {
    case 'shopify':
      return checkShopify(shopifyCall(context), await getShopifyAccount(context))
    case 'woocommerce': {
      const account = await getWooCommerceAccount(context)
      const httpsUrl = findHttpsUrl(context, account)
      if (httpsUrl !== undefined) return httpsFailure('WooCommerce', httpsUrl)
      return checkWooCommerce(wooCommerceCall(context, account), account)
    }
    case 'shopware': {
      const account = await findShopwareAccount(context, context.shop.id)
      if (account === undefined) return missingCredentials
      return checkShopware(
        context.services.call,
        createAdminApi(() => context.now.getTime()),
        account,
      )
    }
  }
}

async function checkProvider(context: ShopContext, name: ProviderConnection): Promise<CheckOutcome> {
  const credentials = await findCredentials(context, context.shop.id, name)
  if (credentials === undefined) return missingCredentials
  const { services, shop } = context
  const provider = services.providers[name]
  const call = guardCredentials(services.call, provider, services.credentialHosts)
  const outcome = (await provider.checkAccount?.(call, { shopId: shop.id, credentials })) ?? unavailable
  const wanted = provider.webhookVersion
  const found = wanted && (await findWebhookVersion(context, name))
  if (outcome.result !== 'ok' || !found || found === wanted) return outcome
  const detail = `${provider.label} sends webhooks of version ${found}. Choose ${wanted} for them in its settings: other versions may be read wrongly.`
  return { ...outcome, result: 'unexpected', detail }
}

async function checkMarketing(context: ShopContext, name: MarketingConnection): Promise<CheckOutcome> {
  const { services, shop } = context
  const found = await findIntegrationAccount(context, shop.id, name)
  if (found.state === 'none') return missingCredentials
  if (found.state !== 'ready') return checkFailure('unexpected', found.reason)
  const { account } = found
  const integration = services.integrations[name]
  const call = guardCredentials(
    (request) => services.call({ ...request, isDirect: account.isDirect }),
    integration,
    services.credentialHosts,
  )
  return integration.checkAccount?.(call, account) ?? unavailable
}

/** Connects and signs in; no message is sent. */
async function checkMail(context: ShopContext): Promise<CheckOutcome> {
  const found = await findMailAccount(context, context.shop.id)
  if (found === undefined) return missingCredentials
  const { account } = found
  const outcome = await context.services.mailer.verify(account)
  if (outcome.result !== 'accepted') {
    return checkFailure(mailResults[outcome.problem], outcome.response, outcome.code)
  }
  const from = `${account.fromName} <${account.fromAddress}>`
  return checkSuccess({ host: account.host, from, security: account.security })
}

const mailResults: Record<MailProblem, Exclude<CheckResult, 'ok'>> = {
  unauthorised: 'unauthorised',
  unreachable: 'unreachable',
  timeout: 'unreachable',
  tls: 'unexpected',
  private_address: 'unexpected',
  busy: 'rate_limited',
  sender_rejected: 'missing_permissions',
  recipient_rejected: 'unexpected',
  message_rejected: 'unexpected',
  unexpected: 'unexpected',
}

const unavailable = checkFailure('unexpected', 'There is no check for this system.')
