import { providerNames } from '../../carriers/provider.ts'
import { after, hourMs } from '../../foundation/clock.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { ApiError, invalid } from '../../foundation/errors.ts'
import { type Operation, operation } from '../../foundation/operation.ts'
import { NullReply } from '../../foundation/schema.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { resumeAccount } from '../provider-accounts/store.ts'
import { hostFor } from './account.ts'
import { toMaskedKeys } from './rules.ts'
import { type CredentialsOf, credentialSchemas, FormerSecret, MaskedKeys, type Provider } from './schema.ts'
import { deleteCredentials, listMasked, putCredentials } from './store.ts'

export const listIntegrationKeys = operation({
  name: 'listIntegrationKeys',
  summary: 'List the credentials for other systems, masked',
  description: 'Returns the last characters of each secret that is set, and null for the others.',
  area: 'Integration keys',
  route: 'GET /v1/shops/{slug}/keys',
  needs: 'admin',
  reply: MaskedKeys,
  async handle(context) {
    return toMaskedKeys(await listMasked(context, context.shop.id))
  },
})

// One operation per provider, so that the API description has the exact fields of each.
export const setKlaviyoCredentials = setCredentials('klaviyo', 'Klaviyo')
export const setBrevoCredentials = setCredentials('brevo', 'Brevo')
export const setBrazeCredentials = setCredentials('braze', 'Braze')
export const setHubSpotCredentials = setCredentials(
  'hubspot',
  'HubSpot',
  'A service key, or the token of a private app.',
)
export const setShopifyCredentials = setCredentials('shopify', 'Shopify', 'The access token of the shop.')
export const setEmarsysCredentials = setCredentials('emarsys', 'Emarsys')
export const setShopwareCredentials = setCredentials('shopware', 'Shopware')
export const setInxmailCredentials = setCredentials('inxmail', 'Inxmail')
export const setWooCommerceCredentials = setCredentials(
  'woocommerce',
  'WooCommerce',
  'A key of its REST API that may read, with the address of the store: existing orders are read with it.',
)
const webhookSecretHint =
  'The provider signs its webhooks with the webhook_secret; without it, shipments are only polled. One that is replaced is accepted for `former_valid_hours`.'
export const setAfterShipCredentials = setCredentials('aftership', 'AfterShip', webhookSecretHint)
export const setDhlCredentials = setCredentials(
  'dhl',
  'DHL',
  'The API key of an app with access to Shipment Tracking - Unified.',
)
export const setUpsCredentials = setCredentials('ups', 'UPS')
export const setFedExCredentials = setCredentials('fedex', 'FedEx')
export const setEasyPostCredentials = setCredentials('easypost', 'EasyPost', webhookSecretHint)

export const setSmtpCredentials = setCredentials(
  'smtp',
  'SMTP',
  'A mail server of the shop, with the sender of its messages. Nothing is sent until PATCH /settings/triggers/smtp switches it on.',
)

export const deleteShopifyCredentials = removeCredentials('shopify', 'Shopify', 'access token')
export const deleteWooCommerceCredentials = removeCredentials('woocommerce', 'WooCommerce')
export const deleteAfterShipCredentials = removeCredentials('aftership', 'AfterShip')
export const deleteDhlCredentials = removeCredentials('dhl', 'DHL')
export const deleteUpsCredentials = removeCredentials('ups', 'UPS')
export const deleteFedExCredentials = removeCredentials('fedex', 'FedEx')
export const deleteEasyPostCredentials = removeCredentials('easypost', 'EasyPost')

export const deleteSmtpCredentials = removeCredentials('smtp', 'SMTP')

function removeCredentials(provider: Provider, system: string, what = 'credentials'): Operation {
  const route: `DELETE /v1/shops/{slug}/keys/${Provider}` = `DELETE /v1/shops/{slug}/keys/${provider}`
  return operation({
    name: `delete${system}Credentials`,
    summary: `Delete the ${what} for ${system}`,
    area: 'Integration keys',
    route,
    needs: 'admin',
    reply: NullReply,
    errors: ['partner_key_not_found'],
    audit: auditedCredentials(provider),
    handle: (context) =>
      inTransaction(context, async (context) => {
        if (!(await deleteCredentials(context, context.shop.id, provider))) {
          throw new ApiError(
            'partner_key_not_found',
            `This shop has no ${what} for ${system}. There is nothing to delete.`,
          )
        }
        await applyToTracking(context, provider)
        await applyToMail(context, provider)
        return null
      }),
  })
}

function setCredentials<Name extends Provider>(provider: Name, system: string, hint?: string): Operation {
  const route: `PUT /v1/shops/{slug}/keys/${Provider}` = `PUT /v1/shops/{slug}/keys/${provider}`
  const generalDescription =
    "Replaces the previous credentials. They are stored encrypted, returned only masked, and sent only to the company's own hosts. If the shop sets the URL (Shopify, Braze, Inxmail), they are bound to its current host: set them again when the host changes."
  return operation({
    name: `set${system}Credentials`,
    summary: `Set the credentials for ${system}`,
    description: hint === undefined ? generalDescription : `${hint} ${generalDescription}`,
    area: 'Integration keys',
    route,
    needs: 'admin',
    ...(pushes(provider) ? { query: FormerSecret } : {}),
    body: credentialSchemas[provider],
    reply: NullReply,
    audit: auditedCredentials(provider),
    handle: (context, { body, query }) =>
      inTransaction(context, async (context) => {
        const host = await hostFor(context, context.shop.id, provider)
        checkSignIn(body)
        const { former_valid_hours: hours } = query as FormerSecret // without it, there is no such secret
        const formerUntil = after(context.now, (hours ?? 24) * hourMs)
        await putCredentials(context, context.shop.id, provider, body, { host, formerUntil })
        await applyToTracking(context, provider)
        await applyToMail(context, provider)
        return null
      }),
  })
}

function pushes(provider: Provider): boolean {
  return 'webhook_secret' in credentialSchemas[provider].properties
}

/** The masked credentials. New ones may end like those before, so every call is recorded. */
function auditedCredentials(provider: Provider) {
  return {
    kind: 'credentials',
    id: () => provider,
    isAct: true,
    read: async (context: ShopContext) => (await listMasked(context, context.shop.id)).get(provider),
  }
}

/** Ends a pause that rejected credentials have caused, so that the new ones are tried. */
async function applyToTracking(context: ShopContext, provider: Provider): Promise<void> {
  const trackingProvider = providerNames.find((name) => name === provider)
  if (trackingProvider === undefined) return
  await resumeAccount(context, context.shop.id, trackingProvider)
  await context.services.announce(context, { kind: 'tracking', shopId: context.shop.id })
}

/** A mail server wants both or neither. */
function checkSignIn(credentials: object): void {
  if (!('host' in credentials)) return
  const { username, password } = credentials as CredentialsOf<'smtp'> // the only ones with a host
  if (username && !password) throw invalid(['body', 'password'], 'is required if there is a username')
  if (password && !username) throw invalid(['body', 'username'], 'is required if there is a password')
}

async function applyToMail(context: ShopContext, provider: Provider): Promise<void> {
  if (provider === 'smtp') await context.services.announce(context, { kind: 'mail', shopId: context.shop.id })
}
